import { useState } from 'react'
import type { OwnClaim } from '../../contract/claims.ts'
import type { OwnedKey } from '../../contract/keys.ts'
import { CLAIM_AFTER_END_MS, COUNTDOWN_INTERVAL_MS } from '../../contract/limits.ts'
import { serverNow, useNow } from '../platform/clock.ts'
import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Copyable } from '../ui/buttons/copyable.tsx'
import { Chip } from '../ui/chip.tsx'
import { confirm } from '../ui/overlays/confirm.ts'
import { lazyPart } from '../ui/page/lazy-part.tsx'
import { textWith } from '../ui/text-with.tsx'
import { Time } from '../ui/time.tsx'
import { STATUS_TONES } from './claim-words.ts'
import { useOwnClaims, useWithdraw } from './own-claims.ts'

const ReportDialog = lazyPart(() => import('./report-dialog.tsx').then((file) => file.ReportDialog))

type Reportable = Pick<OwnedKey, '_id' | 'key' | 'productId' | 'duration' | 'expiresAt' | 'state'>

/** Leads to a report of one of these keys, as long as one can be reported. */
export function ReportButton({ keys }: { keys: readonly Reportable[] }) {
  const now = useNow(COUNTDOWN_INTERVAL_MS)
  const claims = useOwnClaims()
  const [isAsking, setAsking] = useState(false)
  const open = new Set(claims.data?.filter(({ status }) => status === 'open').map(({ keyId }) => keyId))
  const left = keys.filter(
    ({ _id, state, expiresAt }) => !state && !open.has(_id) && now <= Date.parse(expiresAt) + CLAIM_AFTER_END_MS,
  )
  // If the reports did not load, the server still refuses a second one
  if (claims.isPending || left.length === 0) return null
  return (
    <>
      <Button variant="ghost" size="sm" onClick={() => setAsking(true)} className="-ml-3.5">
        {keys.length > 1 ? t('Problem with a key?') : t('Problem with this key?')}
      </Button>
      {isAsking && <ReportDialog keys={left} onClose={() => setAsking(false)} />}
    </>
  )
}

interface KeyClaimProps {
  owned: Pick<OwnedKey, '_id' | 'replaces'>
  /** All keys of the buyer, among which the new one is. */
  all: readonly OwnedKey[] | undefined
}

/** What has become of the newest report of a key: its number, the answer, and the new key. */
export function KeyClaim({ owned, all }: KeyClaimProps) {
  const claims = useOwnClaims()
  const claim = claims.data?.find(({ keyId }) => keyId === owned._id)
  const before = owned.replaces && claims.data?.find(({ keyId }) => keyId === owned.replaces)
  if (!claim && !before) return null
  const given = claim?.status === 'replaced' ? all?.find(({ replaces }) => replaces === owned._id) : undefined
  return (
    <div className="mt-1.5 grid gap-1.5 text-sm text-fg-2">
      {before && <p>{t('New key for report {number}', { number: before.number })}</p>}
      {claim && <State claim={claim} />}
      {claim?.answer && <p className="border-l-2 border-line-2 pl-2.5 wrap-anywhere">{claim.answer}</p>}
      {given && (
        <div className="min-w-0 text-fg">
          <p className="mb-1 text-fg-2">{t('Your new key')}</p>
          <Copyable text={given.key} what={t('key')} />
        </div>
      )}
    </div>
  )
}

function State({ claim }: { claim: OwnClaim }) {
  const withdraw = useWithdraw()
  const { number, status, answerBy, refunded, reason } = claim
  const ask = async () => {
    const isSure = await confirm({
      title: t('Withdraw report {number}?', { number }),
      body: t('You can report the key again later.'),
      confirmLabel: t('Withdraw'),
    })
    if (isSure && !withdraw.isPending) withdraw.mutate({ id: claim._id })
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Chip tone={STATUS_TONES[status]}>{stateText(claim)}</Chip>
      {status === 'open' && Date.parse(answerBy) > serverNow() && (
        <span>{textWith('The store answers by {date}', { date: <Time value={answerBy} /> })}</span>
      )}
      {status === 'refunded' && refunded !== null && (
        <span>{t('{amount} is in your wallet', { amount: formatRupees(refunded) })}</span>
      )}
      {status === 'open' && reason !== 'recalled' && (
        <Button variant="ghost" size="sm" pending={withdraw.isPending} onClick={() => void ask()}>
          {t('Withdraw')}
        </Button>
      )}
    </div>
  )
}

function stateText({ status, number, reason }: OwnClaim): string {
  if (status === 'open')
    return reason === 'recalled' ? t('Recalled, {number}', { number }) : t('Reported, {number}', { number })
  return {
    replaced: t('Replaced, {number}', { number }),
    refunded: t('Refunded, {number}', { number }),
    rejected: t('Rejected, {number}', { number }),
    withdrawn: t('Withdrawn, {number}', { number }),
  }[status]
}

import type { ClaimDetails } from '../../../contract/claims.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { ApiError } from '../../platform/calls/api-error.ts'
import { client } from '../../platform/calls/client.ts'
import { useChange } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { formatCount, formatRupees } from '../../platform/money.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { toastError } from '../../platform/navigation/toast.ts'
import { byDashes } from '../../ui/buttons/copyable.tsx'
import { Chip } from '../../ui/chip.tsx'
import { textWith } from '../../ui/text-with.tsx'
import { Time } from '../../ui/time.tsx'
import { Fact } from '../../ui/admin/fact.tsx'

const percent = ({ claims, sold }: { claims: number; sold: number }): string =>
  sold === 0 ? '0%' : `${Math.round((claims / sold) * 1_000) / 10}%`

const SOURCES: Record<string, () => string> = {
  topup: () => t('Top-up'),
  admin_credit: () => t('Added by the store'),
  referral_reward: () => t('Referral reward'),
  refund: () => t('Refund'),
}

/** The store shows the whole key once the admin has confirmed that it is them. */
function FullKeyButton({ id }: { id: string }) {
  const prove = useChange('claims', () => client.claims.one({ id, unproven: 'refuse' }), {
    onError: (error) => {
      if (!(error instanceof ApiError && error.code === 'STEP_UP_REQUIRED')) toastError(error)
    },
  })
  if (denied(calls.claims.reject) && denied(calls.claims.recall)) return null
  return (
    <Button size="sm" variant="ghost" pending={prove.isPending} onClick={() => prove.mutate()}>
      {t('Show full key')}
    </Button>
  )
}

/** What an admin should know before the answer. */
export function ClaimFacts({ claim }: { claim: ClaimDetails }) {
  const { evidence, share, batch, unitPrice, key } = claim
  const { buyer } = evidence
  return (
    <dl className="grid gap-x-4 gap-y-3 rounded-control border border-line bg-sunken p-3.5 text-sm sm:grid-cols-2">
      <Fact name={t('Key')}>
        <code translate="no" className="font-mono wrap-anywhere">
          {byDashes(key)}
        </code>{' '}
        {!claim.isWhole && <FullKeyButton id={claim._id} />}
      </Fact>
      <Fact name={t('Bought')}>
        <Time value={evidence.assignedAt} /> · {formatCount(evidence.quantity)} × {formatRupees(unitPrice)}
      </Fact>
      <Fact name={t('Time left at the report')}>
        {t('{percent} unused', { percent: `${Math.floor(share * 100)}%` })} ·{' '}
        {textWith('Valid till {date}', { date: <Time value={evidence.expiresAt} /> })}
      </Fact>
      <Fact name={t('Batch')}>
        {evidence.batch && batch ? (
          <>
            {batch.supplier || t('no supplier')} · <Time value={evidence.batch.createdAt} format="date" />
            <span className="block">
              {t('{claims} of {sold} keys reported ({share}). Whole store: {store}.', {
                claims: formatCount(evidence.batch.claims),
                sold: formatCount(evidence.batch.sold),
                share: percent(evidence.batch),
                store: percent(evidence.store),
              })}{' '}
              {evidence.batch.recalledAt && <Chip tone="bad">{t('Recalled')}</Chip>}
            </span>
          </>
        ) : (
          t('Unknown')
        )}
      </Fact>
      <Fact name={t('This buyer')}>
        {t('{claims, plural, one {# claim} other {# claims}} for {keys, plural, one {# key} other {# keys}}', {
          claims: buyer.claims,
          keys: buyer.keys,
        })}
        <span className="block">
          {t('{replaced} replaced, {refunded} refunded', { replaced: buyer.replaced, refunded: buyer.refunded })}
        </span>
        {evidence.replacedBefore > 0 && (
          <span className="block text-warn">
            {t('This purchase has had {count, plural, one {# new key} other {# new keys}} already.', {
              count: evidence.replacedBefore,
            })}
          </span>
        )}
      </Fact>
      <Fact name={t('Paid from')}>
        <ul>
          {evidence.paidFrom.map(({ source, amount, expiresAt, isTakenBack }, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- lots have no names here, and keep their order
            <li key={at}>
              {formatRupees(amount)} · {SOURCES[source]?.() ?? source}
              {expiresAt && <> · {textWith('till {date}', { date: <Time value={expiresAt} format="date" /> })}</>}{' '}
              {isTakenBack && <Chip tone="bad">{t('Taken back')}</Chip>}
            </li>
          ))}
        </ul>
      </Fact>
    </dl>
  )
}

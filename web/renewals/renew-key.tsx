/** On the buyer's keys: letting the store buy them again when they end, and what comes of it. */
import { useState } from 'react'
import { RefreshCw } from 'lucide-react'
import { REPEAT_FROM_MS } from '../../contract/limits.ts'
import type { OwnedKey } from '../../contract/keys.ts'
import type { Renewal } from '../../contract/renewals.ts'
import { loadWords } from '../platform/catalogues.ts'
import { durationText, own, t } from '../platform/i18n.ts'
import { formatRupees, timesRupees } from '../platform/money.ts'
import { Link } from '../platform/navigation/router.tsx'
import { toastError } from '../platform/navigation/toast.ts'
import { Button, buttonClass } from '../ui/buttons/button.tsx'
import { textWith } from '../ui/text-with.tsx'
import { Time } from '../ui/time.tsx'
import { ChangeRenewal } from './change-renewal.tsx'
import { ENDED, isOpen, useDoomed, useMake, usePrice, useRenewalOf, useShortfall, useStop } from './renewals.ts'

/** With their words, which few pages need. */
export const loadRenewals = () => loadWords('-renewals').then(() => ({ RenewButton, RenewalNote, DoomedRenewals }))

interface OfKeys {
  /** Of one purchase, at least one. */
  keys: readonly OwnedKey[]
}

/** One tap. Nothing is taken, and another tap ends it. */
function RenewButton({ keys }: OfKeys) {
  const renewal = useRenewalOf(keys)
  const make = useMake()
  const good = keys.find(({ state }) => !state)
  const price = usePrice({ productId: good?.productId._id ?? '', duration: good?.duration ?? '', quantity: 1 })
  if (!good || price === undefined || (renewal && isOpen(renewal))) return null
  return (
    <Button
      variant="secondary"
      size="sm"
      data-decides
      pending={make.isPending}
      onClick={() => make.mutate({ keyId: good._id }, { onError: toastError })}
      aria-label={t('Renew: {product}, {duration}', {
        product: own(good.productId, 'name'),
        duration: durationText(good.duration),
      })}
    >
      {t('Renew')}
    </Button>
  )
}

/** What renews, is tried, or ended within a week. Nothing for other keys. */
function RenewalNote({ keys }: OfKeys) {
  const renewal = useRenewalOf(keys)
  const stop = useStop()
  const [isChanging, setChanging] = useState(false)
  if (!renewal) return null
  if (!isOpen(renewal)) {
    const why = renewal.reason && ENDED[renewal.reason]()
    return why ? <p className="text-sm text-fg-2">{why}</p> : null
  }
  if (renewal.reason === 'by-hand')
    return (
      <div className="pb-2">
        <KeepRenewal renewal={renewal} />
      </div>
    )
  const isHeld = renewal.state === 'held'
  return (
    <div className="grid gap-1 pb-2">
      <output className={isHeld ? 'flex gap-2 text-sm text-warn' : 'flex gap-2 text-sm text-fg-2'}>
        <RefreshCw size={15} aria-hidden className="mt-0.5 shrink-0" />
        <span>{isHeld ? <Held renewal={renewal} /> : <Waiting renewal={renewal} />}</span>
      </output>
      <div className="-ml-3.5 flex flex-wrap gap-x-1">
        <Button
          variant="ghost"
          size="sm"
          data-decides
          pending={stop.isPending}
          onClick={() => stop.mutate({ id: renewal._id }, { onError: toastError })}
        >
          {t('Don’t renew')}
        </Button>
        <Button variant="ghost" size="sm" onClick={() => setChanging(true)}>
          {t('Change')}
        </Button>
        {isHeld && renewal.reason === 'money' && (
          <Link to="/add-balance" className={buttonClass({ variant: 'ghost', size: 'sm' })}>
            {t('Add money')}
          </Link>
        )}
      </div>
      {isChanging && (
        <ChangeRenewal
          renewal={renewal}
          keyId={renewal.keyIds[0] ?? ''}
          isLong={keys.some((key) => lastsMs(key) >= REPEAT_FROM_MS)}
          onClose={() => setChanging(false)}
        />
      )}
    </div>
  )
}

/** After a purchase by hand: the renewal ends, unless its buyer wants both. */
function KeepRenewal({ renewal }: { renewal: Renewal }) {
  const { keyIds, max, repeat } = renewal
  const make = useMake()
  return (
    <div className="flex flex-wrap items-center gap-x-2 text-sm text-fg-2">
      <output>
        {textWith('You bought it yourself since, so the renewal of {date} will end.', {
          date: <Time value={renewal.at} />,
        })}
      </output>
      <Button
        variant="ghost"
        size="sm"
        className="-ml-3.5"
        data-decides
        pending={make.isPending}
        onClick={() => make.mutate({ keyId: keyIds[0] ?? '', max: String(max), repeat }, { onError: toastError })}
      >
        {t('Keep it')}
      </Button>
    </div>
  )
}

/** Beside new keys. */
function DoomedRenewals({ keys }: OfKeys) {
  const first = keys[0]
  return useDoomed()
    .filter(({ productId, duration }) => productId === first?.productId._id && duration === first.duration)
    .map((renewal) => <KeepRenewal key={renewal._id} renewal={renewal} />)
}

const lastsMs = ({ assignedAt, expiresAt }: OwnedKey) => Date.parse(expiresAt) - Date.parse(assignedAt)

function Waiting({ renewal: { at, max, quantity, repeat, reason } }: { renewal: Renewal }) {
  const values = { date: <Time value={at} />, amount: formatRupees(timesRupees(max, quantity)) }
  if (reason === 'not-for-sale')
    return textWith('It’s no longer for sale. It renews {date} only if it’s back by then.', values)
  return repeat
    ? textWith('Keeps renewing. Next: {date}, for up to {amount}. Nothing is taken until then.', values)
    : textWith('Renews {date}, for up to {amount}. Nothing is taken until then.', values)
}

function Held({ renewal }: { renewal: Renewal }) {
  const { reason, max, at, triesUntil = at } = renewal
  const price = usePrice(renewal)
  const short = useShortfall(renewal)
  const date = <Time value={triesUntil} />
  if (reason === 'money')
    return textWith('Not renewed yet: your balance is {amount} short. We try until {date}.', {
      amount: formatRupees(short),
      date,
    })
  if (reason === 'stock') return textWith('Not renewed yet: it’s out of stock. We try until {date}.', { date })
  return textWith('Not renewed yet: it costs {price} now, your limit is {max}. We try until {date}.', {
    price: formatRupees(price ?? max),
    max: formatRupees(max),
    date,
  })
}

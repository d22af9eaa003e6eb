import { useState, type ReactNode } from 'react'
import { Check, CircleCheck, Clock3, KeyRound } from 'lucide-react'
import type { OwnTopUp } from '../../contract/payments.ts'
import { TellMe } from '../messages/tell-me.tsx'
import { usePaymentInCheck, willBuy } from './payment-in-check.ts'
import { useOwnRequests } from './use-own-requests.ts'
import { UsualWait } from './usual-wait.tsx'
import { wishText } from './wishes/wish-words.ts'
import { useCall } from '../platform/calls/use-call.ts'
import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { Link } from '../platform/navigation/router.tsx'
import { toast, toastError } from '../platform/navigation/toast.ts'
import { Button } from '../ui/buttons/button.tsx'

/**
 * Says that the money for this order is being checked, and to who stays on the page what became of what it buys.
 * @param isShort true if the wallet lacks money for the chosen order. Otherwise nobody waits for a payment
 */
export function PaymentNote({ isShort }: { isShort: boolean }) {
  const requests = useOwnRequests().data
  const inCheck = usePaymentInCheck()
  const [followed, setFollowed] = useState<string>()
  if (inCheck && willBuy(inCheck) && inCheck._id !== followed) setFollowed(inCheck._id)
  const request = inCheck ?? requests?.find(({ _id }) => _id === followed)
  const content = request && contentFor(request, isShort)
  return <output className={content ? 'block' : 'sr-only'}>{content}</output>
}

function contentFor({ amount, status, then }: OwnTopUp, isShort: boolean): ReactNode {
  if (status === 'pending') {
    if (!isShort || then?.state === 'waiting') return null
    return (
      <Note tone="wait">
        <p>{t('{amount} is being checked. You can buy when it’s approved.', { amount: formatRupees(amount) })}</p>
      </Note>
    )
  }
  const text = then && wishText(then)
  // What ended otherwise is said above the form
  if (!text || then.state !== 'bought') return null
  return (
    <Note tone="ok">
      <p className="font-medium text-ok">{text}</p>
      <Link to="/my-key" className="font-semibold text-brand hover:underline">
        {then.quantity === 1 ? t('View your key') : t('View your keys')}
      </Link>
    </Note>
  )
}

interface WishNoteProps {
  request: OwnTopUp
  /** The product of the page. Over another one than the payment buys, it is said in short. */
  shown: string | undefined
}

/** How far a payment is that buys something. The page need not stay open for it. */
export function WishNote({ request: { amount, checked, then }, shown }: WishNoteProps) {
  const cancel = useCall('orders.cancelWish', { onSuccess: ({ message }) => toast(t(message)), onError: toastError })
  const quantity = then?.quantity ?? 1
  const isOther = shown !== undefined && shown !== then?.productId
  return (
    <section
      aria-label={t('Order status')}
      className="grid gap-4 rounded-panel border border-brand-line bg-surface p-4 wrap-anywhere sm:p-6"
    >
      {!isOther && (
        <ol className="grid grid-cols-3 gap-2 text-center text-xs text-fg-2 large-text:grid-cols-1">
          <Step name={t('Sent')} state="done" />
          <Step name={t('Being checked')} state="now" />
          <Step name={t('{count, plural, one {Your key} other {Your keys}}', { count: quantity })} state="next" />
        </ol>
      )}
      <output className="block font-medium">
        {t('{amount} is being checked.', { amount: formatRupees(amount) })} {then && wishText(then)}
      </output>
      <div className={isOther ? 'hidden' : 'grid gap-1 text-sm text-fg-2'}>
        <UsualWait checked={checked} />
        <p>
          {t('You can close this page. The {count, plural, one {key} other {keys}} will be in My Key.', {
            count: quantity,
          })}
        </p>
      </div>
      <div className="flex flex-wrap items-start justify-between gap-2">
        {!isOther && <TellMe />}
        <Button
          variant="ghost"
          size="sm"
          className="ml-auto"
          data-decides
          pending={cancel.isPending}
          onClick={() => {
            if (!cancel.isPending) cancel.mutate()
          }}
        >
          {t('Cancel this order')}
        </Button>
      </div>
    </section>
  )
}

const STEPS = {
  done: { Icon: Check, look: 'bg-ok/14 text-ok' },
  now: { Icon: Clock3, look: 'border border-brand-line bg-brand-bg text-brand' },
  next: { Icon: KeyRound, look: 'bg-hover text-fg-3' },
}

function Step({ name, state }: { name: string; state: keyof typeof STEPS }) {
  const { Icon, look } = STEPS[state]
  return (
    <li aria-current={state === 'now' ? 'step' : undefined} className="grid content-start justify-items-center gap-1">
      <span className={`grid size-11 place-items-center rounded-full ${look}`}>
        <Icon size={20} aria-hidden />
      </span>
      <span className={state === 'now' ? 'font-semibold text-fg' : ''}>{name}</span>
    </li>
  )
}

const TONES = {
  wait: { Icon: Clock3, box: 'border-line-2 bg-sunken', icon: 'text-warn' },
  ok: { Icon: CircleCheck, box: 'border-ok/30 bg-ok/8', icon: 'text-ok' },
}

function Note({ tone, children }: { tone: keyof typeof TONES; children: ReactNode }) {
  const { Icon, box, icon } = TONES[tone]
  return (
    <div className={`flex gap-2.5 rounded-control border px-3 py-2.5 text-sm ${box}`}>
      <Icon size={17} aria-hidden className={`mt-px shrink-0 ${icon}`} />
      <div className="grid min-w-0 flex-1 gap-2.5 wrap-anywhere">{children}</div>
    </div>
  )
}

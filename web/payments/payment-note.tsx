import { useState, type ReactNode } from 'react'
import { useMutation } from '@tanstack/react-query'
import { CircleCheck, Clock3, TriangleAlert } from 'lucide-react'
import type { OwnTopUp } from '../../contract/payments.ts'
import { TellMe } from '../messages/tell-me.tsx'
import { usePaymentInCheck, willBuy } from './payment-in-check.ts'
import { useOwnRequests } from './use-own-requests.ts'
import { UsualWait } from './usual-wait.tsx'
import { wishText } from './wish-words.ts'
import { client } from '../platform/calls/client.ts'
import { makesStale } from '../platform/calls/queries.ts'
import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { Link } from '../platform/navigation/router.tsx'
import { toast, toastError } from '../platform/navigation/toast.ts'
import { Button } from '../ui/buttons/button.tsx'

/** Says that a payment is being checked, what it will buy, and to who stays on the page what became of that. */
export function PaymentNote() {
  const requests = useOwnRequests().data
  const inCheck = usePaymentInCheck()
  const [followed, setFollowed] = useState<string>()
  if (inCheck && willBuy(inCheck) && inCheck._id !== followed) setFollowed(inCheck._id)
  const request = inCheck ?? requests?.find(({ _id }) => _id === followed)
  return <output className={request ? 'block' : 'sr-only'}>{request && <Content request={request} />}</output>
}

function Content({ request: { amount, status, checked, then } }: { request: OwnTopUp }) {
  const text = then && wishText(then)
  if (status === 'pending' && then?.state !== 'waiting')
    return (
      <Note tone="wait">
        <p>{t('{amount} is being checked. You can buy when it’s approved.', { amount: formatRupees(amount) })}</p>
      </Note>
    )
  if (!text) return null
  if (then.state === 'waiting') return <Waiting amount={amount} checked={checked} text={text} />
  return then.state === 'bought' ? (
    <Note tone="ok">
      <p className="font-medium text-ok">{text}</p>
      <Link to="/my-key" className="font-semibold text-brand hover:underline">
        {then.quantity === 1 ? t('View your key') : t('View your keys')}
      </Link>
    </Note>
  ) : (
    <Note tone="warn">
      <p className="font-medium text-warn">{text}</p>
    </Note>
  )
}

function Waiting({ amount, checked, text }: Pick<OwnTopUp, 'amount' | 'checked'> & { text: string }) {
  const cancel = useMutation({
    mutationFn: () => client.orders.cancelWish({}),
    onSuccess: ({ message }) => toast(t(message)),
    onError: toastError,
    onSettled: makesStale(['payments']),
  })
  return (
    <Note tone="wait">
      <p className="font-medium">
        {t('{amount} is being checked.', { amount: formatRupees(amount) })} {text}
      </p>
      <UsualWait checked={checked} />
      <TellMe />
      <Button
        variant="secondary"
        size="sm"
        className="justify-self-start"
        pending={cancel.isPending}
        onClick={() => {
          if (!cancel.isPending) cancel.mutate()
        }}
      >
        {t('Don’t buy it')}
      </Button>
    </Note>
  )
}

const TONES = {
  wait: { Icon: Clock3, box: 'border-line-2 bg-sunken', icon: 'text-warn' },
  ok: { Icon: CircleCheck, box: 'border-ok/30 bg-ok/8', icon: 'text-ok' },
  warn: { Icon: TriangleAlert, box: 'border-warn/30 bg-warn/8', icon: 'text-warn' },
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

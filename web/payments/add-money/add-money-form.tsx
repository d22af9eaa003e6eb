import { useEffect, useRef, useState } from 'react'
import { CircleCheck, PowerOff } from 'lucide-react'
import { PAYMENT_DIALOG_CLOSE_MS, PENDING_TOPUPS_MAX } from '../../../contract/limits.ts'
import { toRupees } from '../../../contract/money.ts'
import type { OwnTopUp } from '../../../contract/payments.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { getSession } from '../../platform/session/session.ts'
import { useMedia } from '../../platform/use-media.ts'
import { useUpi } from '../../settings/use-upi.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { AmountField } from './amount-field.tsx'
import { closeAddMoney, type AddMoneyRequest } from '../open-add-money.ts'
import { Proof } from './proof.tsx'
import { UpiPayment } from './upi-payment.tsx'
import { useTopUpForm, type TopUpFormProps } from './use-top-up-form.ts'
import { UsualWait } from '../usual-wait.tsx'
import { orderText, wishText } from '../wishes/wish-words.ts'

const FriendOffer = lazyPart(
  () => import('../../referrals/invite-parts.tsx').then((file) => file.loadInvites()).then((file) => file.FriendOffer),
  { waiting: <Skeleton className="mb-5 h-5" />, missing: 'nothing' },
)

/** Fills the payment dialog: pay by UPI, then send the UTR. */
export function AddMoneyForm({ request }: { request: AddMoneyRequest }) {
  const upi = useUpi()
  const [submitted, setSubmitted] = useState<OwnTopUp>()

  if (submitted) return <Submitted request={submitted} />
  if (upi.data && !upi.data.paymentEnabled) {
    return (
      <EmptyState
        icon={<PowerOff size={22} />}
        title={t('The admin is offline')}
        text={t(
          'Money cannot be added right now, so please don’t pay yet. Your details are saved here. This page ' +
            'updates when the admin is back online.',
        )}
        action={
          <Button variant="secondary" onClick={closeAddMoney}>
            {t('Got it')}
          </Button>
        }
        className="py-8"
      />
    )
  }
  return (
    <PaymentForm
      request={request}
      upiId={upi.data?.upiId}
      payeeName={upi.data?.payeeName}
      maxRupees={upi.data?.topupMax ?? Infinity}
      onSubmitted={setSubmitted}
    />
  )
}

interface PaymentFormProps extends TopUpFormProps {
  /** Undefined until known. */
  upiId: string | undefined
  payeeName: string | undefined
}

function PaymentForm({ upiId, payeeName, ...props }: PaymentFormProps) {
  const top = useTopUpForm(props)
  const { form, payTo, draft, plan, plans, waiting, validAmount, change, send, fields } = top
  const { user } = getSession()
  const isWide = useMedia('(min-width: 48rem)') ?? true
  const isMerchant = useUpi().data?.merchantVpa
  const proof = useRef<HTMLDivElement>(null)
  const showProof = () => proof.current?.scrollIntoView({ behavior: 'smooth', block: 'start' })
  const noteUse = useReturn(showProof)
  return (
    <form
      ref={form}
      noValidate
      aria-label={t('Add Money')}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {user?.referralCode.startsWith('I-') && <FriendOffer />}
      {waiting >= PENDING_TOPUPS_MAX && <PendingLimit count={waiting} />}
      {props.request.wish && (
        <WishLine wish={props.request.wish} credit={plan?.bonus ?? (validAmount && toRupees(validAmount))} />
      )}
      <div className="grid grid-cols-1 gap-x-6 gap-y-5 md:grid-cols-[280px_minmax(0,1fr)] md:grid-rows-[auto_auto_1fr]">
        <div className="md:col-start-2">
          {props.request.plan ? (
            <PlanAmount plan={props.request.plan} />
          ) : (
            <AmountField
              value={draft.amount}
              maxRupees={props.maxRupees}
              plan={plan}
              plans={plans}
              onChange={(text) => change({ amount: text })}
              error={fields['amount']}
            />
          )}
        </div>
        <div className="md:col-start-1 md:row-span-3 md:row-start-1">
          <UpiPayment
            upiId={upiId}
            payeeName={payeeName}
            amount={validAmount}
            username={user?.username ?? ''}
            isWide={isWide}
            onUse={noteUse}
            payToRef={payTo}
          />
        </div>
        {!isWide && validAmount !== undefined && draft.utr === '' && (
          <Button
            wide
            // Of two ways on, a merchant's link is the louder one
            variant={isMerchant ? 'secondary' : 'primary'}
            onClick={() => {
              form.current?.querySelector<HTMLElement>('[name=utr]')?.focus({ preventScroll: true })
              showProof()
            }}
          >
            {t('I have paid')}
          </Button>
        )}
        <div ref={proof} className="scroll-mt-4 md:col-start-2">
          <Proof {...top} />
        </div>
      </div>
    </form>
  )
}

/** Runs `onReturn` when the buyer comes back from the UPI app. @returns what notes that they are going there */
function useReturn(onReturn: () => void): () => void {
  const isAway = useRef(false)
  const back = useRef(onReturn)
  useEffect(() => {
    back.current = onReturn
  })
  useEffect(() => {
    const onChange = () => {
      if (document.hidden || !isAway.current) return
      isAway.current = false
      back.current()
    }
    document.addEventListener('visibilitychange', onChange)
    return () => document.removeEventListener('visibilitychange', onChange)
  }, [])
  return () => {
    isAway.current = true
  }
}

interface WishLineProps {
  wish: NonNullable<AddMoneyRequest['wish']>
  /** In rupees. Undefined while the amount isn’t valid. */
  credit: number | undefined
}

function WishLine({ wish, credit = wish.missing }: WishLineProps) {
  const order = orderText(wish)
  return credit < wish.missing ? (
    <p className="mb-5 text-sm text-warn">
      {t('For {order} add at least {amount}.', { order, amount: formatRupees(wish.missing) })}
    </p>
  ) : (
    <p className="mb-5 text-sm wrap-anywhere text-fg-2">{t('We’ll buy {order} when it’s approved.', { order })}</p>
  )
}

function PendingLimit({ count }: { count: number }) {
  return (
    <p className="mb-5 rounded-control border border-warn/30 bg-warn/10 px-3 py-2.5 text-sm text-warn">
      {t(
        'You have {count} pending requests, which is the limit. Please don’t pay again until one is approved or ' +
          'rejected.',
        { count },
      )}
    </p>
  )
}

function PlanAmount({ plan }: { plan: NonNullable<AddMoneyRequest['plan']> }) {
  return (
    <div className="rounded-card border border-line bg-sunken px-4 py-3">
      <p className="text-xs text-fg-3">{t('Amount')}</p>
      <p className="tabular text-3xl font-semibold tracking-[-0.03em]">{formatRupees(plan.amount)}</p>
      {plan.bonus !== plan.amount && (
        <p className="mt-0.5 text-sm text-brand">
          {t('You’ll get {amount} in your wallet', { amount: formatRupees(plan.bonus) })}
        </p>
      )}
    </div>
  )
}

/** Confirms the request, then closes. The dashboard and Wallet History then show the request. */
function Submitted({ request }: { request: OwnTopUp }) {
  const heading = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    const timer = setTimeout(closeAddMoney, PAYMENT_DIALOG_CLOSE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <output className="grid justify-items-center gap-1.5 px-4 py-14 text-center">
      <span className="mb-2 grid size-14 place-items-center rounded-full bg-ok/14 text-ok" aria-hidden>
        <CircleCheck size={28} />
      </span>
      <p ref={heading} tabIndex={-1} className="text-xl font-semibold">
        {t('Request submitted')}
      </p>
      <p className="max-w-sm text-sm text-balance text-fg-2">
        {t('{amount} will be added to your wallet after we verify the payment.', {
          amount: formatRupees(request.credited),
        })}{' '}
        {request.then && wishText(request.then)}
      </p>
      <UsualWait checked={request.checked} />
    </output>
  )
}

import { useEffect, useRef, useState } from 'react'
import { CircleCheck, PowerOff } from 'lucide-react'
import { PAYMENT_DIALOG_CLOSE_MS, PENDING_TOPUPS_MAX } from '../../contract/limits.ts'
import type { OwnTopUp } from '../../contract/payments.ts'
import { ApiError } from '../platform/api-error.ts'
import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { getSession } from '../platform/session.ts'
import { useUpi } from '../settings/use-upi.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { FormError } from '../ui/form-error.tsx'
import { textWith } from '../ui/text-with.tsx'
import { AmountField } from './amount-field.tsx'
import { closeAddMoney, type AddMoneyRequest } from './open-add-money.ts'
import { PhoneField } from './phone-field.tsx'
import { UpiPayment } from './upi-payment.tsx'
import { failureText, useTopUpForm, type TopUpFormProps } from './use-top-up-form.ts'
import { UtrField } from './utr-field.tsx'

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
      maxRupees={upi.data?.topupMax ?? Infinity}
      onSubmitted={setSubmitted}
    />
  )
}

interface PaymentFormProps extends TopUpFormProps {
  /** Undefined until known. */
  upiId: string | undefined
}

function PaymentForm({ upiId, ...props }: PaymentFormProps) {
  const { plan } = props.request
  const { form, draft, phone, waiting, validAmount, missing, change, send, withoutPlan, fields, failure, isSending } =
    useTopUpForm(props)
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
      {waiting >= PENDING_TOPUPS_MAX && <PendingLimit count={waiting} />}
      <div className="grid grid-cols-1 gap-x-6 gap-y-5 md:grid-cols-[280px_minmax(0,1fr)] md:grid-rows-[auto_auto_1fr]">
        <div className="md:col-start-2">
          {plan ? (
            <PlanAmount plan={plan} />
          ) : (
            <AmountField
              value={draft.amount}
              maxRupees={props.maxRupees}
              onChange={(text) => change({ amount: text })}
              error={fields['amount']}
            />
          )}
        </div>
        <div className="md:col-start-1 md:row-span-3 md:row-start-1">
          <UpiPayment upiId={upiId} amount={validAmount} username={getSession().user?.username ?? ''} />
        </div>
        <div className="grid content-start gap-4 md:col-start-2">
          <UtrField value={draft.utr} phone={phone} onChange={(utr) => change({ utr })} error={fields['utr']} />
          <PhoneField value={phone} onChange={(text) => change({ phone: text })} error={fields['payerName']} />
          <ConsentBox checked={draft.agreed} onChange={(agreed) => change({ agreed })} />
          <div>
            <FormError>{failure && <Failure error={failure} plan={plan} onWithoutPlan={withoutPlan} />}</FormError>
            <Button
              type="submit"
              wide
              disabled={missing.length > 0}
              pending={isSending}
              className={failure ? 'mt-4' : ''}
            >
              {t('Submit request')}
            </Button>
            <p className="mt-2 min-h-4 text-center text-xs text-fg-3">
              {missing.length > 0 && t('To continue, add {things}', { things: missing.join(', ') })}
            </p>
          </div>
        </div>
      </div>
    </form>
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

function ConsentBox({ checked, onChange }: { checked: boolean; onChange: (agreed: boolean) => void }) {
  return (
    <Checkbox
      name="terms"
      required
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
      label={textWith('I agree to the {terms}', {
        terms: (
          <a
            href="/terms-policy"
            target="_blank"
            rel="noopener"
            className="rounded-chip text-brand underline underline-offset-2"
          >
            {t('terms and policy')}
          </a>
        ),
      })}
    />
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

/** The offer is gone as shown. Money paid for it can still be added. */
const PLAN_GONE: ReadonlySet<ApiError['code']> = new Set(['PLAN_NOT_FOUND', 'PLAN_CHANGED'])

interface FailureProps {
  error: Error
  plan: AddMoneyRequest['plan']
  onWithoutPlan: () => void
}

function Failure({ error, plan, onWithoutPlan }: FailureProps) {
  if (plan && error instanceof ApiError && PLAN_GONE.has(error.code)) {
    return (
      <div className="grid justify-items-start gap-2">
        {error.message}
        <Button size="sm" variant="secondary" onClick={onWithoutPlan}>
          {t('Add {amount} without the offer', { amount: formatRupees(plan.amount) })}
        </Button>
      </div>
    )
  }
  return failureText(error)
}

/** Confirms the request and closes by itself. The dashboard and Wallet History then show the request. */
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
        })}
      </p>
    </output>
  )
}

import { useEffect, useRef, useState, type ClipboardEvent, type InputEvent } from 'react'
import { CircleCheck, PowerOff } from 'lucide-react'
import { normalisePhone } from '../../contract/fields.ts'
import { PAYMENT_DIALOG_CLOSE_MS, PENDING_TOPUPS_MAX, PHONE_DIGITS, TOPUP_MIN_PAISE } from '../../contract/limits.ts'
import { parseRupees, toRupees } from '../../contract/money.ts'
import type { OwnTopUp } from '../../contract/payments.ts'
import { plainDigits, utrFault } from '../../contract/utr.ts'
import { ApiError, errorMessage } from '../platform/api-error.ts'
import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { getSession } from '../platform/session.ts'
import { toast } from '../platform/toast.ts'
import { useOneAtATime } from '../platform/use-one-at-a-time.ts'
import { useUpi } from '../settings/use-upi.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Field } from '../ui/field.tsx'
import { focusFault } from '../ui/focus-fault.ts'
import { FormError } from '../ui/form-error.tsx'
import { Input } from '../ui/input.tsx'
import { textWith } from '../ui/text-with.tsx'
import { closeAddMoney, openAddMoney, type AddMoneyRequest } from './open-add-money.ts'
import { showSubmitted } from './submitted.ts'
import { dropDraft, keepDraft, readDraft, type TopUpDraft } from './top-up-draft.ts'
import { UpiPayment } from './upi-payment.tsx'
import { useOwnRequests } from './use-own-requests.ts'
import { useSubmitTopUp } from './use-submit-top-up.ts'
import { UtrField } from './utr-field.tsx'

const QUICK_RUPEES = [100, 200, 500, 1_000]

/** The payment dialog's inside: pay by UPI, then send the reference. */
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
          'Money cannot be added right now, so please don’t pay yet. Your details are saved here. This page updates when the admin is back online.',
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

interface PaymentFormProps {
  request: AddMoneyRequest
  /** Undefined while it is not known. */
  upiId: string | undefined
  /** The largest top-up that the store takes; plans have their own amounts. */
  maxRupees: number
  onSubmitted: (request: OwnTopUp) => void
}

function PaymentForm({ request, upiId, maxRupees, onSubmitted }: PaymentFormProps) {
  const { plan } = request
  const { id: userId = '', username = '' } = getSession().user ?? {}
  const [draft, setDraft] = useState(() => readDraft(userId, request))
  const requests = useOwnRequests().data
  const lastPhone = requests?.[0]?.payerName
  const waiting = requests?.filter(({ status }) => status === 'pending').length ?? 0
  const submit = useSubmitTopUp()
  const form = useRef<HTMLFormElement>(null)

  const change = (part: Partial<TopUpDraft>) => {
    const next = { ...draft, ...part }
    setDraft(next)
    keepDraft(userId, request, next)
    if (submit.isError) submit.reset()
  }
  const phone = draft.phone ?? lastPhone ?? ''
  const amount = parseRupees(draft.amount)
  // There is no code to pay an amount that would be refused afterwards.
  const validAmount = !plan && amountFault(draft.amount, maxRupees) ? undefined : amount
  const missing = [
    validAmount === undefined && t('the amount'),
    utrFault(draft.utr) !== undefined && t('the UTR'),
    phone.length !== PHONE_DIGITS && t('your phone number'),
    !draft.agreed && t('your consent to the terms'),
  ].filter((each) => each !== false)

  const send = useOneAtATime(async () => {
    if (validAmount === undefined || missing.length > 0) return
    const topUp = { amount: validAmount, utr: draft.utr, phone, plan }
    const payment = await submit.mutateAsync(topUp).catch((error: unknown) => {
      // What went wrong is shown from the mutation, unless the form has gone: payments were switched off, or the page left.
      if (!form.current) tellLater(error, request)
    })
    if (!payment) {
      focusFault(form.current)
      return
    }
    dropDraft()
    showSubmitted()
    onSubmitted(payment)
  })
  /** What has been paid can still be credited, and what was typed is still right. */
  const withoutPlan = () => {
    // The button goes with this form, and a focus on it would go too.
    form.current?.closest('dialog')?.focus({ preventScroll: true })
    const instead: AddMoneyRequest = { amountRupees: plan?.amount ?? 0 }
    keepDraft(userId, instead, draft)
    openAddMoney(instead)
  }
  const fields = submit.error instanceof ApiError ? submit.error.fields : {}
  // What is said at a field need not be said again.
  const failure = submit.error && !Object.values(fields).includes(submit.error.message) ? submit.error : null
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
      {waiting >= PENDING_TOPUPS_MAX && (
        <p className="mb-5 rounded-control border border-warn/30 bg-warn/10 px-3 py-2.5 text-sm text-warn">
          {t(
            'You have {count} pending requests, which is the limit. Please don’t pay again until one is approved or rejected.',
            { count: waiting },
          )}
        </p>
      )}
      <div className="grid grid-cols-1 gap-x-6 gap-y-5 md:grid-cols-[280px_minmax(0,1fr)] md:grid-rows-[auto_auto_1fr]">
        <div className="md:col-start-2">
          {plan ? (
            <PlanAmount plan={plan} />
          ) : (
            <AmountField
              value={draft.amount}
              maxRupees={maxRupees}
              onChange={(text) => change({ amount: text })}
              error={fields['amount']}
            />
          )}
        </div>
        <div className="md:col-start-1 md:row-span-3 md:row-start-1">
          <UpiPayment upiId={upiId} amount={validAmount} username={username} />
        </div>
        <div className="grid content-start gap-4 md:col-start-2">
          <UtrField value={draft.utr} phone={phone} onChange={(utr) => change({ utr })} error={fields['utr']} />
          <PhoneField value={phone} onChange={(text) => change({ phone: text })} error={fields['payerName']} />
          <Checkbox
            name="terms"
            required
            checked={draft.agreed}
            onChange={(event) => change({ agreed: event.target.checked })}
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
          <div>
            <FormError>{failure && <Failure error={failure} plan={plan} onWithoutPlan={withoutPlan} />}</FormError>
            <Button
              type="submit"
              wide
              disabled={missing.length > 0}
              pending={submit.isPending}
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

interface TextFieldProps {
  value: string
  onChange: (text: string) => void
  error: string | undefined
}

function AmountField({ value, maxRupees, onChange, error }: TextFieldProps & { maxRupees: number }) {
  const [hasLeft, setHasLeft] = useState(false)
  const fault = amountFault(value, maxRupees)
  // A number that is too large does not become right by going on typing.
  const isTelling = hasLeft || Number(value.replaceAll(',', '')) > maxRupees
  return (
    <div className="grid grid-cols-1 gap-2">
      <Field label={t('Amount')} error={error ?? (isTelling ? fault : undefined)}>
        <div className="relative">
          <span aria-hidden className="pointer-events-none absolute top-2.5 left-3.5 text-xl font-semibold text-fg-3">
            ₹
          </span>
          <Input
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="next"
            maxLength={12}
            required
            value={value}
            onChange={(event) => onChange(plainDigits(event.target.value).replaceAll(/[^\d.,]/g, ''))}
            onBlur={() => setHasLeft(true)}
            className="tabular h-12 pl-8! text-xl! font-semibold"
          />
        </div>
      </Field>
      <fieldset className="grid grid-cols-4 gap-2 large-text:grid-cols-2" aria-label={t('Quick amounts')}>
        {QUICK_RUPEES.map((rupees) => (
          <Button
            key={rupees}
            variant="secondary"
            size="sm"
            aria-pressed={value === String(rupees)}
            className="tabular min-w-0 px-1! aria-pressed:border-brand-line aria-pressed:bg-brand-bg aria-pressed:text-brand"
            onClick={() => onChange(String(rupees))}
          >
            {formatRupees(rupees)}
          </Button>
        ))}
      </fieldset>
    </div>
  )
}

function amountFault(written: string, maxRupees: number): string | undefined {
  if (written.trim() === '') return t('Enter an amount')
  const amount = parseRupees(written)
  if (amount === undefined) return t('Enter an amount, like 500 or 499.50')
  if (amount < TOPUP_MIN_PAISE) return t('Minimum amount is ₹1')
  return toRupees(amount) > maxRupees ? t('Maximum amount is {amount}', { amount: formatRupees(maxRupees) }) : undefined
}

/** An eleventh digit tells that the ones before began with a country code or a 0, which then goes. */
function typedPhone(text: string): string {
  const digits = plainDigits(text).replaceAll(/\D/g, '')
  if (digits.length <= PHONE_DIGITS) return digits
  return normalisePhone(digits) ?? digits.replace(/^91/, '').slice(0, PHONE_DIGITS)
}

function PhoneField({ value, onChange, error }: TextFieldProps) {
  const [hasLeft, setHasLeft] = useState(false)
  const isIncomplete = value !== '' && value.length !== PHONE_DIGITS
  const looksForeign = value.length === PHONE_DIGITS && !/^[6-9]/.test(value)
  // The field holds ten digits, and would cut off what comes with a country code.
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const digits = normalisePhone(event.clipboardData.getData('text'))
    if (digits === undefined) return
    event.preventDefault()
    onChange(digits)
  }
  const type = (event: InputEvent<HTMLInputElement>) => {
    const { selectionStart, selectionEnd } = event.currentTarget
    if (selectionStart !== selectionEnd || selectionEnd !== PHONE_DIGITS) return
    const next = typedPhone(value + event.data)
    if (next === value) return
    event.preventDefault()
    onChange(next)
  }
  return (
    <Field
      label={t('Contact phone')}
      hint={
        looksForeign ? (
          <span className="text-warn">{t('Indian mobile numbers start with 6, 7, 8 or 9. Please check.')}</span>
        ) : (
          t('10 digits, without +91')
        )
      }
      error={error ?? (hasLeft && isIncomplete ? t('Enter a 10-digit phone number') : undefined)}
    >
      <Input
        type="tel"
        name="phone"
        inputMode="numeric"
        autoComplete="tel-national"
        enterKeyHint="done"
        maxLength={PHONE_DIGITS}
        required
        value={value}
        onChange={(event) => onChange(typedPhone(event.target.value))}
        onBeforeInput={type}
        onPaste={paste}
        onBlur={() => setHasLeft(true)}
        className="tabular"
      />
    </Field>
  )
}

/** As it was shown, it is not to be had any more; what was paid for it can still be added. */
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

function failureText(error: unknown): string {
  return error instanceof ApiError && error.isPassing
    ? t('We couldn’t confirm your request. Submit it again. The same UTR is never counted twice.')
    : errorMessage(error)
}

function tellLater(error: unknown, request: AddMoneyRequest): void {
  toast(failureText(error), {
    tone: 'bad',
    action: { label: t('Go back'), run: () => openAddMoney(request) },
  })
}

/** Closes by itself; the request can then be followed on the dashboard and the wallet page. */
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

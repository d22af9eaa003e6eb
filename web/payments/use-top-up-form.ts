import { useRef, useState } from 'react'
import { PHONE_DIGITS } from '../../contract/limits.ts'
import { parseRupees } from '../../contract/money.ts'
import type { OwnTopUp } from '../../contract/payments.ts'
import { utrFault } from '../../contract/utr.ts'
import { ApiError, errorMessage } from '../platform/api-error.ts'
import { t } from '../platform/i18n.ts'
import { getSession } from '../platform/session.ts'
import { toast } from '../platform/toast.ts'
import { useOneAtATime } from '../platform/use-one-at-a-time.ts'
import { focusFault } from '../ui/focus-fault.ts'
import { amountFault } from './amount-field.tsx'
import { openAddMoney, type AddMoneyRequest } from './open-add-money.ts'
import { showSubmitted } from './submitted.ts'
import { dropDraft, keepDraft, readDraft, type TopUpDraft } from './top-up-draft.ts'
import { useOwnRequests } from './use-own-requests.ts'
import { useSubmitTopUp } from './use-submit-top-up.ts'

export interface TopUpFormProps {
  request: AddMoneyRequest
  /** Largest top-up, in rupees. Plans have their own amounts. */
  maxRupees: number
  onSubmitted: (request: OwnTopUp) => void
}

/** Holds the payment form's state and handles its fields and buttons. */
export function useTopUpForm({ request, maxRupees, onSubmitted }: TopUpFormProps) {
  const { plan } = request
  const { id: userId = '' } = getSession().user ?? {}
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
  // No QR code is shown for an amount that would be refused.
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
      // The mutation shows the error, unless the form has closed: payments were switched off, or the buyer left.
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
  /** Sends the payment without the plan, because it can still be credited and the typed details are right. */
  const withoutPlan = () => {
    // The focused button disappears with this form.
    form.current?.closest('dialog')?.focus({ preventScroll: true })
    const instead: AddMoneyRequest = { amountRupees: plan?.amount ?? 0 }
    keepDraft(userId, instead, draft)
    openAddMoney(instead)
  }
  const fields = submit.error instanceof ApiError ? submit.error.fields : {}
  // A message shown at its field is not repeated.
  const failure = submit.error && !Object.values(fields).includes(submit.error.message) ? submit.error : null
  const isSending = submit.isPending
  return { form, draft, phone, waiting, validAmount, missing, change, send, withoutPlan, fields, failure, isSending }
}

export function failureText(error: unknown): string {
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

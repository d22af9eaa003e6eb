import { useRef, useState } from 'react'
import { PHONE_DIGITS } from '../../../contract/limits.ts'
import { parseRupees, toRupees } from '../../../contract/money.ts'
import type { OwnTopUp } from '../../../contract/payments.ts'
import { normaliseUtr, utrFault } from '../../../contract/utr.ts'
import { ApiError, errorMessage } from '../../platform/calls/api-error.ts'
import { t } from '../../platform/i18n.ts'
import { getSession } from '../../platform/session/session.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { useOneAtATime } from '../../platform/use-one-at-a-time.ts'
import { focusFault } from '../../ui/fields/focus-fault.ts'
import { amountFault } from './amount-field.tsx'
import { offerAt } from '../offers.ts'
import { openAddMoney, type AddMoneyRequest } from '../open-add-money.ts'
import { showSubmitted } from '../submitted.ts'
import { dropDraft, keepAgreed, keepDraft, readDraft, type TopUpDraft } from './top-up-draft.ts'
import { useActivePlans } from '../use-active-plans.ts'
import { useOwnRequests } from '../use-own-requests.ts'
import { useSubmitTopUp } from './use-submit-top-up.ts'

export interface TopUpFormProps {
  request: AddMoneyRequest
  /** Largest top-up, in rupees. Plans have their own amounts. */
  maxRupees: number
  onSubmitted: (request: OwnTopUp) => void
}

export type TopUpForm = ReturnType<typeof useTopUpForm>

/** Holds the payment form's state and handles its fields and buttons. */
export function useTopUpForm({ request, maxRupees, onSubmitted }: TopUpFormProps) {
  const { id: userId = '' } = getSession().user ?? {}
  const [draft, setDraft] = useState(() => readDraft(userId, request))
  const { amount, plans, plan } = usePlan(request, draft)
  const requests = useOwnRequests().data
  const lastPhone = requests?.[0]?.payerName
  const waiting = requests?.filter(({ status }) => status === 'pending').length ?? 0
  const submit = useSubmitTopUp()
  const form = useRef<HTMLFormElement>(null)
  const payTo = useRef<string>(undefined)

  const change = (part: Partial<TopUpDraft>) => {
    const next = { ...draft, ...('amount' in part && { withoutOffer: false }), ...part }
    setDraft(next)
    keepDraft(userId, request, next)
    if (submit.isError) submit.reset()
  }
  const phone = draft.phone ?? lastPhone ?? ''
  // No QR code is shown for an amount that would be refused.
  const validAmount = !plan && amountFault(draft.amount, maxRupees) ? undefined : amount
  const missing = [
    validAmount === undefined && t('the amount'),
    // Faults show at their fields.
    draft.utr.trim() === '' && t('the UTR'),
    phone.length !== PHONE_DIGITS && t('your phone number'),
    !draft.agreed && t('agreement to the terms'),
  ].filter((each) => each !== false)

  const isComplete = missing.length === 0 && utrFault(draft.utr) === undefined

  const send = useOneAtATime(async () => {
    if (validAmount === undefined || !isComplete) return
    const topUp = { amount: validAmount, utr: draft.utr, phone, plan, wish: request.wish, payTo: payTo.current }
    const payment = await submit.mutateAsync(topUp).catch((error: unknown) => {
      // The mutation shows the error, unless the form has closed: payments were switched off, or the buyer left.
      if (!form.current) tellLater(error, request)
    })
    if (!payment) {
      focusFault(form.current)
      return
    }
    dropDraft()
    keepAgreed(userId)
    showSubmitted()
    onSubmitted(payment)
  })
  /** Sends the payment without the plan, because it can still be credited and the typed details are right. */
  const withoutPlan = () => {
    if (!request.plan) {
      change({ withoutOffer: true })
      return
    }
    const instead: AddMoneyRequest = { amountRupees: request.plan.amount, ...(request.wish && { wish: request.wish }) }
    keepDraft(userId, instead, { ...draft, withoutOffer: true })
    openAddMoney(instead)
  }
  const faults = faultsOf(submit.error)
  const isOwn = requests?.some(({ utr }) => normaliseUtr(utr) === normaliseUtr(draft.utr)) ?? false
  return {
    form,
    payTo,
    draft,
    plan,
    plans,
    phone,
    waiting,
    validAmount,
    missing,
    isComplete,
    change,
    send,
    withoutPlan,
    ...faults,
    /** Somebody else has sent this UTR, and the admins see both. */
    isClaimed: faults.isUsed && !isOwn,
    isSending: submit.isPending,
  }
}

/** Returns the amount, the plans to choose from, and the plan: the chosen one, or the one that has this amount. */
function usePlan(request: AddMoneyRequest, draft: TopUpDraft) {
  const amount = parseRupees(draft.amount)
  const activePlans = useActivePlans()
  // The store may have plans that could not be asked for. Any amount can be added all the same.
  const plans = activePlans.data ?? (activePlans.isError ? [] : undefined)
  const offer = amount === undefined || draft.withoutOffer ? undefined : offerAt(plans ?? [], toRupees(amount))
  return { amount, plans, plan: request.plan ?? offer }
}

/** Returns the messages for the fields, and the one for the whole form. */
function faultsOf(error: Error | null) {
  const refusal = error instanceof ApiError ? error : undefined
  const fields = refusal?.fields ?? {}
  const failure = error && !Object.values(fields).includes(error.message) ? error : null
  return { fields, failure, isUsed: refusal?.code === 'UTR_ALREADY_USED' }
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

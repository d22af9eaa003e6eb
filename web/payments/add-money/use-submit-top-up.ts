import { useMutation } from '@tanstack/react-query'
import { toRupees, type Paise } from '../../../contract/money.ts'
import type { OwnTopUp } from '../../../contract/payments.ts'
import { TERMS_VERSION } from '../../../contract/limits.ts'
import { normaliseUtr } from '../../../contract/utr.ts'
import { ApiError } from '../../platform/calls/api-error.ts'
import { client } from '../../platform/calls/client.ts'
import { queryClient } from '../../platform/calls/queries.ts'
import { ADD_MONEY_CALL, type AddMoneyRequest } from '../open-add-money.ts'

interface TopUp {
  amount: Paise
  utr: string
  phone: string
  /** The plan as the buyer saw it. */
  plan: AddMoneyRequest['plan']
  wish: AddMoneyRequest['wish']
  /** The UPI ID that the dialog showed. */
  payTo: string | undefined
}

/** Sends a top-up request, then refetches requests or plans in the background. */
export function useSubmitTopUp() {
  return useMutation({
    mutationKey: ADD_MONEY_CALL,
    mutationFn: submitTopUp,
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['payments'] }),
  })
}

/**
 * A request whose answer got lost has arrived, so the second try hears that the UTR is used. If the buyer's own pending
 * request is the same payment, it counts as sent.
 */
async function submitTopUp(topUp: TopUp): Promise<OwnTopUp> {
  const { amount, utr, phone, plan, wish, payTo } = topUp
  try {
    const { payment } = await client.payments.addMoney({
      amount: toRupees(amount),
      utr: normaliseUtr(utr),
      payerName: phone,
      termsVersion: TERMS_VERSION,
      ...(payTo && { payTo }),
      ...(plan && {
        meta: { offer: true, planId: plan._id },
        expectedAmount: plan.amount,
        expectedCredit: plan.bonus,
      }),
      ...(wish && { then: wish }),
    })
    return payment
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'UTR_ALREADY_USED') throw error
    const own = await client.payments.mine({}).catch(() => [])
    const same = own.find((each) => each.status === 'pending' && isSame(each, topUp))
    if (!same) throw error
    return same
  }
}

function isSame(request: OwnTopUp, { amount, utr, plan }: TopUp): boolean {
  return (
    normaliseUtr(request.utr) === normaliseUtr(utr) &&
    request.amount === toRupees(amount) &&
    request.meta?.planId === plan?._id
  )
}

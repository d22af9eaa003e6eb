import { useMutation } from '@tanstack/react-query'
import { toRupees, type Paise } from '../../contract/money.ts'
import type { OwnTopUp } from '../../contract/payments.ts'
import { TERMS_VERSION } from '../../contract/limits.ts'
import { normaliseUtr } from '../../contract/utr.ts'
import { ApiError } from '../platform/api-error.ts'
import { client } from '../platform/client.ts'
import { queryClient } from '../platform/queries.ts'
import { ADD_MONEY_CALL, type AddMoneyRequest } from './open-add-money.ts'

interface TopUp {
  amount: Paise
  utr: string
  phone: string
  /** As it was shown. */
  plan: AddMoneyRequest['plan']
}

/** Sends a top-up request. The list of requests is out of date then, or the plans are, and nobody waits for them. */
export function useSubmitTopUp() {
  return useMutation({
    mutationKey: ADD_MONEY_CALL,
    mutationFn: submitTopUp,
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['payments'] }),
  })
}

/**
 * A request whose answer got lost has arrived all the same, and the second try is told that the UTR is used. When it is
 * this buyer's own request that waits under it, that is what was wanted.
 */
async function submitTopUp(topUp: TopUp): Promise<OwnTopUp> {
  const { amount, utr, phone, plan } = topUp
  try {
    const { payment } = await client.payments.addMoney({
      amount: toRupees(amount),
      utr: normaliseUtr(utr),
      payerName: phone,
      termsVersion: TERMS_VERSION,
      ...(plan && {
        meta: { offer: true, planId: plan._id },
        expectedAmount: plan.amount,
        expectedCredit: plan.bonus,
      }),
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

import type { OwnTopUp, payments } from '../../contract/payments.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Transaction } from '../platform/database/database.ts'
import type { Call, Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { approveTopUp, rejectTopUp } from './decide-top-up.ts'
import { exportPayments } from './export-payments.ts'
import { WITHOUT_BANK, type PaymentHooks } from './hooks.ts'
import { listPayments } from './list-payments.ts'
import { createPlan, listActivePlans, listPlans, removePlan, updatePlan } from './plans.ts'
import { removePayment } from './remove-payment.ts'
import { requestTopUp } from './request-top-up.ts'
import { listOwnTopUps } from './own-top-ups.ts'

async function withChecks<T extends OwnTopUp>(
  requests: readonly T[],
  { checkedOf }: PaymentHooks,
  { user, now }: Pick<Call<'user'>, 'user' | 'now'>,
): Promise<T[]> {
  if (!requests.some(({ status }) => status === 'pending')) return [...requests]
  const checks = await checkedOf(user.id, now)
  return requests.map((request) => {
    const checked = checks.get(request._id)
    return checked ? { ...request, checked } : request
  })
}

export const paymentRoutes = (services: Services, hooks = WITHOUT_BANK): Handlers<typeof payments> => ({
  addMoney: async (request, call) => {
    const filed = await requestTopUp(services, request, call).catch(async (error: unknown) => {
      if (error instanceof Refusal && error.code === 'UTR_ALREADY_USED')
        await hooks.afterRepeat(request.utr, call.user.id)
      throw error
    })
    const [payment = filed.payment] = await withChecks([filed.payment], hooks, call)
    return { ...filed, payment }
  },
  mine: async (_, call) => withChecks(await listOwnTopUps(services.db, call.user.id), hooks, call),
  activePlans: () => listActivePlans(services.db),
  list: (search) => listPayments(services.db, search, hooks),
  exportPayments: (filter, call) => exportPayments(services.db, filter, call),
  approve: async ({ id, onlyConfirmed = false, amount, reason = '', expected }, call) => {
    // Nobody looked at this request alone, and another may have claimed the transfer since the list was drawn
    const check = async (tx: Transaction) => {
      if ((await hooks.bankOf([id], tx)).get(id)?.verdict !== 'confirmed') throw new Refusal('NOT_CONFIRMED')
    }
    return approveTopUp(services, id, call, {
      check: onlyConfirmed ? check : undefined,
      other: amount && expected && { amount, reason, expected },
    })
  },
  reject: (input, call) => rejectTopUp(services, input, call),
  remove: ({ id }, call) => removePayment(services, id, call),
  plans: () => listPlans(services.db),
  createPlan: (plan, call) => createPlan(services.db, plan, call),
  updatePlan: (change, call) => updatePlan(services.db, change, call),
  removePlan: ({ id }, call) => removePlan(services.db, id, call),
})

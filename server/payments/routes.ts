import type { payments } from '../../contract/payments.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Transaction } from '../platform/database/database.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { approveTopUp, rejectTopUp } from './decide-top-up.ts'
import { WITHOUT_BANK } from './hooks.ts'
import { listPayments } from './list-payments.ts'
import { createPlan, listActivePlans, listPlans, removePlan, updatePlan } from './plans.ts'
import { removePayment } from './remove-payment.ts'
import { requestTopUp } from './request-top-up.ts'
import { listOwnTopUps } from './own-top-ups.ts'

export const paymentRoutes = (services: Services, hooks = WITHOUT_BANK): Handlers<typeof payments> => ({
  addMoney: async (request, call) => {
    return requestTopUp(services, request, call).catch(async (error: unknown) => {
      if (error instanceof Refusal && error.code === 'UTR_ALREADY_USED')
        await hooks.afterRepeat(request.utr, call.user.id)
      throw error
    })
  },
  mine: (_, { user }) => listOwnTopUps(services.db, user.id),
  activePlans: () => listActivePlans(services.db),
  list: (search) => listPayments(services.db, search, hooks),
  approve: async ({ id, onlyConfirmed = false }, call) => {
    // Nobody looked at this one alone, and since the list was drawn another may have claimed the transfer
    const check = async (tx: Transaction) => {
      if ((await hooks.bankOf([id], tx)).get(id)?.verdict !== 'confirmed') throw new Refusal('NOT_CONFIRMED')
    }
    return approveTopUp(services, id, call, onlyConfirmed ? check : undefined)
  },
  reject: (input, call) => rejectTopUp(services, input, call),
  remove: ({ id }, call) => removePayment(services, id, call),
  plans: () => listPlans(services.db),
  createPlan: (plan, call) => createPlan(services.db, plan, call),
  updatePlan: (change, call) => updatePlan(services.db, change, call),
  removePlan: ({ id }, call) => removePlan(services.db, id, call),
})

import type { payments } from '../../contract/payments.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { approveTopUp, rejectTopUp } from './decide-top-up.ts'
import { listPayments } from './list-payments.ts'
import { createPlan, listActivePlans, listPlans, removePlan, updatePlan } from './plans.ts'
import { removePayment } from './remove-payment.ts'
import { requestTopUp } from './request-top-up.ts'
import { listOwnTopUps } from './top-ups.ts'

export const paymentRoutes = (services: Services): Handlers<typeof payments> => ({
  addMoney: (request, call) => requestTopUp(services, request, call),
  mine: (_, { user }) => listOwnTopUps(services.db, user.id),
  activePlans: () => listActivePlans(services.db),
  list: (search) => listPayments(services.db, search),
  approve: ({ id }, call) => approveTopUp(services, id, call),
  reject: (input, call) => rejectTopUp(services, input, call),
  remove: ({ id }, call) => removePayment(services, id, call),
  plans: () => listPlans(services.db),
  createPlan: (plan, call) => createPlan(services.db, plan, call),
  updatePlan: (change, call) => updatePlan(services.db, change, call),
  removePlan: ({ id }, call) => removePlan(services.db, id, call),
})

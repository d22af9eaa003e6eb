import { api } from '../../../contract/api.ts'
import type { Screen } from './screen.ts'

export const screens: Screen[] = [
  {
    path: '/admin/payment-manager',
    call: api.payments.list,
    controls: [
      ['button', /^Approve ₹/, api.payments.approve],
      ['button', /^Reject ₹/, api.payments.reject],
      ['button', /^Credit a different amount/, api.payments.approve],
      ['button', /^Delete ₹/, api.payments.remove],
    ],
  },
  {
    path: '/admin/payment-manager?status=all',
    call: api.payments.list,
    controls: [['button', 'Export CSV', api.payments.exportPayments]],
  },
  {
    path: '/admin/topup-plan-manager',
    call: api.payments.plans,
    controls: [
      ['button', 'New plan', api.payments.createPlan],
      ['switch', /^₹.+ plan /, api.payments.updatePlan],
      ['button', /^Edit ₹.* plan$/, api.payments.updatePlan],
      ['button', /^Delete ₹.* plan$/, api.payments.removePlan],
    ],
  },
]

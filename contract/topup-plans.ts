/** Plans: a fixed amount to pay, and what it adds to the wallet. */
import * as z from 'zod/mini'
import { AMOUNT_MAX, Rupees, rupeesBetween } from './amounts.ts'
import type { Declarations } from './endpoint.ts'
import { aboutOne, Flag, Id } from './fields.ts'
import { paise } from './money.ts'

export const Plan = z.object({
  _id: Id,
  amount: Rupees,
  bonus: Rupees.check(z.describe('The total credited, not the extra')),
  isActive: z.boolean(),
})
export type Plan = z.output<typeof Plan>

const PlanFields = {
  amount: rupeesBetween(paise(100), AMOUNT_MAX, 'Minimum amount is ₹1'),
  bonus: rupeesBetween(paise(100), AMOUNT_MAX, 'Minimum wallet credit is ₹1'),
}

export const topUpPlans = {
  activePlans: {
    route: 'GET /payments/topup-plans/active',
    access: 'user',
    summary: 'The top-up plans on offer, smallest first.',
    output: z.array(Plan),
  },
  plans: {
    route: 'GET /payments/topup-plans',
    access: 'admin',
    summary: 'All top-up plans, smallest first.',
    output: z.array(Plan),
  },
  createPlan: {
    route: 'POST /payments/topup-plans',
    access: 'admin',
    forOldClients: true,
    roles: ['payments'],
    summary: 'Adds a top-up plan. Credit above the amount needs a step-up.',
    status: 201,
    input: z.object({ ...PlanFields, isActive: z._default(z.optional(Flag), true) }),
    output: Plan,
    refusals: ['STEP_UP_REQUIRED'],
  },
  updatePlan: {
    route: 'PUT /payments/topup-plans/{id}',
    access: 'admin',
    forOldClients: true,
    roles: ['payments'],
    summary: 'Changes a top-up plan; absent fields stay. More credit above the amount needs a step-up.',
    input: z.object({
      id: Id,
      amount: z.optional(PlanFields.amount),
      bonus: z.optional(PlanFields.bonus),
      isActive: z.optional(Flag),
    }),
    output: Plan,
    refusals: ['NOT_FOUND', 'STEP_UP_REQUIRED'],
  },
  removePlan: {
    route: 'DELETE /payments/topup-plans/{id}',
    access: 'admin',
    roles: ['payments'],
    summary: 'Deletes a top-up plan. Requests already made with it are not affected.',
    ...aboutOne,
  },
} as const satisfies Declarations

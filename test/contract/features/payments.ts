import { CASHIERS, DESK, nameFor, PAYMENTS, type Places } from '../../leaks/places.ts'
import { unproven } from '../../worlds/admins.ts'
import { nextUtr } from '../../worlds/shop.ts'
import { decided, missing, pending, plan } from '../things.ts'
import type { Walk } from '../walk.ts'

const DECISION: Places = { ...nameFor(CASHIERS), phone: CASHIERS, address: CASHIERS }

export const payments: Walk<'payments'> = {
  succeed: {
    addMoney: async (shop) =>
      (await shop.buyer()).post('/payments/add-money', {
        amount: '250.50',
        utr: nextUtr(),
        payerName: '+91 98765 43210',
        meta: { offer: true, planId: await plan(shop) },
      }),
    mine: async (shop) => (await shop.buyer({ balance: 50 })).get('/payments/mine'),
    activePlans: async (shop) => {
      await plan(shop)
      return (await shop.buyer()).get('/payments/topup-plans/active')
    },
    exportPayments: (shop) => shop.owner.get('/payments/export?from=2026-01-01&to=2026-12-31&source=request'),
    list: async (shop) => {
      await decided(shop)
      return shop.owner.get('/payments?limit=10&skip=0&search=')
    },
    approve: async (shop) => shop.owner.put(`/payments/${await pending(shop)}/approve`),
    reject: async (shop) =>
      shop.owner.put(`/payments/${await pending(shop)}/reject`, { reason: 'Not on the statement' }),
    remove: async (shop) => shop.owner.delete(`/payments/${await decided(shop)}`),
    plans: (shop) => shop.owner.get('/payments/topup-plans'),
    createPlan: (shop) => shop.owner.post('/payments/topup-plans', { amount: '500', bonus: '550', isActive: true }),
    updatePlan: async (shop) => shop.owner.put(`/payments/topup-plans/${await plan(shop)}`, { isActive: false }),
    removePlan: async (shop) => shop.owner.delete(`/payments/topup-plans/${await plan(shop)}`),
  },
  refuse: {
    addMoney: {
      PAYMENTS_OFF: async (shop) => {
        const buyer = await shop.buyer()
        await shop.owner.api.settings.saveUpi({ paymentEnabled: false })
        const answer = await buyer.post('/payments/add-money', { amount: 1, utr: nextUtr(), payerName: '9876543210' })
        await shop.owner.api.settings.saveUpi({ paymentEnabled: true })
        return answer
      },
      UTR_ALREADY_USED: async (shop) => {
        const utr = nextUtr()
        await (await shop.buyer()).api.payments.addMoney({ amount: 1, utr, payerName: '9876543210' })
        return (await shop.buyer()).post('/payments/add-money', {
          amount: 1,
          utr: ` 0000${utr}`,
          payerName: '9876543210',
        })
      },
      PLAN_NOT_FOUND: async (shop) =>
        (await shop.buyer()).post('/payments/add-money', {
          amount: 1,
          utr: nextUtr(),
          payerName: '9876543210',
          meta: { offer: true, planId: missing() },
        }),
      PLAN_CHANGED: async (shop) =>
        (await shop.buyer()).post('/payments/add-money', {
          amount: 1,
          utr: nextUtr(),
          payerName: '9876543210',
          meta: { offer: true, planId: await plan(shop) },
          expectedAmount: 1.01,
        }),
      TOO_MANY_PENDING: async (shop) => {
        const buyer = await shop.buyer()
        for (let n = 0; n < 5; n++)
          await buyer.api.payments.addMoney({ amount: 1, utr: nextUtr(), payerName: '9876543210' })
        return buyer.post('/payments/add-money', { amount: 1, utr: nextUtr(), payerName: '9876543210' })
      },
    },
    approve: {
      NOT_FOUND: (shop) => shop.owner.put(`/payments/${missing()}/approve`),
      NOT_PENDING: async (shop) => shop.owner.put(`/payments/${await decided(shop)}/approve`),
      STEP_UP_REQUIRED: async (shop) => {
        const { payment } = await (
          await shop.buyer()
        ).api.payments.addMoney({ amount: 10_001, utr: nextUtr(), payerName: '9876543210' })
        return (await unproven(shop)).put(`/payments/${payment._id}/approve`)
      },
      AMOUNT_CHANGED: async (shop) =>
        shop.owner.put(`/payments/${await pending(shop)}/approve`, { amount: 90, reason: 'As paid', expected: 95 }),
      NOT_CONFIRMED: async (shop) =>
        shop.owner.put(`/payments/${await pending(shop)}/approve`, { onlyConfirmed: true }),
    },
    reject: {
      NOT_FOUND: (shop) => shop.owner.put(`/payments/${missing()}/reject`),
      NOT_PENDING: async (shop) => shop.owner.put(`/payments/${await decided(shop)}/reject`),
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop, 'payments')).put(`/payments/${missing()}/reject`, { reason: 'Pay thief@ybl instead' }),
    },
    remove: {
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop, 'payments')).delete(`/payments/${missing()}`),
      NOT_FOUND: (shop) => shop.owner.delete(`/payments/${missing()}`),
    },
    createPlan: {
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop)).post('/payments/topup-plans', { amount: 500, bonus: 500.01 }),
    },
    updatePlan: {
      NOT_FOUND: (shop) => shop.owner.put(`/payments/topup-plans/${missing()}`, { isActive: true }),
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop)).put(`/payments/topup-plans/${await plan(shop)}`, { bonus: 9_999 }),
    },
    removePlan: { NOT_FOUND: (shop) => shop.owner.delete(`/payments/topup-plans/${missing()}`) },
  },
  shows: {
    list: PAYMENTS,
    exportPayments: { ...nameFor(DESK), phone: DESK, UTR: DESK },
    approve: DECISION,
    reject: DECISION,
  },
}

import { Refusal } from '../../contract/errors.ts'
import type { orders } from '../../contract/orders.ts'
import type { salesBook } from '../../contract/sales-book.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { exportPurchases } from './export-purchases.ts'
import { listPurchases } from './list-purchases.ts'
import { listOwnOrders, readOwnOrder } from './own-orders.ts'
import { openOrderBatcher, placeOrder } from './place-order.ts'
import { cancelWish, readWish } from './wishes.ts'

export const orderRoutes = (services: Services): Handlers<typeof orders & typeof salesBook> => {
  const batcher = openOrderBatcher(services)
  const purchases = services.metrics.counter('chaabi_purchases_total', 'Purchases that this node has acknowledged')
  services.metrics.gauge('chaabi_order_desk_waiting', 'Purchases that wait for a transaction', () => batcher.waiting)
  return {
    async place(request, { user, token, idempotencyKey, now }) {
      // A program repeats its calls, and would buy twice
      if (token && idempotencyKey === undefined) throw new Refusal('IDEMPOTENCY_KEY_REQUIRED')
      const purchase = { buyerId: user.id, tokenId: token?.id, request, idempotencyKey, now }
      const placed = await placeOrder(batcher, services, purchase)
      purchases.add()
      return placed
    },
    mine: async (from, { user }) => ({ orders: await listOwnOrders(services.db, user.id, from) }),
    one: ({ id }, { user, now }) => readOwnOrder(services, { id, userId: user.id, now }),
    wish: async (_, { user, now }) => ({ wish: await readWish(services.db, user.id, now) }),
    async cancelWish(_, { user, now }) {
      await cancelWish(services, { userId: user.id, now })
      return { message: 'Cancelled. Your payment is still being checked.' }
    },
    purchases: (search) => listPurchases(services.db, search),
    exportPurchases: (filter, call) => exportPurchases(services.db, filter, call),
  }
}

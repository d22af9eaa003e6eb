import type { orders } from '../../contract/orders.ts'
import type { Handlers } from '../platform/http.ts'
import type { Services } from '../platform/services.ts'
import { exportPurchases } from './export-purchases.ts'
import { listPurchases } from './list-purchases.ts'
import { openOrderDesk } from './order-desk.ts'
import { placeOrder } from './place-order.ts'

export const orderRoutes = (services: Services): Handlers<typeof orders> => {
  const desk = openOrderDesk(services)
  return {
    place: (request, { user, idempotencyKey, now }) =>
      placeOrder(desk, services, { buyerId: user.id, request, idempotencyKey, now }),
    purchases: (search) => listPurchases(services.db, search),
    exportPurchases: (filter, call) => exportPurchases(services.db, filter, call),
  }
}

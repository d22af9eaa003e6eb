import { api } from '../../../contract/api.ts'
import type { Screen } from './screen.ts'

export const screens: Screen[] = [
  {
    path: '/admin/purchases',
    call: api.orders.purchases,
    controls: [['button', 'Export CSV', api.orders.exportPurchases]],
  },
]

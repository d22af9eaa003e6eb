import { api } from '../../../contract/api.ts'
import type { Screen } from './screen.ts'

export const screens: Screen[] = [
  {
    path: '/admin/suppliers',
    call: api.supply.links,
    controls: [
      ['button', 'Connect a supplier', api.supply.addLink],
      ['button', /^Edit /, api.supply.changeLink],
      ['switch', /^Buy from /, api.supply.changeLink],
    ],
  },
  {
    path: '/admin/suppliers?view=sources',
    call: api.supply.sources,
    controls: [
      ['button', 'Add a product', api.supply.saveSource],
      ['button', /^Order .* now$/, api.supply.order],
      ['button', /^Edit /, api.supply.saveSource],
    ],
  },
  { path: '/admin/suppliers?view=orders', call: api.supply.orders, controls: [] },
]

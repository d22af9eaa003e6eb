import { api } from '../../../contract/api.ts'
import type { Screen } from './screen.ts'

export const screens: Screen[] = [
  {
    path: '/admin/product-manager',
    controls: [
      ['button', 'New product', api.catalogue.create],
      ['button', /^Edit /, api.catalogue.update],
      ['switch', /^Hot Sale for /, api.catalogue.update],
      ['button', /^Duplicate /, api.catalogue.duplicate],
      ['button', 'Change prices', api.catalogue.reprice],
      ['button', /^Delete /, api.catalogue.remove],
    ],
  },
]

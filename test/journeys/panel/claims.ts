import { api } from '../../../contract/api.ts'
import type { Screen } from './screen.ts'

export const screens: Screen[] = [
  { path: '/admin/claims', call: api.claims.list, controls: [] },
  {
    path: '/admin/key-manager?view=batches&search=Key+Bazaar',
    call: api.keys.batches,
    controls: [['button', /^Answer claims: batch of /, api.claims.answerAll]],
  },
]

import { api } from '../../../contract/api.ts'
import type { Screen } from './screen.ts'

export const screens: Screen[] = [
  { path: '/admin/claims', call: api.claims.list, controls: [] },
  {
    path: '/admin/key-manager?view=batches&search=Key+Bazaar',
    call: api.keys.batches,
    controls: [
      ['button', /^Answer claims: batch of /, api.claims.answerAll],
      ['button', /^Warranty list: batch of /, api.claims.warranty],
      ['button', /^Recall: batch of /, api.claims.recall],
    ],
  },
]

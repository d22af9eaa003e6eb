import { api } from '../../../contract/api.ts'
import type { Screen } from './screen.ts'

export const screens: Screen[] = [
  {
    path: '/admin/codes',
    call: api.wallet.codes,
    controls: [
      ['button', 'Make codes', api.wallet.makeCodes],
      ['button', /^End /, api.wallet.endCodes],
    ],
  },
]

import { api } from '../../../contract/api.ts'
import type { Screen } from './screen.ts'

export const screens: Screen[] = [
  { path: '/admin/bank', call: api.bank.credits, controls: [['button', 'Upload statement', api.bank.import]] },
  {
    path: '/admin/settings/bank',
    call: api.bank.accounts,
    controls: [
      ['button', 'Add account', api.bank.createAccount],
      ['button', 'Connect a phone', api.bank.invite],
      ['button', 'Save rules', api.bank.saveRules],
    ],
  },
]

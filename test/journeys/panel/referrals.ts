import { api } from '../../../contract/api.ts'
import type { Screen } from './screen.ts'

export const screens: Screen[] = [
  {
    path: '/admin/referral-manager',
    call: api.referrals.list,
    controls: [
      ['button', 'New code', api.referrals.create],
      ['switch', /./, api.referrals.update],
      ['button', /^Edit /, api.referrals.update],
      ['button', /^Delete /, api.referrals.remove],
    ],
  },
]

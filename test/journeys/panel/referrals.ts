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
  {
    path: '/admin/referral-manager?view=invites',
    call: api.referrals.inviters,
    controls: [
      // First, because what is said about another would lie over it
      ['button', /^Own rate of /, api.referrals.setInviteTerms],
      ['button', 'Save', api.referrals.saveInviteSettings],
      ['switch', 'Buyers can invite friends', api.referrals.saveInviteSettings],
    ],
  },
]

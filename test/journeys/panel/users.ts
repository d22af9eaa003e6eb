import { api } from '../../../contract/api.ts'
import type { Screen } from './screen.ts'

export const screens: Screen[] = [
  {
    path: '/admin/user-manager',
    call: api.users.list,
    controls: [
      ['button', /^Reset device lock for /, api.users.unlockDevice],
      ['button', /^Password link for /, api.users.issueResetLink],
      ['button', /^Block /, api.users.block],
    ],
  },
]

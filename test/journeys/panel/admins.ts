import { api } from '../../../contract/api.ts'
import type { Screen } from './screen.ts'

export const screens: Screen[] = [
  { path: '/admin/admins', call: api.admins.list, controls: [['button', /^New admin|^Add/, api.admins.create]] },
  { path: '/admin/security', controls: [['button', 'Change password', api.admins.changePassword]] },
]

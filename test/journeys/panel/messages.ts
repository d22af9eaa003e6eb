import { api } from '../../../contract/api.ts'
import type { Screen } from './screen.ts'

export const screens: Screen[] = [
  {
    path: '/admin/settings/messages',
    call: api.messages.channels,
    controls: [
      ['switch', 'Send notifications', api.messages.saveChannel],
      ['button', 'Save', api.messages.saveChannel],
    ],
  },
]

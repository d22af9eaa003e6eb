import { api } from '../../../contract/api.ts'
import type { Screen } from './screen.ts'

export const screens: Screen[] = [
  {
    path: '/admin/groups',
    call: api.groups.list,
    controls: [
      ['button', 'Make a group', api.groups.create],
      ['button', /^Edit /, api.groups.update],
      ['button', /^Remove /, api.groups.remove],
    ],
  },
]

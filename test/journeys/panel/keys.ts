import { api } from '../../../contract/api.ts'
import type { Screen } from './screen.ts'

export const screens: Screen[] = [
  {
    path: '/admin/key-manager?view=keys',
    call: api.keys.list,
    controls: [
      ['button', 'Add keys', api.keys.add],
      ['button', 'Export CSV', api.keys.export],
      ['button', /^Edit key /, api.keys.edit],
      ['button', /^Delete key /, api.keys.remove],
    ],
  },
  {
    path: '/admin/key-manager?view=batches',
    call: api.keys.batches,
    controls: [
      ['button', /^Undo batch of /, api.keys.undoBatch],
      ['button', /^Edit the batch of /, api.keys.editBatch],
    ],
  },
]

import { api } from '../../../contract/api.ts'
import type { Screen } from './screen.ts'

export const screens: Screen[] = [
  { path: '/admin/books', call: api.books.read, controls: [['button', 'Export CSV', api.books.exportBooks]] },
  {
    path: '/admin/books?view=batches',
    call: api.books.batches,
    controls: [['button', /^(?:Enter|Change) cost: batch of /, api.keys.editBatch]],
  },
  {
    path: '/admin/books?view=liability',
    call: api.books.liability,
    controls: [['button', 'Export CSV', api.books.exportLiability]],
  },
  {
    path: '/admin/books?view=month',
    call: api.books.month,
    controls: [['button', 'Export CSV', api.books.exportMonth]],
  },
  {
    path: '/admin/books?view=year',
    call: api.books.year,
    controls: [['button', 'Export CSV', api.books.exportYear]],
  },
  { path: '/admin/books?view=rows&status=bonus', call: api.books.rows, controls: [] },
  { path: '/admin/books?view=rows&status=unspent', call: api.books.rows, controls: [] },
  { path: '/admin/books?view=rows&status=top-ups', call: api.books.rows, controls: [] },
]

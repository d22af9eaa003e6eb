import type { books } from '../../contract/books.ts'
import { sql } from '../platform/database/database.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { exportBatches, exportBooks, exportLiability, exportMonth, exportYear } from './export-books.ts'
import { readBatches, readPage } from './read-batches.ts'
import { readBooks } from './read-books.ts'
import { readLiability } from './read-liability.ts'
import { readMonth } from './read-months.ts'
import { readYear } from './read-year.ts'
import { readRows } from './read-rows.ts'

export const bookRoutes = ({ db }: Pick<Services, 'db'>): Handlers<typeof books> => ({
  read: (period) => readBooks(db, period),
  exportBooks: async (period) => exportBooks(await readBooks(db, period), period.by),
  rows: (wanted, { now }) => readRows(db, wanted, now),
  liability: (_, { now }) => readLiability(db, now),
  exportLiability: async (_, { now }) => exportLiability(await readLiability(db, now)),
  batches: (search, { now }) => readBatches(db, search, now),
  exportBatches: async (search, { now }) => exportBatches(await readPage(db, search, now, sql``)),
  month: ({ month }, { now }) => readMonth(db, month, now),
  year: ({ year }, { now }) => readYear(db, year, now),
  exportYear: async ({ year }, { now }) => exportYear(await readYear(db, year, now)),
  exportMonth: async ({ month }, { now }) => exportMonth(await readMonth(db, month, now)),
})

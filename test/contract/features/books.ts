import type { Walk } from '../walk.ts'

const YEAR = 'from=2026-01-01&to=2026-12-31&by=product'
const BACKWARDS = 'from=2026-02-01&to=2026-01-31&by=day'

export const books: Walk<'books'> = {
  succeed: {
    read: (shop) => shop.owner.get(`/reports/books?${YEAR}`),
    exportBooks: (shop) => shop.owner.get(`/reports/books/export?${YEAR}`),
    rows: (shop) => shop.owner.get('/reports/books/rows?of=bonus&from=2026-01-01&to=2026-01-31&limit=20&skip=0'),
    liability: (shop) => shop.owner.get('/reports/liability'),
    exportLiability: (shop) => shop.owner.get('/reports/liability/export'),
    batches: (shop) => shop.owner.get('/reports/batches?limit=20&search=&show=unknown-cost'),
    exportBatches: (shop) => shop.owner.get('/reports/batches/export?show=all'),
    month: (shop) => shop.owner.get('/reports/month?month=2026-11'),
    exportMonth: (shop) => shop.owner.get('/reports/month/export?month=2026-11'),
    year: (shop) => shop.owner.get('/books/year?year=2026'),
    exportYear: (shop) => shop.owner.get('/books/year/export?year=2026'),
  },
  refuse: {
    read: { BAD_PERIOD: (shop) => shop.owner.get(`/reports/books?${BACKWARDS}`) },
    exportBooks: { BAD_PERIOD: (shop) => shop.owner.get(`/reports/books/export?${BACKWARDS}`) },
    rows: { BAD_PERIOD: (shop) => shop.owner.get('/reports/books/rows?of=bonus&from=2026-01-01&to=2026-02-01') },
    month: { BAD_PERIOD: (shop) => shop.owner.get('/reports/month?month=2999-01') },
    year: { BAD_PERIOD: (shop) => shop.owner.get('/books/year?year=2990') },
    exportYear: { BAD_PERIOD: (shop) => shop.owner.get('/books/year/export?year=2990') },
    exportMonth: { BAD_PERIOD: (shop) => shop.owner.get('/reports/month/export?month=2999-01') },
  },
}

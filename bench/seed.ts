/** Buyers, products and histories for benchmarks, with ids by number: pgbench and the load's requests make the same. */
import { negate, paise } from '../contract/money.ts'
import type { Database } from '../server/platform/database/database.ts'
import { newId } from '../server/platform/ids.ts'
import { post } from '../server/wallet/ledger.ts'
import { creditOf, keysOf, seedKeys, seedProducts, seedUsers } from '../test/worlds/seed.ts'
import type { Load } from './http-load.ts'
import { BENCH_SEALER } from './running-store.ts'

/** As the store makes them: 43 characters. */
const DEVICE = 'bench-device'.padEnd(43, '-')
const BALANCE = paise(1_000_000_000)

export const DURATIONS = ['10 Days', '30 Days', '90 Days', '365 Days'] as const

/** "00000001-0000-7000-8000-00000000002a" */
export function benchId(kind: number, n: number): string {
  return `0000000${kind}-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
}

const numbered = (count: number, from = 0) => Array.from({ length: count }, (_, n) => from + n)

/** Buyers with ₹1,00,00,000 each and a session. With a password hash they can also log in, as bench1, bench2… */
export function seedBuyers(db: Database, count: number, passwordHash = 'none'): Promise<void> {
  const buyers = numbered(count).map((n) => {
    const id = benchId(1, n)
    return { id, username: `bench${n + 1}`, balance: BALANCE, session: { token: id, device: DEVICE } }
  })
  return seedUsers(db, buyers, { now: new Date(), passwordHash })
}

export function buyerCookie(n: number): string {
  return `chaabi_session=${benchId(1, n)}; chaabi_device=${DEVICE}`
}

/** The request that buys keys of a product's first duration. */
export function purchase(buyer: number, product: number, quantity = 1): Load['requests'][number] {
  return {
    method: 'POST',
    path: '/api/keys/buy',
    cookie: buyerCookie(buyer),
    body: JSON.stringify({ productId: benchId(2, product), duration: DURATIONS[0], quantity }),
    idempotent: true,
  }
}

/** Products with `stock` keys for each of so many durations. The first price has its product's id. */
export async function seedCatalogue(
  db: Database,
  { from, count, stock, durations = 1 }: { from: number; count: number; stock: number; durations?: number },
): Promise<void> {
  const now = new Date()
  const products = numbered(count, from).map((n) => ({
    id: benchId(2, n),
    name: `Bench ${benchId(2, n)}`,
    prices: DURATIONS.slice(0, durations).map((duration, nth) => ({
      id: benchId(2 + nth, n),
      duration,
      listPrice: paise(100 + nth),
    })),
  }))
  await seedProducts(db, products, now)
  for (const { prices } of products)
    for (const { id } of prices) await seedKeys(db, keysOf(id, stock, id), { sealer: BENCH_SEALER, now })
}

/** How many lines of history each of the first buyers gets: credits that were all taken back. */
export async function seedHistories(db: Database, buyers: number, lines: number): Promise<void> {
  const now = new Date()
  for (const n of numbered(buyers)) {
    const credits = numbered(Math.ceil(lines / 2)).map(() => creditOf(benchId(1, n), paise(100), now))
    const debits = credits.map(({ userId, opens }) => ({
      id: newId(),
      userId,
      kind: 'admin_debit' as const,
      description: 'Seeded',
      now,
      entries: [{ lotId: opens.id, amount: negate(paise(100)), expiresAt: null }],
    }))
    await db.transaction(async (tx) => {
      await post(tx, credits)
      await post(tx, debits)
    })
  }
}

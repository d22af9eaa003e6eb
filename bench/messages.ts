/**
 * The cost of messages for the calls they are about: top-up requests and purchases with all channels off, or with phone
 * and e-mail messages on, in turns on one store. Nobody has turned them on in a browser, so nothing leaves the machine.
 */
import { sql, type Database } from '../server/platform/database/database.ts'
import { callStore } from '../scripts/store-process.ts'
import type { Bench } from './report.ts'
import { expectOnly, expectOrder, startBenchStore, useLog, type BenchStore } from './running-store.ts'
import { buyerCookie, purchase, seedBuyers, seedCatalogue } from './seed.ts'

const AT_ONCE = 8
const CONNECTIONS = 32
const PRODUCTS = 20
/** A buyer may have a few requests pending, and each is asked for once. */
const REQUESTS_EACH = 3
/** More than any machine here takes in a second. */
const FASTEST_REQUESTS = 1_000
const FASTEST_PURCHASES = 6_000
const FIRST_UTR = 600_000_000_000

export const bench: Bench = {
  title: 'Beside messages',
  seconds: 3,
  async measure({ runs, seconds }, report) {
    const turns = 2 * runs + 1
    const buyers = Math.ceil((FASTEST_REQUESTS * seconds * turns) / REQUESTS_EACH)
    const store = await startBenchStore(async (db) => {
      await seedBuyers(db, buyers)
      const stock = Math.ceil((FASTEST_PURCHASES * seconds * turns) / PRODUCTS)
      await seedCatalogue(db, { from: 0, count: PRODUCTS, stock })
      await useLog(db)
    })
    const counted = { requests: 0, buyers }
    const requests = Array.from({ length: buyers }, (_, n) => purchase(n, n % PRODUCTS))
    const buy = async () => {
      const result = await store.load({ connections: CONNECTIONS, forMs: seconds * 1_000, everyMs: 0, requests })
      expectOnly('200', result)
      return result.perSecond
    }
    try {
      const found = {
        asked: { off: [] as number[], on: [] as number[] },
        bought: { off: [] as number[], on: [] as number[] },
      }
      await store.db.run(sql`update settings set payment_enabled = true, upi_id = 'bench@okaxis'`)
      await askFor(store, counted, 1_000)
      for (let run = 0; run < runs; run++)
        for (const state of run % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const)) {
          await turn(store.db, state === 'on')
          found.asked[state].push(await askFor(store, counted, seconds * 1_000))
          found.bought[state].push(await buy())
        }
      for (const [what, { on, off }, atLeast] of [
        [`add-money, ${AT_ONCE} at once, messages on`, found.asked, 0.97],
        [`purchases, ${CONNECTIONS} clients, messages on`, found.bought, 0.98],
      ] as const)
        report.add({ what, unit: '/s', values: on, yardstick: { what: 'off', values: off }, goal: { atLeast } })
      await expectOrder(store, report)
    } finally {
      await store.stop()
    }
  },
}

async function turn(db: Database, isOn: boolean): Promise<void> {
  for (const name of ['push', 'email'])
    await db.run(sql`
      insert into channels (name, is_on) values (${name}, ${isOn}) on conflict (name) do update set is_on = ${isOn}`)
}

/** @returns requests a second */
async function askFor(
  store: BenchStore,
  counted: { requests: number; buyers: number },
  forMs: number,
): Promise<number> {
  const before = counted.requests
  const until = performance.now() + forMs
  const ask = async () => {
    while (performance.now() < until) {
      const n = counted.requests++
      const body = { amount: 100, utr: String(FIRST_UTR + n), payerName: '9876543210' }
      const cookie = buyerCookie(n % counted.buyers)
      await callStore(store, { method: 'POST', path: '/payments/add-money', cookie, body })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, ask))
  return ((counted.requests - before) * 1_000) / forMs
}

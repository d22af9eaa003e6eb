/** Sends the same orders again: doubled, late, out of turn. */
import { answersInWords, compare, failuresOf, holds, inWords, startCrowd } from './crowd.ts'
import type { Drill } from './drill.ts'
import { seedShop } from './seed.ts'
import { startStore } from './store-process.ts'

const BUYERS = 20
const REPEATS_MAX = 9

export const drill: Drill = async ({ quick, directories }) => {
  const wanted = quick ? 500 : 10_000
  const store = await startStore()
  directories.push(store.dataDir)
  const db = store.database()
  const shop = await seedShop(db, await store.sealer(), { buyers: BUYERS, keys: 20_000, balancePaise: 100_000_000 })
  // On average four repeats come to an order
  const ordersEach = Math.ceil(wanted / 4 / BUYERS) + 5
  const crowd = startCrowd({ port: store.port, ...shop, again: true, repeats: REPEATS_MAX, ordersEach }, directories)
  const report = await crowd.ended
  const found = await compare(db, crowd.acknowledgedFile, shop)
  await db.close()
  await store.stop()
  const keys = BUYERS * ordersEach
  return {
    passed: holds(found) && failuresOf(report) === 0 && found.stored === keys && report.sent >= wanted,
    figures: [
      `${report.sent} sendings of ${keys} distinct orders: ${found.stored} purchases; ${inWords(found)}`,
      answersInWords(report),
    ],
    proved: 'one Idempotency-Key is one purchase and one answer, however often, late or at once it is sent.',
    cannotProve: 'anything for a client that makes a new key for a repeat.',
  }
}

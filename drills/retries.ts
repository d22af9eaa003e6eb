/** Sends the same orders again: doubled, late, out of turn. */
import { answersInWords, inWords } from './crowd.ts'
import type { Drill } from './drill.ts'
import { underPurchases } from './under-purchases.ts'

const BUYERS = 20
const REPEATS_MAX = 9

export const drill: Drill = async ({ quick, directories }) => {
  const wanted = quick ? 500 : 10_000
  // On average four repeats come to an order
  const ordersEach = Math.ceil(wanted / 4 / BUYERS) + 5
  const crowd = { repeats: REPEATS_MAX, ordersEach }
  const shop = { buyers: BUYERS, keys: 20_000 }
  const { report, found, isWhole } = await underPurchases({ directories, shop, crowd }, (_, { ended }) => ended)
  const keys = BUYERS * ordersEach
  return {
    passed: isWhole && found.stored === keys && report.sent >= wanted,
    figures: [
      `${report.sent} sendings of ${keys} distinct orders: ${found.stored} purchases; ${inWords(found)}`,
      answersInWords(report),
    ],
    proved: 'one Idempotency-Key is one purchase and one answer, however often, late or at once it is sent.',
    cannotProve: 'anything for a client that makes a new key for a repeat.',
  }
}

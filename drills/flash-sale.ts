/** Many more buyers than keys, within three seconds. */
import { answersInWords, inWords } from './crowd.ts'
import type { Drill } from './drill.ts'
import { PRICE_PAISE } from './seed.ts'
import { underPurchases } from './under-purchases.ts'

export const drill: Drill = async ({ quick, directories }) => {
  const buyers = quick ? 1_000 : 5_000
  const keys = quick ? 100 : 500
  const sale = {
    directories,
    shop: { buyers, keys, balancePaise: PRICE_PAISE },
    crowd: { ordersEach: 1, spreadMs: 3_000 },
    refusals: buyers - keys,
  }
  const { report, found, isWhole } = await underPurchases(sale, (_, crowd) => crowd.ended)
  const soldOut = report.refused['OUT_OF_STOCK'] ?? 0
  return {
    passed: isWhole && report.acknowledged === keys && found.stored === keys && soldOut === buyers - keys,
    figures: [
      `${buyers} buyers in 3 s for ${keys} keys: ${report.acknowledged} sold, ${soldOut} told OUT OF STOCK; ` +
        inWords(found),
      answersInWords(report),
    ],
    proved: 'every key is sold, none twice, nobody is charged for nothing, and nobody is refused while there is a key.',
    cannotProve: 'the figures of another machine: buyers and store share its cores here.',
  }
}

/** Many more buyers than keys, within three seconds. */
import { answersInWords, compare, failuresOf, holds, inWords, startCrowd } from './crowd.ts'
import type { Drill } from './drill.ts'
import { seedShop, PRICE_PAISE } from './seed.ts'
import { startStore } from './store-process.ts'

export const drill: Drill = async ({ quick, directories }) => {
  const buyers = quick ? 1_000 : 5_000
  const keys = quick ? 100 : 500
  const store = await startStore()
  directories.push(store.dataDir)
  const db = store.database()
  const shop = await seedShop(db, await store.sealer(), { buyers, keys, balancePaise: PRICE_PAISE })
  const crowd = startCrowd({ port: store.port, ...shop, again: true, ordersEach: 1, spreadMs: 3_000 }, directories)
  const report = await crowd.ended
  const found = await compare(db, crowd.acknowledgedFile, shop)
  await db.close()
  await store.stop()
  const soldOut = report.refused['OUT_OF_STOCK'] ?? 0
  return {
    passed:
      holds(found) &&
      failuresOf(report, { refusals: buyers - keys }) === 0 &&
      report.acknowledged === keys &&
      found.stored === keys &&
      soldOut === buyers - keys,
    figures: [
      `${buyers} buyers in 3 s for ${keys} keys: ${report.acknowledged} sold, ${soldOut} told OUT OF STOCK; ` +
        inWords(found),
      answersInWords(report),
    ],
    proved: 'every key is sold, none twice, nobody is charged for nothing, and nobody is refused while there is a key.',
    cannotProve: 'the figures of another machine: buyers and store share its cores here.',
  }
}

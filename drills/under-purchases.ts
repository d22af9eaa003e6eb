/** A store that sells while something breaks, and what its buyers and its books then say. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { BuyersOptions, BuyersReport } from './buyers.ts'
import { compare, countOpen, failuresOf, holds, startCrowd, type Comparison, type Crowd } from './crowd.ts'
import type { DrillOptions } from './drill.ts'
import { seedShop, type DrillShop } from './seed.ts'
import { startStore, type StoreProcess } from './store-process.ts'

type ShopWanted = Parameters<typeof seedShop>[2]

interface Sale extends Pick<DrillOptions, 'directories'> {
  shop?: Partial<ShopWanted>
  crowd?: Partial<Omit<BuyersOptions, 'acknowledgedFile'>>
  /** How many buyers must be refused. */
  refusals?: number
  /** How long connections that were cut have to end, after the last answer. */
  restMs?: number
}

interface Sold<Result> {
  result: Result
  report: BuyersReport
  found: Comparison
  /** True if buyers and books agree and nobody failed. */
  isWhole: boolean
  /** Transactions that were left open. */
  open: number
  /** True if the server's process is still the first one. */
  lived: boolean
}

const SHOP: ShopWanted = { buyers: 32, keys: 60_000, balancePaise: 100_000_000 }

export async function underPurchases<Result>(
  { directories, shop: wanted, crowd: how, refusals = 0, restMs = 0 }: Sale,
  meanwhile: (store: StoreProcess, crowd: Crowd, shop: DrillShop) => Promise<Result>,
): Promise<Sold<Result>> {
  const store = await startStore({ directories })
  const before = store.database()
  const shop = await seedShop(before, await store.sealer(), { ...SHOP, ...wanted })
  await before.close()
  const { pid } = store
  const crowd = startCrowd({ port: store.port, ...shop, again: true, ...how }, directories)
  const result = await meanwhile(store, crowd, shop)
  const report = await crowd.stop()
  await sleep(restMs)
  const db = store.database()
  const found = await compare(db, crowd.acknowledgedFile, shop)
  const open = await countOpen(db)
  await db.close()
  const lived = store.alive && store.pid === pid
  await store.stop()
  return { result, report, found, isWhole: holds(found) && failuresOf(report, { refusals }) === 0, open, lived }
}

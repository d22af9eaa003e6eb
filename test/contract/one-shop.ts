/** One store for all tests of a file. They walk the contract and ignore what the others left. */
import { afterAll, beforeAll, inject } from 'vitest'
import { openShop, type Shop } from '../worlds/shop.ts'
import { startStore, type TestStore } from '../store.ts'

/** @returns what is there once the tests begin */
export function oneShop(): { shop: Shop } {
  const one = {} as { shop: Shop }
  let store: TestStore & { stop(): Promise<void> }

  beforeAll(async () => {
    store = await startStore(inject('engine'))
    one.shop = await openShop(store)
  })

  afterAll(() => store.stop())

  return one
}

import { afterAll, inject } from 'vitest'
import { startStore } from './store.ts'
import { openShop, type Shop } from './worlds/shop.ts'

/** Opens a shop for all tests of a file. Its store stops after the last of them. */
export async function shopForFile(): Promise<Shop> {
  const store = await startStore(inject('engine'))
  afterAll(() => store.stop())
  return openShop(store)
}

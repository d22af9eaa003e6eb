/** A store, and a supplier with an API of its own. */
import { expect, inject } from 'vitest'
import type { SupplyLink, SupplySource, SupplyTemplate } from '../../contract/supply.ts'
import { sql } from '../../server/platform/database/database.ts'
import { findBroken } from '../../server/platform/database/invariants.ts'
import type { Supplying } from '../../server/supply/supplying.ts'
import { supplyNow } from '../../server/supply/worker.ts'
import { stockHooks } from '../../server/waiting/routes.ts'
import { startStore, type TestStore } from '../store.ts'
import { unique } from './constants.ts'
import { startOtherApi, type Asked, type Reply } from './other-supplier.ts'
import { openShop, type Shop } from './shop.ts'
import { CAP, DURATION, PRICE } from './suppliers.ts'

export const SECRET = 'S3cret-of-the-supplier'
export const SKU = 'NC-10D'

/** A template that sends the number as JSON and reads one key, with its cost. */
export const TEMPLATE: Omit<SupplyTemplate, 'url'> = {
  method: 'POST',
  headers: 'X-Api-Key: {secret}',
  body: '{"item": "{sku}", "ref": "{order}"}',
  keyAt: '/data/key',
  costAt: '/data/price',
  noneIf: 'SOLD_OUT',
  okIf: '',
  repeats: false,
}
export interface OtherApi {
  store: TestStore
  shop: Shop
  productId: string
  priceId: string
  link: SupplyLink
  url: string
  /** All that the supplier was sent. */
  asked: Asked[]
  supplying: Supplying
  answer(how: (asked: Asked) => Reply): void
  work(): Promise<void>
  pass(ms: number): Promise<void>
  save(more: { keep?: number; max?: number; forBuyers?: number; sku?: string }): Promise<SupplySource>
  linkNow(): Promise<SupplyLink | undefined>
  states(): Promise<string[]>
  /** Texts of the keys that came from there. */
  had(): Promise<string[]>
  told(): Promise<string[]>
}

interface Options {
  keep?: number
  forBuyers?: number
  dayMax?: number
  template?: Partial<typeof TEMPLATE>
  /** After the address of the supplier. */
  path?: string
  store?: Parameters<typeof startStore>[1]
}

export async function withOtherApi(work: (given: OtherApi) => Promise<void>, options: Options = {}): Promise<void> {
  const there = await startOtherApi()
  const store = await startStore(inject('engine'), {
    testOrigins: [there.url],
    publicOrigin: 'https://here.example',
    ...options.store,
  })
  try {
    await work(await connect(store, there, options))
    expect(await findBroken(store.db, 'server/migrations')).toEqual([])
  } finally {
    await there.close()
    await store.stop()
  }
}

async function connect(
  store: TestStore,
  there: Awaited<ReturnType<typeof startOtherApi>>,
  { keep = 1, forBuyers = 0, dayMax = 5_000, template, path = '/buy' }: Options,
): Promise<OtherApi> {
  const shop = await openShop(store)
  const { api } = shop.owner
  await store.db.run(sql`
    insert into channels (name, is_on) values ('push', true) on conflict (name) do update set is_on = true`)
  const product = await shop.product({ prices: { [DURATION]: PRICE }, stock: 0, name: unique('Ours ') })
  const form = { ...TEMPLATE, ...template, name: 'Key Depot', secret: SECRET, url: `${there.url}${path}`, dayMax }
  const link = await api.supply.addApi(form)
  const priceId = product.prices[0]?._id ?? ''
  const supplying = { ...store.app.services, outbound: store.app.reach.outbound, hooks: stockHooks(store.app.services) }
  const save: OtherApi['save'] = (more) =>
    api.supply.saveSku({ priceId, linkId: link._id, sku: SKU, max: CAP, keep, forBuyers, ...more })
  await save({})
  return {
    ...there,
    store,
    shop,
    productId: product._id,
    priceId,
    link,
    supplying,
    save,
    work: () => supplyNow(supplying),
    async pass(ms) {
      store.clock.advance(ms)
      await supplyNow(supplying)
    },
    linkNow: async () => (await api.supply.links()).links.find(({ _id }) => _id === link._id),
    states: async () =>
      (await api.supply.orders({ limit: 100 })).orders.map(({ state, why, byHand }) =>
        [state, why, byHand && 'by hand'].filter((part) => part !== undefined).join(' '),
      ),
    async had() {
      const ofOrders = await store.db.texts(sql`select key_id from supply_keys`)
      const all = await api.keys.list({ productId: product._id, duration: DURATION })
      return all.filter(({ _id }) => ofOrders.includes(_id)).map(({ key }) => key)
    },
    told: () =>
      store.db.texts(
        sql`select data ->> 'why' from outbox_messages where kind = 'supply.trouble' order by created_at, id`,
      ),
  }
}

/** A shop in which buyers renew: keys of three days at ₹100, and buyers whom an e-mail reaches. */
import { expect } from 'vitest'
import * as z from 'zod/mini'
import type { Renewal } from '../../contract/renewals.ts'
import { HOUR_MS, MINUTE_MS } from '../../contract/time.ts'
import { sql } from '../../server/platform/database/database.ts'
import { findBroken } from '../../server/platform/database/invariants.ts'
import { renewalJobs } from '../../server/renewals/renew.ts'
import { withStore, type TestStore } from '../store.ts'
import { openShop, OWNER, type Buyer, type Shop } from './shop.ts'

export const DURATION = '3 Days'
export const HOURS = 72

export interface Renewing {
  store: TestStore
  shop: Shop
  productId: string
  /** Buys `quantity` keys, and has `left` rupees after that. @returns the id of one key */
  holder(options?: { quantity?: number; left?: number; of?: { productId: string; duration: string } }): Promise<Holder>
  runJob(services?: TestStore['app']['services']): Promise<unknown>
  /** Lets so many hours pass. Runs the job at each, as a store that is on does. */
  pass(hours: number): Promise<void>
  told(buyer: Buyer): Promise<string[]>
  /** The owner, logged in again: half a day without use ends a session. */
  owner(): Promise<Shop['owner']['api']>
}

export type Holder = Buyer & { keyId: string; orderId: string; renew(more?: object): Promise<Renewal> }

export const withRenewals = (work: (given: Renewing) => Promise<void>, options: { stock?: number } = {}) =>
  withStore(async (store) => {
    const shop = await openShop(store)
    await store.db.run(sql`
      insert into channels (name, is_on) values ('email', true) on conflict (name) do update set is_on = true`)
    const product = await shop.product({ prices: { [DURATION]: 100 }, stock: options.stock ?? 6 })
    const runJob = async (services = store.app.services) =>
      renewalJobs(services)[0]?.run(store.clock.now(), new AbortController().signal)
    await work({
      store,
      shop,
      productId: product._id,
      runJob,
      holder: (wanted) => givenHolder(shop, product._id, wanted),
      async pass(hours) {
        for (let hour = 0; hour < hours; hour++) {
          store.clock.advance(HOUR_MS)
          await runJob()
        }
      },
      async owner() {
        await shop.owner.api.sessions.adminLogin(OWNER)
        await shop.owner.api.admins.stepUp({ password: OWNER.password })
        return shop.owner.api
      },
      told: (buyer) =>
        store.db.texts(sql`
          select kind from outbox_messages
           where user_id = ${buyer.id} and (kind like 'renewal.%' or kind = 'waiting.bought') order by created_at, id`),
    })
    expect(await findBroken(store.db, 'server/migrations')).toEqual([])
  })

async function givenHolder(
  shop: Shop,
  productId: string,
  { quantity = 1, left = 0, of = { productId, duration: DURATION } }: Parameters<Renewing['holder']>[0] = {},
): Promise<Holder> {
  const buyer = await shop.buyer({ balance: 100 * quantity + left })
  await shop.store.db.run(sql`update users set email_proven_at = ${shop.store.clock.now()} where id = ${buyer.id}`)
  await buyer.api.orders.place({ ...of, quantity })
  const [key] = await buyer.api.keys.mine()
  // A moment later, as a person would
  shop.store.clock.advance(MINUTE_MS / 60)
  const [keyId, orderId] = [key?._id ?? '', key?.orderId ?? '']
  return Object.assign(buyer, {
    keyId,
    orderId,
    renew: (more: object = {}) => buyer.api.renewals.make({ keyId, ...more }),
  })
}

/** What the database has of a renewal. */
export const rowOf = ({ store }: Pick<Renewing, 'store'>, orderId: string) =>
  store.db.maybe(sql(z.object({ reason: z.nullable(z.string()), nextId: z.nullable(z.string()) }))`
    select end_reason as reason, next_id from renewals where order_id = ${orderId}`)

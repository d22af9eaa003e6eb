/** How long a buyer waits for what is ordered for him, while all is well and while the supplier answers nothing. */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { sql } from '../../server/platform/database/database.ts'
import type { DrillBuyer } from '../seed.ts'
import { askAgain, press } from './order-for-buyers.ts'
import type { TwoStores } from './two-stores.ts'

const POLL_MS = 20
const COME_MS_MAX = 30_000
const FILLED_MS_MAX = 120_000

const anyOf = <T>(all: readonly T[]): T => all[randomInt(all.length)] as T

/** Orders one after the other. @returns ms from each press to its keys, as their buyer's page reads them */
export async function timeOrders(stores: TwoStores, count: number): Promise<number[]> {
  const { here, fetched, ordering } = stores
  await untilFilled(stores)
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const buyer = ordering[n % ordering.length] as DrillBuyer
    const began = performance.now()
    await pressOnce(stores, buyer, anyOf(fetched).productId)
    for (;;) {
      const { body } = await askAgain(here, buyer, 'GET /waiting/fetch')
      if (body.fetch.state === 'bought') break
      if (body.fetch.state === 'ended' || performance.now() - began > COME_MS_MAX)
        throw new Error(`An order did not come while all was well: ${JSON.stringify(body)}`)
      await sleep(POLL_MS)
    }
    times.push(performance.now() - began)
  }
  return times
}

/** Until the first refill is over, and each product can be ordered. */
async function untilFilled({ here: { db } }: TwoStores): Promise<void> {
  for (const since = performance.now(); performance.now() - since < FILLED_MS_MAX; await sleep(200))
    if (
      await db.holds(sql`
        select not exists (select from supply_orders where ended_at is null)
           and not exists (
               select from supply_sources
                where for_buyers > 0 and offer = 0
                   or keep > (select coalesce(sum(available), 0) from stock_counters stock
                               where stock.price_id = supply_sources.price_id))`)
    )
      return
  throw new Error('The shelves did not fill up')
}

async function pressOnce({ here }: TwoStores, buyer: DrillBuyer, productId: string): Promise<string> {
  const [answer] = await press(here, buyer, { productId, quantity: 1 })
  if (answer?.status !== 201) throw new Error(`Nothing was ordered: ${JSON.stringify(answer)}`)
  return answer.body._id
}

const Told = z.object({ lateMs: z.number(), isTold: z.boolean() })

/**
 * Lets the supplier fall silent, orders, and waits until each buyer gets the message that nothing comes.
 * @returns ms after the ten minutes, and the paise that moved by then
 */
export async function timeSilence(stores: TwoStores, count: number): Promise<{ lateMs: number[]; moved: number }> {
  const { here, fetched, ordering, network } = stores
  network.die()
  const told = await Promise.all(
    // Others than those to whom something has come: of two orders a page shows the one that ends last
    ordering.slice(-count).map(async (buyer, n) => {
      const { balance } = (await askAgain(here, buyer, 'GET /auth/me')).body
      const id = await pressOnce(stores, buyer, anyOf(fetched).productId)
      await untilAsked(stores, id)
      // Nodes follow the database's clock, which no drill can move. So the end of this one order comes nearer, and how
      // long after it the store says so is what a buyer waits beyond the ten minutes
      await here.db.run(sql`
        update waiting_places set fetch_until = clock_timestamp() + ${2_000 + 700 * n} * interval '1 ms'
         where id = ${id}`)
      return untilTold(stores, buyer, id, balance)
    }),
  )
  await network.calm()
  return { lateMs: told.map(({ lateMs }) => lateMs), moved: told.reduce((sum, { moved }) => sum + moved, 0) }
}

/** Until the supplier has been asked for it, or it must have been. */
async function untilAsked({ here: { db } }: TwoStores, id: string): Promise<void> {
  for (const since = performance.now(); performance.now() - since < COME_MS_MAX; await sleep(POLL_MS))
    if (
      await db.holds(sql`
        select exists (select from supply_orders bought join waiting_places place on place.price_id = bought.price_id
                        where place.id = ${id} and bought.tries > 0 and bought.ended_at is null)`)
    )
      return
}

async function untilTold({ here }: TwoStores, buyer: DrillBuyer, id: string, before: number) {
  for (;;) {
    const { body } = await askAgain(here, buyer, 'GET /waiting/fetch')
    if (body.fetch.state !== 'coming') break
    await sleep(POLL_MS)
  }
  const { lateMs, isTold } = await here.db.one(sql(Told)`
    select (extract(epoch from clock_timestamp() - fetch_until) * 1000)::int as late_ms,
           fetch_end = 'late' and exists (select from outbox_messages
                                           where kind = 'fetch.ended' and subject_id = place.id) as is_told
      from waiting_places place where id = ${id}`)
  if (!isTold) throw new Error('A buyer was told nothing')
  const { balance } = (await askAgain(here, buyer, 'GET /auth/me')).body
  return { lateMs, moved: Math.round(Math.abs(balance - before) * 100) }
}

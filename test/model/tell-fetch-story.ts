/**
 * Tells one story of keys that buyers order at a supplier, whose keys come, or who has none. After each round every
 * invariant holds, each order is one purchase or one reason, and who can be served from the shelf is.
 */
import fc from 'fast-check'
import { MINUTE_MS } from '../../contract/time.ts'
import { sql, type Database } from '../../server/platform/database/database.ts'
import { newId } from '../../server/platform/ids.ts'
import { USERS, type Answer, type Request } from './commands.ts'
import { logInAll } from './tell-claim-story.ts'
import type { Told } from './tell-story.ts'
import type { Cookies, Seeded, TwoNodes } from './two-nodes.ts'

interface FetchCommand {
  type: 'fetch' | 'spend' | 'leave' | 'earn' | 'arrive' | 'deny' | 'offer'
  user: number
  place: number
  quantity: number
}
export interface FetchStory {
  fetchRounds: { advanceMs: number; commands: FetchCommand[] }[]
}

const BUSY = 503
const PRICE = 1_010
const DURATIONS = ['10 Days', '1 Month']
const usernames = Array.from({ length: USERS }, (_, user) => `buyer-${user}`)

const often = (type: FetchCommand['type'], weight: number) => ({ weight, arbitrary: fc.constant(type) })
const command: fc.Arbitrary<FetchCommand> = fc.record({
  type: fc.oneof(
    often('fetch', 6),
    often('arrive', 4),
    often('spend', 3),
    often('leave', 3),
    often('earn', 2),
    often('deny', 1),
    often('offer', 2),
  ),
  user: fc.nat(USERS - 1),
  place: fc.nat(DURATIONS.length - 1),
  quantity: fc.integer({ min: 1, max: 3 }),
})
const advanceMs = fc.constantFrom(0, 0, 0, MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS - 1, 10 * MINUTE_MS)
const commands = fc.array(command, { minLength: 2, maxLength: 5, size: 'max' })
const round = fc.record({ advanceMs, commands })
export const fetchStories = (maxLength: number): fc.Arbitrary<FetchStory> =>
  fc.record({ fetchRounds: fc.array(round, { minLength: 2, maxLength, size: 'max' }) })

interface Scene {
  store: TwoNodes
  seeded: Seeded
  jars: Cookies[]
}
interface Sent {
  command: FetchCommand
  /** The place that it is about. */
  id: string
  answer: Pick<Answer, 'status' | 'body'>
}

/** @throws Error that says which round cannot be, and why */
export async function tellFetchStory(store: TwoNodes, { fetchRounds }: FetchStory): Promise<Told> {
  const scene = await open(store)
  const told: Told = { operations: 0, rounds: 0, busyRounds: 0 }
  const left: string[] = []
  for (const [index, { advanceMs: forMs, commands: all }] of fetchRounds.entries()) {
    if (forMs > 0) await store.advance(forMs)
    const sents = await Promise.all(all.map((each, nth) => act(scene, each, nth)))
    told.operations += sents.length
    told.rounds += 1
    if (sents.some(({ answer }) => answer.status === BUSY)) {
      told.busyRounds += 1
      await store.settled()
      return told
    }
    const isLeft = ({ command: { type }, answer }: Sent) => type === 'leave' && answer.status === 200
    left.push(...sents.filter(isLeft).map(({ id }) => id))
    await store.lookForOrders(index)
    const faults = [
      ...sents.filter(({ answer }) => answer.status >= 500).map(() => 'An answer is a 5xx'),
      ...(await store.broken()),
      ...(await faultsOf(store.db, store.now(), left)),
    ]
    const lines = [...sents.map((sent) => JSON.stringify(sent)), 'What is wrong:', ...faults.map((each) => `  ${each}`)]
    if (faults.length > 0) throw new Error(`Round ${index + 1} of orders cannot be:\n${lines.join('\n')}`)
  }
  return told
}

/** Its worker does not run: the commands say what comes of an order. */
async function open(store: TwoNodes): Promise<Scene> {
  const places = DURATIONS.map((duration) => ({ productName: `Game of ${duration}`, duration, amount: PRICE }))
  const seeded = await store.seed({ usernames, places, plans: [], referrals: [], vouchers: [], validityDays: null })
  const [link, now] = [newId(), store.now()]
  await store.db.run(sql`
    insert into supply_links (id, name, address, sealed, is_on, day_paise, runs_from, look_at, created_at)
    values (${link}, 'Supplier', 'https://keys.example', '', true, 1000000, 'use', ${now}, ${now})`)
  await store.db.run(sql`
    insert into supply_sources (price_id, link_id, duration, their_product, their_duration, their_name, cap_paise, keep,
                                their_paise, their_stock, for_buyers, offer)
    select id, ${link}, duration, product_id, duration, 'Theirs', ${PRICE}, 0, ${PRICE}, 100, 5, 5 from prices`)
  const scene = { store, seeded, jars: await logInAll(store, usernames) }
  await Promise.all(usernames.map((_, user) => act(scene, { type: 'earn', user, place: 0, quantity: 1 }, user)))
  return scene
}

const asBuyer = (method: Request['method'], path: string, body?: Record<string, unknown>): Request => ({
  method,
  path,
  by: 'user',
  ...(body && { body }),
})
const asAdmin = (method: Request['method'], path: string, body: Record<string, unknown>): Request => ({
  method,
  path,
  body,
  by: 'admin',
})

async function act({ store, seeded, jars }: Scene, command: FetchCommand, nth: number): Promise<Sent> {
  const { type, place, quantity, user } = command
  const userId = seeded.userIds[user] ?? ''
  const [productId, duration] = [seeded.productIds[place], DURATIONS[place]]
  const wanted = { productId, duration, quantity }
  const mine = sql`select id from waiting_places where user_id = ${userId} and ended_at is null order by seq limit 1`
  const id = (type === 'leave' ? await store.db.text(mine) : undefined) ?? newId()
  const calls: Record<Exclude<typeof type, 'deny' | 'offer'>, Request> = {
    fetch: asBuyer('POST', '/waiting', { ...wanted, autoMax: (quantity * PRICE) / 100, fetch: true }),
    spend: asBuyer('POST', '/keys/buy', wanted),
    leave: asBuyer('DELETE', `/waiting/${id}`),
    earn: asAdmin('PUT', `/admin/users/${userId}/custom-prices`, { balance: (3 * PRICE) / 100, expiresInDays: null }),
    arrive: asAdmin('POST', '/keys/bulk', {
      productId,
      duration,
      keys: Array.from({ length: quantity }, () => `FETCH-${newId()}`),
    }),
  }
  if (type === 'deny' || type === 'offer') {
    const offer = type === 'deny' ? 0 : 5
    await store.db.run(sql`update supply_sources set offer = ${offer} where price_id = ${seeded.priceIds[place]}`)
    return { command, id, answer: { status: 200, body: {} } }
  }
  const { status, body } = await store.send(nth, calls[type], jars[user] ?? {}, { 'idempotency-key': newId() })
  return { command, id, answer: { status, body } }
}

/** What cannot be after a look, by the ids of the places. */
const faultsOf = (db: Database, now: Date, left: readonly string[]): Promise<string[]> =>
  db.texts(sql`
    with ordered as (
      select place.*, coalesce(stock.available, 0) as available, wallet.balance_paise, source.offer,
             exists (select from orders where orders.user_id = place.user_id and orders.price_id = place.price_id
                                          and orders.created_at >= place.created_at) as has_bought
        from waiting_places place
        join wallets wallet on wallet.user_id = place.user_id
        join supply_sources source on source.price_id = place.price_id
        left join (select price_id, sum(available) as available from stock_counters group by price_id) stock
               on stock.price_id = place.price_id
       where place.fetch_until is not null),
    waiting as (select * from ordered where ended_at is null and fetch_end is null and not has_bought)
    select 'Open after its end: ' || id from waiting where fetch_until <= ${now}
     union all select 'Open, and there is none: ' || id from waiting where offer = 0 and available < quantity
     union all select 'Not served, and could be: ' || id from waiting
                where available >= quantity and balance_paise >= ${PRICE} * quantity
     union all select 'Ended without a purchase or a reason: ' || id from ordered
                where ended_at is not null and fetch_end is null and end_reason <> 'left' and not has_bought
     union all select 'Bought though given up: ' || id from ordered
                where id = any(${[...left]}::uuid[]) and order_id is not null`)

/** Two real stores: one that sells to the other, and one whose shelf is filled from there, with a meddler between. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { inject } from 'vitest'
import type { SupplyLink, SupplySource } from '../../contract/supply.ts'
import { sql } from '../../server/platform/database/database.ts'
import { findBroken } from '../../server/platform/database/invariants.ts'
import type { Supplying } from '../../server/supply/supplying.ts'
import { startSupply, supplyNow } from '../../server/supply/worker.ts'
import { stockHooks } from '../../server/waiting/routes.ts'
import { startStore, type TestStore } from '../store.ts'
import { expect } from 'vitest'
import { unique } from './constants.ts'
import { aReseller, TOKEN_FORM } from './resellers.ts'
import { openShop, type Buyer, type Shop } from './shop.ts'

export const DURATION = '10 Days'
/** What a key costs there, and what the store may pay and asks. */
export const THEIR_PRICE = 80
export const CAP = 100
export const PRICE = 120

interface Asked {
  method: string
  path: string
  /** Of a purchase. */
  number: string | undefined
  body: string
}
/** What becomes of a request on its way. */
export type Meddling =
  | 'pass'
  | 'lose request'
  | 'lose answer'
  | 'cut answer'
  | 'send twice'
  | { status: number; body?: unknown; headers?: Record<string, string> }
  /** Writes the bytes of the answer itself. */
  | { raw: (socket: Socket) => void }
  // oxlint-disable-next-line typescript/no-explicit-any -- a test bends answers of every shape
  | ((answer: { status: number; body: any }) => { status: number; body: unknown })

export interface Supplied {
  there: { store: TestStore; shop: Shop; reseller: Buyer; productId: string }
  here: { store: TestStore; shop: Shop; productId: string; priceId: string }
  link: SupplyLink
  /** Every purchase that was sent on its way, by its number, price and what became of it. */
  purchases: { number: string; price: number }[]
  supplying: Supplying
  meddle(how: (asked: Asked) => Meddling | Promise<Meddling>): void
  /** Does all that is due here. */
  work(): Promise<void>
  /** Lets time pass at both, and works. */
  pass(ms: number): Promise<void>
  save(more: { keep?: number; max?: number; forBuyers?: number }): Promise<SupplySource>
  orders(): Promise<{ state: string; why: string | undefined; quantity: number; came: number | undefined }[]>
  /** The texts of all keys bought there, and of all had here by orders. */
  books(): Promise<{ bought: string[]; had: string[]; paid: number; cost: number }>
  told(): Promise<string[]>
}

interface Options {
  /** Keys on the shelf there, and here. */
  stock?: number
  own?: number
  keep?: number
  forBuyers?: number
  /** In the wallet there. */
  balance?: number
  dayMax?: number
  low?: number
}

export async function withSuppliers(work: (given: Supplied) => Promise<void>, options: Options = {}): Promise<void> {
  const there = await startStore(inject('engine'))
  const between = await startMeddler(there.url)
  const here = await startStore(inject('engine'), { testOrigins: [between.url], publicOrigin: 'https://here.example' })
  try {
    const given = await connectStores(there, here, between, options)
    await work(given)
    for (const store of [there, here]) expect(await findBroken(store.db, 'server/migrations')).toEqual([])
  } finally {
    await between.close()
    await here.stop()
    await there.stop()
  }
}

async function connectStores(
  there: TestStore,
  here: TestStore,
  between: Meddler,
  { stock = 20, own = 0, keep = 3, forBuyers, balance = 10_000, dayMax = 5_000, low }: Options,
): Promise<Supplied> {
  const [theirShop, shop] = [await openShop(there), await openShop(here)]
  const reseller = await aReseller(theirShop, { balance })
  const { token } = await reseller.api.sessions.makeToken(TOKEN_FORM)
  const theirs = await theirShop.product({ prices: { [DURATION]: THEIR_PRICE }, stock, name: unique('Theirs ') })
  const ours = await shop.product({ prices: { [DURATION]: PRICE }, stock: own, name: unique('Ours ') })
  await here.db.run(sql`
    insert into channels (name, is_on) values ('push', true) on conflict (name) do update set is_on = true`)
  const { api } = shop.owner
  const link = await api.supply.addLink({
    name: 'Wholesale Keys',
    address: between.url,
    secret: token,
    dayMax,
    ...(low !== undefined && { low }),
  })
  const hooks = stockHooks(here.app.services)
  const supplying = { ...here.app.services, outbound: here.app.reach.outbound, hooks }
  const priceId = ours.prices[0]?._id ?? ''
  const save: Supplied['save'] = ({ keep: wanted = keep, max = CAP, forBuyers: most = forBuyers }) =>
    api.supply.saveSource({
      priceId,
      linkId: link._id,
      theirProduct: theirs._id,
      theirDuration: DURATION,
      max,
      keep: wanted,
      ...(most !== undefined && { forBuyers: most }),
    })
  const work = () => supplyNow(supplying)
  // Reads their list first
  await work()
  await save({})
  return {
    there: { store: there, shop: theirShop, reseller, productId: theirs._id },
    here: { store: here, shop, productId: ours._id, priceId },
    link,
    purchases: between.purchases,
    supplying,
    meddle: between.meddle,
    work,
    save,
    async pass(ms) {
      there.clock.advance(ms)
      here.clock.advance(ms)
      await work()
    },
    orders: async () => {
      const { orders } = await api.supply.orders({ limit: 100 })
      return orders.map(({ state, why, quantity, came }) => ({ state, why, quantity, came }))
    },
    async books() {
      const bought = (await reseller.api.keys.mine()).map(({ key }) => key).toSorted()
      const all = await api.keys.list({ productId: ours._id, duration: DURATION })
      const ofOrders = await here.db.texts(sql`select key_id from supply_keys`)
      const had = all.filter(({ _id }) => ofOrders.includes(_id)).map(({ key }) => key)
      const { orders: placed } = await reseller.api.orders.mine({})
      const cost = await here.db.count(sql`
        select coalesce(sum(quantity * unit_paise), 0)::bigint / 100 from supply_orders where state = 'came'`)
      return { bought, had: had.toSorted(), paid: placed.reduce((sum, { amount }) => sum + amount, 0), cost }
    },
    told: () =>
      here.db.texts(
        sql`select data ->> 'why' from outbox_messages where kind = 'supply.trouble' order by created_at, id`,
      ),
  }
}

/** Does this while the worker of the store works, as in a process. */
export async function whileWorking({ supplying }: Supplied, work: () => Promise<void>): Promise<void> {
  const ended = new AbortController()
  const errors: unknown[] = []
  const running = startSupply({ ...supplying, ended: ended.signal }, (error) => errors.push(error))
  try {
    // The first look is over by then
    await new Promise((resolve) => setTimeout(resolve, 300))
    await work()
  } finally {
    ended.abort()
    await running
  }
  expect(errors).toEqual([])
}

interface Meddler {
  url: string
  purchases: Supplied['purchases']
  meddle: Supplied['meddle']
  close(): Promise<void>
}

/** Stands between the two, as the network does. */
async function startMeddler(target: string): Promise<Meddler> {
  let how: Parameters<Supplied['meddle']>[0] = () => 'pass'
  const purchases: Supplied['purchases'] = []
  const server = createServer((request, response) => void relay(request, response).catch(() => response.destroy()))

  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString()
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers as Record<string, string>
    const asked = { method: request.method ?? '', path: request.url ?? '', number: headers['idempotency-key'], body }
    if (asked.number !== undefined)
      purchases.push({ number: asked.number, price: (JSON.parse(body) as { expectedPrice: number }).expectedPrice })
    const meddling = await how(asked)
    if (meddling === 'lose request') return void request.socket.destroy()
    if (typeof meddling === 'object' && 'raw' in meddling) return meddling.raw(request.socket)
    if (typeof meddling === 'object') {
      const text = typeof meddling.body === 'string' ? meddling.body : JSON.stringify(meddling.body ?? {})
      return void response.writeHead(meddling.status, meddling.headers).end(text)
    }
    const send = () => fetch(target + asked.path, { method: asked.method, headers, ...(body !== '' && { body }) })
    const answer = (await Promise.all(meddling === 'send twice' ? [send(), send()] : [send()])).at(-1)
    if (!answer) return
    const text = await answer.text()
    if (meddling === 'lose answer') return void request.socket.destroy()
    if (meddling === 'cut answer') {
      response.writeHead(answer.status, { 'content-length': text.length })
      return void response.write(text.slice(0, text.length / 2), () => request.socket.destroy())
    }
    const etag = answer.headers.get('etag')
    if (typeof meddling === 'function') {
      const bent = meddling({ status: answer.status, body: text === '' ? undefined : JSON.parse(text) })
      return void response.writeHead(bent.status).end(JSON.stringify(bent.body))
    }
    response.writeHead(answer.status, etag === null ? {} : { etag }).end(text)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    purchases,
    meddle: (next) => void (how = next),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A supplier in the demo, which is off: two durations, three orders that came, and one that was never answered. */
import type { Api } from '../../contract/api.ts'
import type { Product } from '../../contract/catalogue.ts'
import type { Client } from '../../contract/client.ts'
import { paise } from '../../contract/money.ts'
import { HOUR_MS, MINUTE_MS } from '../../contract/time.ts'
import { WITHOUT_WAITING } from '../keys/hooks.ts'
import type { Clock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import { bringKeys } from '../supply/bring-keys.ts'
import { takeOrders } from '../supply/take-orders.ts'
import { keepList, keepOwn } from '../supply/watch.ts'
import type { Sending } from './mail.ts'

const SOLD = [
  { ours: 'Tidebound Rangers', theirs: 'Tidebound Rangers (global)', price: 210, max: 240 },
  { ours: 'Paper Kingdoms', theirs: 'Paper Kingdoms full game', price: 120, max: 140 },
] as const
const DURATION = '1 Month'

interface Supplied {
  app: Sending
  owner: Client<Api>
  products: readonly Product[]
  clock: Clock & { advance(ms: number): void }
}

export async function connectSupplier({ app: { services, reach }, owner, products, clock }: Supplied): Promise<void> {
  const link = await owner.supply.addLink({
    name: 'Wholesale Keys',
    address: 'https://wholesale.example',
    secret: `chaabi_${'demo'.repeat(10)}key`,
    dayMax: 5_000,
    low: 500,
  })
  const listed = SOLD.map(({ theirs: name, price }, n) => {
    return { product: newId(), name, duration: DURATION, paise: price * 100, stock: 40 - 13 * n }
  })
  const now = clock.now()
  await services.db.transaction(async (tx) => {
    await keepList(tx, link._id, { products: listed, etag: null }, now)
    await keepOwn(tx, link._id, { balance: paise(4_120_00), expiresAt: new Date(now.getTime() + 3_000 * HOUR_MS) }, now)
  })
  const priceIds = SOLD.map(({ ours }) =>
    products.find(({ name }) => name === ours)?.prices.find(({ duration }) => duration === DURATION),
  ).map((price) => price?._id ?? '')
  for (const [n, { product }] of listed.entries())
    await owner.supply.saveSource({
      priceId: priceIds[n] ?? '',
      linkId: link._id,
      theirProduct: product,
      theirDuration: DURATION,
      max: SOLD[n]?.max ?? 0,
      keep: 3,
    })
  const supplying = { ...services, outbound: reach.outbound, hooks: WITHOUT_WAITING }
  for (const [turn, quantity] of [2, 1, 2, 1].entries()) {
    const priceId = priceIds[turn % 2] ?? ''
    await owner.supply.order({ priceId, quantity })
    const [order] = await takeOrders(services, 1, clock.now())
    if (!order || turn === 3) continue
    const keys = Array.from({ length: quantity }, (_, n) => `WK${turn}${n}-${4_410 + 37 * n}-${8_021 + 53 * turn}`)
    const unitPrice = paise(order.price)
    await bringKeys(supplying, order, { keys, unitPrice, theirOrder: newId() }, 2_900 + 400 * turn)
    clock.advance(20 * MINUTE_MS)
  }
  await owner.supply.changeLink({ id: link._id, on: false })
}

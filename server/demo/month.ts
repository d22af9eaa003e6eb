/** A month of top-ups and purchases in the demo, and today's requests that wait for the visitor. */
import type { Api } from '../../contract/api.ts'
import type { Product } from '../../contract/catalogue.ts'
import type { Client } from '../../contract/client.ts'
import { DAY_MS } from '../../contract/time.ts'
import type { manualClock } from '../platform/clock.ts'
import { lastReminders } from './mail.ts'
import { sellWhatIsHeld } from './renewals.ts'

export const DAYS = 30
/** How long the demo's owner takes to approve. Buyers who wait read it. */
const DECIDES_IN_MS = 12 * 60_000
export const BUYERS = ['aarav', 'diya', 'kabir', 'meera', 'rohan', 'isha'] as const

type Request = Parameters<Client<Api>['payments']['addMoney']>[0]

/** The people of the demo, on its clock. */
export interface Demo {
  owner: Client<Api>
  buyers: ReadonlyMap<string, Client<Api>>
  products: readonly Product[]
  clock: ReturnType<typeof manualClock>
  now: Date
  /** An admin's session ends overnight, so each day begins with a login. */
  logInOwner(): Promise<unknown>
  dice: (sides: number) => number
  /** @returns the id of the request */
  topUp(name: string, amount: number, more?: Pick<Request, 'meta' | 'then'>): Promise<string>
}

/** Makes the function that asks for top-ups, each with a UTR of its own. */
export function payer(buyers: Demo['buyers'], dice: Demo['dice']): Demo['topUp'] {
  let utr = 402_611_870_000
  return async (name, amount, more) => {
    utr += 1 + dice(90_000)
    const { payment } = await browserOf(buyers, name).payments.addMoney({
      amount,
      utr: String(utr),
      payerName: `98${String(10_000_000 + dice(89_999_999))}`,
      ...more,
    })
    return payment._id
  }
}

/** Top-ups, all approved, and purchases, on each day of the month. */
export async function liveMonth(demo: Demo): Promise<void> {
  const { owner, buyers, products, clock, now, logInOwner, dice, topUp } = demo
  for (let n = 0; n < DAYS; n++) {
    clock.set(new Date(now.getTime() - (DAYS - n) * DAY_MS + DAY_MS / 3))
    await logInOwner()
    for (const name of BUYERS) {
      if (dice(3) === 0) {
        const id = await topUp(name, 200 + 100 * dice(9))
        clock.advance(DECIDES_IN_MS)
        await owner.payments.approve({ id })
      }
      clock.advance(60_000 * (1 + dice(50)))
      const product = products[dice(products.length)]
      const price = product?.prices[dice(product.prices.length)]
      if (!product || !price || dice(5) === 0) continue
      // Skips a purchase that the buyer cannot pay for, or that is out of stock
      await browserOf(buyers, name)
        .orders.place({ productId: product._id, duration: price.duration, quantity: 1 + dice(2) })
        .catch(() => {})
    }
    if (n === DAYS - 11) await sellWhatEndsTomorrow(demo)
    if (n === DAYS - 6) await sellWhatIsHeld(demo)
  }
}

/** Sells a key of which the buyer is reminded today. */
async function sellWhatEndsTomorrow({ owner, buyers, products, clock, now, logInOwner, topUp }: Demo): Promise<void> {
  clock.set(new Date(lastReminders(now).getTime() - 9 * DAY_MS))
  await logInOwner()
  await owner.payments.approve({ id: await topUp('isha', 200) })
  const product = products.find(({ name }) => name === 'Paper Kingdoms')
  if (product)
    await browserOf(buyers, 'isha').orders.place({ productId: product._id, duration: '10 Days', quantity: 1 })
}

/** Today's purchases, and requests that wait for the visitor. */
export async function liveToday({ owner, buyers, products, clock, now, logInOwner, topUp }: Demo): Promise<void> {
  clock.set(new Date(now.getTime() - 3 * 3_600_000))
  await logInOwner()
  const [plan] = await owner.payments.plans({})
  await owner.payments.approve({ id: await topUp('aarav', 1_500) })
  for (const [name, duration] of [
    ['Night Circuit VIP', '10 Days'],
    ['Drift Zero Ultimate', '1 Month'],
  ] as const) {
    const product = products.find((each) => each.name === name)
    if (product) await browserOf(buyers, 'aarav').orders.place({ productId: product._id, duration, quantity: 1 })
  }
  const reason = 'No such transfer on our statement. Please check the UTR.'
  await owner.payments.reject({ id: await topUp('aarav', 300), reason })
  const less = { amount: 450, expected: 500, reason: 'Your payment was ₹450.' }
  await owner.payments.approve({ id: await topUp('meera', 500), ...less })
  const wrong = await topUp('rohan', 200)
  await owner.payments.approve({ id: wrong })
  await owner.bank.takeBack({ id: wrong, reason: 'This was another buyer’s payment.' })
  await topUp('diya', 500, plan && { meta: { offer: true, planId: plan._id } })
  clock.set(new Date(now.getTime() - 40 * 60_000))
  const pass = products.find(({ name }) => name === 'Night Circuit VIP')
  const then = pass && { productId: pass._id, duration: '10 Days', quantity: 1, expectedPrice: 249 }
  await topUp('kabir', 250, then && { then })
  await topUp('aarav', 1_000)
}

/** Three buyers wait for what is out of stock. */
export async function queueUp({ owner, buyers, products }: Demo): Promise<void> {
  await owner.waiting.saveSettings({ autoBuy: true })
  const { _id: productId } = products.find(({ name }) => name === 'Hexfall Tactics') ?? { _id: '' }
  for (const [name, wish] of [
    ['kabir', { quantity: 2, autoMax: 700 }],
    ['meera', {}],
    ['rohan', { autoMax: 349 }],
  ] as const)
    await browserOf(buyers, name).waiting.wait({ productId, duration: '1 Month', ...wish })
}

function browserOf(buyers: Demo['buyers'], name: string): Client<Api> {
  const browser = buyers.get(name)
  if (!browser) throw new Error(`No buyer ${name}`)
  return browser
}

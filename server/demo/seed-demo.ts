/**
 * Fills a demo store with a month of business. An admin and buyers with browsers of their own do everything through the
 * store's own calls. A manual clock goes from a month ago to now.
 */
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { api, type Api } from '../../contract/api.ts'
import type { Product } from '../../contract/catalogue.ts'
import { createClient, endpointTable, type Client } from '../../contract/client.ts'
import { createApp } from '../app.ts'
import { manualClock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Sealer } from '../platform/sealing.ts'
import { openBank } from './bank.ts'
import { giveFace } from './face.ts'
import { lastReminders, openMail, tellToday } from './mail.ts'
import { openDemoMailbox } from './mailbox.ts'
import type { DemoExtras } from './pages.ts'
import { addProduct, signUp } from './store-calls.ts'

interface DemoOptions {
  db: Database
  sealer: Sealer
  now: Date
  admin: { username: string; password: string } | undefined
  /** Where links in mails lead. */
  origin: string
}

const DAYS = 30
const DAY_MS = 24 * 3_600_000
const BUYER_PASSWORD = 'demo-buyer-key'

const PRODUCTS = [
  {
    name: 'Skyforge Season Pass',
    description: 'Ranked access and every cosmetic drop for the running season.',
    hot: true,
    prices: { '10 Days': 199, '1 Month': 449, '1 Year': 3_999 },
    stock: 60,
    delivery: { supplier: 'Skyforge Studio', costPerKey: 140, note: 'Season 4, invoice 1182' },
  },
  {
    name: 'Orbit Arena Pro',
    description: 'Unlocks the pro queue, replays and private lobbies.',
    hot: false,
    prices: { '5 Days': 99, '1 Month': 399 },
    stock: 90,
    delivery: { supplier: 'Keyport Wholesale', costPerKey: 62 },
  },
  {
    name: 'Drift Zero Ultimate',
    description: 'All cars, all tracks, daily time trials. Works on one device.',
    hot: true,
    prices: { '1 Month': 649, '5 Months': 2_499 },
    stock: 24,
    delivery: { supplier: 'Keyport Wholesale', costPerKey: 480, note: 'Small lot; ask for more in December' },
  },
  {
    name: 'Hexfall Tactics',
    description: 'Turn-based campaign with co-op and the map editor.',
    hot: false,
    prices: { '10 Days': 149, '1 Month': 349 },
    stock: 0,
    delivery: {},
  },
  {
    name: 'Night Circuit VIP',
    description: 'Street racing after dark: VIP garage and double credits.',
    hot: false,
    prices: { '10 Days': 249, '1 Month': 599 },
    stock: 48,
    delivery: { supplier: 'Night Circuit Ltd', costPerKey: 175 },
  },
  {
    name: 'Ember Online Founder',
    description: 'Founder rank, a private shard and monthly ember chests.',
    hot: true,
    prices: { '1 Month': 299, '1 Year': 2_799 },
    stock: 32,
    delivery: { supplier: 'Ember Interactive', costPerKey: 205, note: 'Founder ranks end with the year' },
  },
  {
    name: 'Paper Kingdoms',
    description: 'Fold, build, besiege: the full game with both expansions.',
    hot: false,
    prices: { '10 Days': 79, '1 Month': 189 },
    stock: 40,
    delivery: { supplier: 'Paper Crown Games', costPerKey: 48 },
  },
  {
    name: 'Tidebound Rangers',
    description: 'Co-op sailing survival for up to four friends.',
    hot: false,
    prices: { '1 Week': 129, '1 Month': 329, '6 Months': 1_499 },
    stock: 75,
    delivery: { supplier: 'Keyport Wholesale', costPerKey: 88, note: 'Second order of the season' },
  },
] as const

/** The device in the audit log and the lists of sessions. */
const OWNERS_BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const BUYERS_BROWSER =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'

const BUYERS = ['aarav', 'diya', 'kabir', 'meera', 'rohan', 'isha'] as const

/** The people of the demo, on its clock. */
interface Demo {
  owner: Client<Api>
  buyers: ReadonlyMap<string, Client<Api>>
  products: readonly Product[]
  clock: ReturnType<typeof manualClock>
  now: Date
  /** An admin's session ends overnight, so each day begins with a login. */
  logInOwner(): Promise<unknown>
  dice: (sides: number) => number
  /** @returns the id of the request */
  topUp(name: string, amount: number, meta?: { offer: boolean; planId: string }): Promise<string>
}

/** @returns a text for the person at the terminal, and what visitors can try */
export async function seedDemo(options: DemoOptions): Promise<DemoExtras & { text: string }> {
  const { db, sealer, now, admin, origin } = options
  const mailbox = await openDemoMailbox()
  if (!admin) return { text: 'Demo store is unchanged.', mailbox, origin }
  const clock = manualClock(new Date(now.getTime() - DAYS * DAY_MS))
  const app = await createApp({
    db,
    clock,
    sealer,
    log: pino({ level: 'silent' }),
    rateLimitScale: 1_000,
    secure: false,
    publicOrigin: undefined,
    trustProxy: false,
    demo: { mailbox, origin },
    strict: false,
  })
  const owner = visitor(app.http, OWNERS_BROWSER)
  const logInOwner = () => owner.sessions.adminLogin(admin)
  await logInOwner()
  await openShop(owner)
  const buyers = new Map<string, Client<Api>>()
  for (const [index, username] of BUYERS.entries()) {
    const browser = visitor(app.http, BUYERS_BROWSER)
    await signUp(browser, { username, password: BUYER_PASSWORD, referralCode: 'WELCOME50' })
    await browser.sessions.login({ username, password: BUYER_PASSWORD })
    buyers.set(username, browser)
    clock.advance((index + 1) * 60_000)
  }
  const dice = seededDice(19_072_025)
  const products = await owner.catalogue.list({})
  const demo: Demo = { owner, buyers, products, clock, now, logInOwner, dice, topUp: payer(buyers, dice) }
  await liveMonth(demo)
  await openMail({ app, mailbox, owner, buyers })
  await liveToday(demo)
  await queueUp(demo)
  const statement = await openBank(demo)
  await tellToday(app)
  // Resets each device lock, so that visitors of the demo can log in
  for (const browser of buyers.values()) await browser.sessions.logout()
  await owner.sessions.adminLogout()
  await app.close()

  const text = [
    `  buyer   /login         ${BUYERS[0]} / ${BUYER_PASSWORD}   (also: ${BUYERS.slice(1).join(', ')})`,
    `  admin   /admin-login   ${admin.username} / ${admin.password}`,
    `  mailbox /demo-mailbox  (forgot your password: ${BUYERS[0]}@example.in)`,
    '  sign up with the referral code WELCOME50. This is a throwaway store: it ends with this program.',
  ].join('\n')
  return { text, statement, mailbox, origin }
}

/** Makes the function that asks for top-ups, each with a UTR of its own. */
function payer(buyers: Demo['buyers'], dice: Demo['dice']): Demo['topUp'] {
  let utr = 402_611_870_000
  return async (name, amount, meta) => {
    utr += 1 + dice(90_000)
    const { payment } = await browserOf(buyers, name).payments.addMoney({
      amount,
      utr: String(utr),
      payerName: `98${String(10_000_000 + dice(89_999_999))}`,
      ...(meta ? { meta } : {}),
    })
    return payment._id
  }
}

/** Top-ups, all approved, and purchases, on each day of the month. */
async function liveMonth(demo: Demo): Promise<void> {
  const { owner, buyers, products, clock, now, logInOwner, dice, topUp } = demo
  for (let n = 0; n < DAYS; n++) {
    clock.set(new Date(now.getTime() - (DAYS - n) * DAY_MS + DAY_MS / 3))
    await logInOwner()
    for (const name of BUYERS) {
      if (dice(3) === 0) await owner.payments.approve({ id: await topUp(name, 200 + 100 * dice(9)) })
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
async function liveToday({ owner, buyers, products, clock, now, logInOwner, topUp }: Demo): Promise<void> {
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
  await topUp('diya', 500, plan ? { offer: true, planId: plan._id } : undefined)
  clock.set(new Date(now.getTime() - 40 * 60_000))
  await topUp('kabir', 250)
  await topUp('aarav', 1_000)
}

/** Three buyers wait for what is out of stock. */
async function queueUp({ owner, buyers, products }: Demo): Promise<void> {
  await owner.waiting.saveSettings({ autoBuy: true })
  const { _id: productId } = products.find(({ name }) => name === 'Hexfall Tactics') ?? { _id: '' }
  for (const [name, wish] of [
    ['kabir', { quantity: 2, autoMax: 700 }],
    ['meera', {}],
    ['rohan', { autoMax: 349 }],
  ] as const)
    await browserOf(buyers, name).waiting.wait({ productId, duration: '1 Month', ...wish })
}

async function openShop(owner: Client<Api>): Promise<void> {
  await owner.settings.saveUpi({ upiId: 'chaabi.demo@okaxis', paymentEnabled: true })
  await owner.settings.saveNotice({ text: 'Payments made between 1 am and 6 am are approved after 7 am.' })
  await owner.referrals.create({ code: 'WELCOME50', description: '₹50 to start with', maxUsage: 500, rewardAmount: 50 })
  await owner.referrals.create({ code: 'FRIENDS', description: 'For friends of the store' })
  for (const [amount, bonus] of [
    [200, 200],
    [500, 550],
    [1_000, 1_150],
    [2_000, 2_400],
  ] as const)
    await owner.payments.createPlan({ amount, bonus })
  for (const product of PRODUCTS) {
    const initials = product.name.replaceAll(/[^A-Z]/g, '')
    await addProduct(owner, { ...product, keyText: (index, n) => keyText(initials, index * 1_000 + n) })
  }
  await giveFace(owner)
}

function browserOf(buyers: Demo['buyers'], name: string): Client<Api> {
  const browser = buyers.get(name)
  if (!browser) throw new Error(`No buyer ${name}`)
  return browser
}

/** Makes a text that looks like a key, such as "SSP0-8F2Q-77KD-XM4P". Each is different. */
function keyText(initials: string, n: number): string {
  const dice = seededDice(n * 7_919 + initials.length * 104_729 + initials.charCodeAt(0) * 31 + initials.charCodeAt(1))
  const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
  const group = () => Array.from({ length: 4 }, () => alphabet[dice(alphabet.length)]).join('')
  return `${initials.padEnd(3, 'X').slice(0, 3)}${n % 10}-${group()}-${group()}-${group()}`
}

/** Makes dice that fall the same way every time (mulberry32). */
function seededDice(seed: number): (sides: number) => number {
  let state = seed >>> 0
  return (sides) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides)
  }
}

/** Makes a browser with its own cookies that calls the store inside this process. */
function visitor(http: FastifyInstance, userAgent: string): Client<Api> {
  const cookies = new Map<string, string>()
  return createClient<Api>(endpointTable(api), async ({ method, url, body }) => {
    const answer = await http.inject({
      method: method as 'GET',
      url: `/api${url}`,
      headers: {
        'user-agent': userAgent,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    })
    for (const { name, value } of answer.cookies) cookies.set(name, value)
    if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.body}`)
    return answer.json<unknown>()
  })
}

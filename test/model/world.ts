/**
 * The content of a store, as plain maps: the in-memory model works on it, and a database is read into it.
 * Nothing here knows how the store keeps its books.
 */

/** Moments are milliseconds since 1970, money is paise. */
export interface World {
  now: number
  /** Days after which topped-up credit expires. */
  validityDays: number | null
  /** By username. */
  users: Map<string, Person>
  /** By the hash of its cookie. */
  sessions: Map<string, Session>
  /** By the price's id. */
  prices: Map<string, Price>
  /** By its text. */
  keys: Map<string, Key>
  /** By id. */
  payments: Map<string, Payment>
  /** By id. */
  plans: Map<string, Plan>
  /** By code. */
  referrals: Map<string, Referral>
  /** By its text. */
  vouchers: Map<string, Voucher>
  /** By id. */
  orders: Map<string, Order>
}

export interface Person {
  /** Credit by the moment at which it expires; `Infinity` for never. No entry is zero. */
  credit: ReadonlyMap<number, number>
  /** Deductions that end before the credit from which they were taken. */
  returns: readonly Return[]
  /** By the price's id. */
  ownPrices: ReadonlyMap<string, number>
  /** Product ids. */
  hidden: readonly string[]
  /** Hash of the one device's cookie. */
  device: string | null
  lockedAt: number | null
}

export interface Return {
  at: number
  /** When the credit expires to which the amount returns. */
  expiry: number
  amount: number
}

export interface Session {
  username: string
  device: string
  createdAt: number
  lastActiveAt: number
  endReason: string | null
}

export interface Price {
  productId: string
  duration: string
  amount: number
  /** How many keys one buyer may ever buy. */
  perBuyer: number | null
}

export interface Key {
  /** Unknown until the database has been read again. */
  id: string | undefined
  priceId: string
  orderId: string | null
}

export interface Payment {
  username: string
  amount: number
  credit: number
  utr: string
  status: string
  hidden: boolean
}

export interface Plan {
  amount: number
  credit: number
  isActive: boolean
}

export interface Referral {
  maxUsage: number | null
  reward: number
  uses: number
}

/** A redeem code. */
export interface Voucher {
  batchId: string
  isGift: boolean
  amount: number
  /** Until when it can be redeemed. */
  until: number
  /** The days that its credit lasts. */
  days: number
  username: string | null
  /** When the credit expires; 0 before. */
  expiry: number
}

export interface Order {
  username: string
  idempotencyKey: string | null
  productId: string
  duration: string
  quantity: number
  amount: number
  balanceAfter: number
}

/** Entries are replaced and never changed, so that a copy of the maps is a copy of the world. */
export function copyOf(world: World): World {
  return {
    now: world.now,
    validityDays: world.validityDays,
    users: new Map(world.users),
    sessions: new Map(world.sessions),
    prices: new Map(world.prices),
    keys: new Map(world.keys),
    payments: new Map(world.payments),
    plans: new Map(world.plans),
    referrals: new Map(world.referrals),
    vouchers: new Map(world.vouchers),
    orders: new Map(world.orders),
  }
}

/** Returns the person as of this moment: without expired credit, and with deductions that ended. */
export function settled(person: Person, now: number): Person {
  const isDue = person.returns.some(({ at }) => at <= now) || [...person.credit.keys()].some((expiry) => expiry <= now)
  if (!isDue) return person
  const credit = new Map(person.credit)
  for (const { at, expiry, amount } of person.returns)
    if (at <= now) credit.set(expiry, (credit.get(expiry) ?? 0) + amount)
  for (const expiry of credit.keys()) if (expiry <= now) credit.delete(expiry)
  return { ...person, credit, returns: person.returns.filter(({ at }) => at > now) }
}

export function balanceOf(person: Person): number {
  return [...person.credit.values()].reduce((sum, amount) => sum + amount, 0)
}

/** Every fact of a world on a line of its own, sorted: two worlds are the same when their lines are. */
export function linesOf(world: World): string[] {
  const lines: string[] = []
  for (const [name, person] of world.users) {
    const { credit, returns, ownPrices, hidden, device, lockedAt } = settled(person, world.now)
    for (const [expiry, amount] of credit) lines.push(`${name} has ${amount} until ${expiry}`)
    const byTerm = new Map<string, number>()
    for (const { at, expiry, amount } of returns) {
      const term = `${name} gets back at ${at} until ${expiry}`
      byTerm.set(term, (byTerm.get(term) ?? 0) + amount)
    }
    for (const [term, amount] of byTerm) lines.push(`${term}: ${amount}`)
    for (const [priceId, amount] of ownPrices) lines.push(`${name} pays ${amount} for ${priceId}`)
    for (const productId of hidden) lines.push(`${name} does not see ${productId}`)
    lines.push(`${name} is on device ${device} since ${lockedAt}`)
  }
  for (const [token, { username, device, createdAt, lastActiveAt, endReason }] of world.sessions)
    lines.push(
      `session ${token} of ${username} on ${device} from ${createdAt}: ${endReason ?? `open, used at ${lastActiveAt}`}`,
    )
  for (const [id, { amount, perBuyer }] of world.prices) lines.push(`price ${id} is ${amount}, at most ${perBuyer}`)
  for (const [text, { username, expiry }] of world.vouchers)
    if (username !== null) lines.push(`code ${text} is redeemed by ${username} until ${expiry}`)
  for (const [text, { priceId, orderId }] of world.keys) lines.push(`key ${text} of ${priceId} is in order ${orderId}`)
  for (const [id, payment] of world.payments) lines.push(`payment ${id}: ${JSON.stringify(payment)}`)
  for (const [id, plan] of world.plans) lines.push(`plan ${id}: ${JSON.stringify(plan)}`)
  for (const [code, { uses }] of world.referrals) lines.push(`code ${code} was used ${uses} times`)
  for (const [id, order] of world.orders) lines.push(`order ${id}: ${JSON.stringify(order)}`)
  return lines.sort()
}

export function differenceOf(expected: readonly string[], found: readonly string[]): string[] {
  const has = new Set(found)
  const had = new Set(expected)
  return [
    ...expected.filter((line) => !has.has(line)).map((line) => `- ${line}`),
    ...found.filter((line) => !had.has(line)).map((line) => `+ ${line}`),
  ]
}

/** Commands to a store, as numbers that name a user, a price or a payment of a tiny world, and their calls. */
import fc from 'fast-check'
import { DAY_MS, HOUR_MS } from '../../contract/time.ts'

export const USERS = 3
export const PLACES = 2
export const PLANS = 2
export const CODES = 2
export const KEYS = 12
export const UTRS = 4
/** Redeem codes: of each kind, a gift and a sold one. */
export const VOUCHERS = 2

/** Ways in which a person writes one and the same UTR. */
const DISGUISES: readonly ((utr: string) => string | number)[] = [
  (utr) => utr,
  (utr) => `0000${utr}`,
  (utr) => Number(utr),
  (utr) => ` ${utr.slice(0, 4)} ${utr.slice(4, 8)}-${utr.slice(8)} `,
  (utr) => `UPI Ref No: ${utr}`,
  (utr) => utr.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (utr) => utr.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x0966 + Number(digit))),
]

export type Command =
  | { type: 'register'; code: number; name: number }
  | { type: 'addMoney'; user: number; utr: number; disguise: number; amount: number; plan: number | null }
  | { type: 'approve' | 'reject' | 'removePayment'; payment: number }
  | { type: 'buy'; user: number; place: number; quantity: number; key: number | null }
  | { type: 'adjust'; user: number; amount: number; days: number | null | undefined }
  | { type: 'ownPrice'; user: number; place: number; amount: number | null }
  | { type: 'hide'; user: number; place: number; isHidden: boolean }
  | { type: 'listPrice'; place: number; amount: number; most: number | null | undefined }
  | { type: 'redeem'; user: number; isGift: boolean; voucher: number }
  | { type: 'plan'; plan: number; isActive: boolean; credit: number }
  | { type: 'addKeys'; place: number; keys: number[] }
  | { type: 'removeKey'; key: number }
  | { type: 'removeAll'; place: number }
  | { type: 'login' | 'logout'; user: number; device: number }
  | { type: 'reset' | 'look' | 'history'; user: number }
  | { type: 'stock' }

export interface Round {
  /** How far the clock moves before the round. */
  advanceMs: number
  /** All on one node, so that purchases share transactions; or spread over two. */
  nodes: 1 | 2
  /** Sent at the same moment. */
  commands: Command[]
}

export interface Story {
  balances: number[]
  prices: number[]
  validityDays: number | null
  rounds: Round[]
}

/** A command as it went out: with the ids that its numbers stood for, the cookies that it carried, and the answer. */
export interface Sent {
  command: Command
  username: string
  /** Hashes of the cookies. */
  device: string | undefined
  token: string | undefined
  priceId: string
  planId: string | undefined
  paymentId: string
  keyId: string
  texts: string[]
  utr: string
  code: string
  voucher: string
  newName: string
  idempotencyKey: string | null
  answer: Answer
}

export interface Answer {
  status: number
  body: Record<string, unknown>
  /** Hash of the session cookie that the answer sets. */
  token: string | undefined
}

const user = fc.nat(USERS - 1)
const place = fc.nat(PLACES - 1)
/** Some of the amounts are such that a float falls short of them: 4.35 × 100 is 434.99999999999994. */
const price = fc.constantFrom(0, 1, 1_010, 1_999, 3_333, 10_000)
const payment = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(4) })
const texts = fc.uniqueArray(fc.nat(KEYS - 1), { minLength: 1, maxLength: 5, size: 'max' })

const buy: fc.Arbitrary<Command> = fc.record({
  type: fc.constant('buy'),
  user,
  place: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: place }),
  quantity: fc.constantFrom(1, 1, 1, 2, 3),
  key: fc.option(fc.nat(3), { nil: null, freq: 2 }),
})
const addMoney: fc.Arbitrary<Command> = fc.record({
  type: fc.constant('addMoney'),
  user,
  utr: fc.nat(UTRS - 1),
  disguise: fc.nat(DISGUISES.length - 1),
  amount: fc.constantFrom(100, 1_999, 435, 10_001),
  plan: fc.option(fc.nat(PLANS - 1), { nil: null, freq: 2 }),
})
const decision: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('approve' as const), payment }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('reject' as const), payment }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('removePayment' as const), payment }) },
)
const adjust: fc.Arbitrary<Command> = fc.record({
  type: fc.constant('adjust'),
  user,
  amount: fc.constantFrom(1, 1_010, 435, 5_003, 10_000, -1, -1_010, -435, -5_003, -10_000),
  days: fc.constantFrom(1, 2, 3, null, undefined),
})
const register: fc.Arbitrary<Command> = fc.record({
  type: fc.constant('register'),
  code: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(CODES - 1) }),
  name: fc.nat(5),
})
const redeem: fc.Arbitrary<Command> = fc.record({
  type: fc.constant('redeem'),
  user,
  isGift: fc.boolean(),
  voucher: fc.nat(VOUCHERS - 1),
})
const addKeys: fc.Arbitrary<Command> = fc.record({ type: fc.constant('addKeys'), place, keys: texts })
const device = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) })

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 24, arbitrary: buy },
  { weight: 9, arbitrary: addMoney },
  { weight: 12, arbitrary: decision },
  { weight: 8, arbitrary: adjust },
  { weight: 2, arbitrary: register },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('ownPrice'), user, place, amount: fc.option(price, { nil: null }) }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('hide'), user, place, isHidden: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('listPrice'),
      place,
      amount: price,
      most: fc.constantFrom(undefined, null, 1, 2, 4),
    }),
  },
  { weight: 3, arbitrary: redeem },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('plan'),
      plan: fc.nat(PLANS - 1),
      isActive: fc.boolean(),
      credit: fc.constantFrom(2_000, 3_030),
    }),
  },
  { weight: 9, arbitrary: addKeys },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('removeKey'), key: fc.nat(KEYS - 1) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('removeAll'), place }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('login'), user, device }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('logout'), user, device }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('reset'), user }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('look'), user }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('history'), user }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('stock') }) },
)

const several = (least: number, most: number, one: fc.Arbitrary<Command>) =>
  fc.array(one, { minLength: least, maxLength: most, size: 'max' })

/** The same thing at the same moment: a double click, a retry, two admins. */
const twice = fc
  .tuple(fc.oneof(buy, decision, addMoney, adjust, redeem, command), fc.integer({ min: 2, max: 4 }))
  .map(([one, times]) => Array<Command>(times).fill(one))

/** Several hands in one wallet. */
const oneWallet = fc
  .tuple(user, several(2, 4, fc.oneof(buy, buy, adjust, redeem)))
  .map(([user, commands]) => commands.map((each): Command => ({ ...each, user }) as Command))

const commands = fc.oneof(
  { weight: 8, arbitrary: several(2, 4, command) },
  { weight: 3, arbitrary: several(5, 6, command) },
  { weight: 5, arbitrary: twice },
  { weight: 4, arbitrary: oneWallet },
  { weight: 2, arbitrary: several(2, 4, decision) },
  { weight: 2, arbitrary: several(3, 6, buy) },
  { weight: 1, arbitrary: several(2, 3, register) },
  { weight: 1, arbitrary: several(2, 4, redeem) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(addMoney, several(1, 3, addMoney))
      .map(([first, others]) => [
        first,
        ...others.map((each) => ({ ...each, utr: (first as { utr: number }).utr }) as Command),
      ]),
  },
)

const advanceMs = fc.oneof(
  { weight: 8, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.constantFrom(61_000, HOUR_MS, DAY_MS - 1, DAY_MS, DAY_MS, 2 * DAY_MS, 3 * DAY_MS) },
  { weight: 1, arbitrary: fc.constantFrom(7 * DAY_MS, 60 * DAY_MS) },
)

export function stories(roundsMax: number): fc.Arbitrary<Story> {
  return fc.record({
    balances: fc.array(fc.constantFrom(0, 1_999, 5_057, 12_345), { minLength: USERS, maxLength: USERS }),
    prices: fc.array(fc.constantFrom(1_010, 1_999, 3_333), { minLength: PLACES, maxLength: PLACES }),
    validityDays: fc.option(fc.constantFrom(1, 3), { nil: null }),
    rounds: fc.array(
      fc.record({ advanceMs, nodes: fc.constantFrom(1 as const, 2 as const, 2 as const, 2 as const), commands }),
      { minLength: 1, maxLength: roundsMax, size: 'max' },
    ),
  })
}

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: Record<string, unknown>
  by: 'user' | 'admin' | 'nobody'
}

const rupees = (amount: number): number => amount / 100

interface Store {
  userId: string
  password: string
  productOf(priceId: string): { productId: string; productName: string; duration: string }
}

/** Of one that says nothing of it, the limit stays. */
const limitOf = ({ most }: { most: number | null | undefined }) => (most === undefined ? {} : { perBuyer: most })

/** The call that a command makes. @param productOf the product and duration of a price */
export function requestOf(sent: Omit<Sent, 'answer'>, { userId, password, productOf }: Store): Request {
  const { command } = sent
  const { productId, productName, duration } = productOf(sent.priceId)
  const credentials = { username: sent.username, password }
  const userPath = `/admin/users/${userId}/custom-prices`
  switch (command.type) {
    case 'register': {
      const body = { email: `${sent.newName}@example.in`, username: sent.newName, password, referralCode: sent.code }
      return { method: 'POST', path: '/auth/register', body, by: 'nobody' }
    }
    case 'addMoney': {
      const written = DISGUISES[command.disguise]?.(sent.utr)
      const meta = sent.planId === undefined ? {} : { meta: { offer: true, planId: sent.planId } }
      const body = { amount: rupees(command.amount), utr: written, payerName: '9876543210', ...meta }
      return { method: 'POST', path: '/payments/add-money', body, by: 'user' }
    }
    case 'approve':
      return { method: 'PUT', path: `/payments/${sent.paymentId}/approve`, by: 'admin' }
    case 'reject':
      return { method: 'PUT', path: `/payments/${sent.paymentId}/reject`, by: 'admin' }
    case 'removePayment':
      return { method: 'DELETE', path: `/payments/${sent.paymentId}`, by: 'admin' }
    case 'buy':
      return {
        method: 'POST',
        path: '/keys/buy',
        body: { productId, duration, quantity: command.quantity },
        by: 'user',
      }
    case 'adjust': {
      const terms = command.days === undefined ? {} : { expiresInDays: command.days }
      return { method: 'PUT', path: userPath, body: { balance: rupees(command.amount), ...terms }, by: 'admin' }
    }
    case 'ownPrice': {
      const { amount } = command
      const body = { customPrices: [{ productId, duration, price: amount === null ? '' : rupees(amount) }] }
      return { method: 'PUT', path: userPath, body, by: 'admin' }
    }
    case 'hide': {
      const body = { hiddenProducts: command.isHidden ? [productId] : [] }
      return { method: 'PUT', path: userPath, body, by: 'admin' }
    }
    case 'listPrice': {
      const price = { _id: sent.priceId, duration, price: rupees(command.amount), ...limitOf(command) }
      return {
        method: 'PUT',
        path: `/products/${productId}`,
        body: { name: productName, prices: [price] },
        by: 'admin',
      }
    }
    case 'redeem':
      return { method: 'POST', path: '/wallet/redeem', body: { code: sent.voucher }, by: 'user' }
    case 'plan': {
      const body = { isActive: command.isActive, bonus: rupees(command.credit) }
      return { method: 'PUT', path: `/payments/topup-plans/${sent.planId}`, body, by: 'admin' }
    }
    case 'addKeys':
      return { method: 'POST', path: '/keys/bulk', body: { productId, duration, keys: sent.texts }, by: 'admin' }
    case 'removeKey':
      return { method: 'DELETE', path: `/keys/${sent.keyId}`, by: 'admin' }
    case 'removeAll':
      return { method: 'DELETE', path: `/keys/bulk/${productId}/${encodeURIComponent(duration)}`, by: 'admin' }
    case 'login':
      return { method: 'POST', path: '/auth/login', body: credentials, by: 'user' }
    case 'logout':
      return { method: 'POST', path: '/auth/logout', by: 'user' }
    case 'reset':
      return { method: 'POST', path: '/auth/reset-device-lock', body: credentials, by: 'nobody' }
    case 'look':
      return { method: 'GET', path: '/auth/me', by: 'user' }
    case 'history':
      return { method: 'GET', path: '/auth/balance-history', by: 'user' }
    case 'stock':
      break
  }
  return { method: 'GET', path: '/keys/all-stats', by: 'nobody' }
}

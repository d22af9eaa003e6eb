/** Renewals and invitations in a tiny world: what buyers and friends do, what the owner does, and the store's jobs. */
import fc from 'fast-check'
import { HOUR_MS } from '../../contract/time.ts'
import { USERS } from './commands.ts'

/** Come after the buyers, and join by the code of the first of them. */
export const FRIENDS = 3
/** Bank accounts from which money comes. The last two are the first buyer's and one that nobody shares by chance. */
export const PAYERS = 4

export type GrowthCommand =
  | { type: 'buy'; user: number; quantity: number }
  | { type: 'renew'; user: number; key: number; repeat: boolean; max: number | null }
  | { type: 'stop'; user: number; renewal: number }
  | { type: 'due' | 'pay' }
  | { type: 'price'; amount: number; step: number | null }
  | { type: 'addKeys'; count: number }
  | { type: 'adjust'; user: number; amount: number }
  | { type: 'join'; friend: number; isSameBrowser: boolean }
  | { type: 'ask'; friend: number; payer: number; amount: number }
  | { type: 'statement'; most: number }
  | { type: 'approve' | 'takeBack'; payment: number }

export interface GrowthRound {
  /** How far the clock moves before the round. */
  advanceMs: number
  commands: GrowthCommand[]
}

export interface GrowthStory {
  growthRounds: GrowthRound[]
}

const user = fc.nat(USERS - 1)
const friend = fc.nat(FRIENDS - 1)
const payment = fc.nat(2)
/** In paise. */
const amount = fc.constantFrom(1_999, 3_333, 5_000)

const due: fc.Arbitrary<GrowthCommand> = fc.constant({ type: 'due' })
const pay: fc.Arbitrary<GrowthCommand> = fc.constant({ type: 'pay' })
const buy: fc.Arbitrary<GrowthCommand> = fc.record({
  type: fc.constant('buy'),
  user: fc.nat(USERS + FRIENDS - 1),
  quantity: fc.constantFrom(1, 1, 2),
})
const renew: fc.Arbitrary<GrowthCommand> = fc.record({
  type: fc.constant('renew'),
  user,
  key: fc.constantFrom(0, 0, 0, 1),
  repeat: fc.boolean(),
  max: fc.option(amount, { nil: null, freq: 2 }),
})
const stop: fc.Arbitrary<GrowthCommand> = fc.record({
  type: fc.constant('stop'),
  user,
  renewal: fc.constantFrom(0, 0, 1),
})
const price: fc.Arbitrary<GrowthCommand> = fc.record({
  type: fc.constant('price'),
  amount,
  step: fc.option(fc.constantFrom(1_000, 1_500), { nil: null }),
})
const adjust: fc.Arbitrary<GrowthCommand> = fc.record({
  type: fc.constant('adjust'),
  user,
  amount: fc.constantFrom(10_000, -3_333, -5_000),
})
const addKeys: fc.Arbitrary<GrowthCommand> = fc.record({
  type: fc.constant('addKeys'),
  count: fc.integer({ min: 1, max: 4 }),
})
const join: fc.Arbitrary<GrowthCommand> = fc.record({
  type: fc.constant('join'),
  friend,
  isSameBrowser: fc.constantFrom(false, false, false, true),
})
const ask: fc.Arbitrary<GrowthCommand> = fc.record({
  type: fc.constant('ask'),
  friend,
  payer: fc.nat(PAYERS - 1),
  amount: fc.constantFrom(20_000, 20_000, 50_000, 19_900),
})
const statement: fc.Arbitrary<GrowthCommand> = fc.record({
  type: fc.constant('statement'),
  most: fc.integer({ min: 1, max: 4 }),
})
const approve: fc.Arbitrary<GrowthCommand> = fc.record({ type: fc.constant('approve'), payment })
const takeBack: fc.Arbitrary<GrowthCommand> = fc.record({ type: fc.constant('takeBack'), payment })

const weighed = <T>(...each: [weight: number, arbitrary: fc.Arbitrary<T>][]): fc.Arbitrary<T> =>
  fc.oneof(...each.map(([weight, arbitrary]) => ({ weight, arbitrary })))

const command = weighed([5, buy], [6, renew], [3, stop], [3, due], [2, price], [2, adjust], [2, addKeys])
const ofInvites = weighed([4, join], [5, ask], [4, approve], [4, statement], [2, takeBack], [3, pay], [1, buy])
const some = (one: fc.Arbitrary<GrowthCommand>, least: number) =>
  fc.array(one, { minLength: least, maxLength: 4, size: 'max' })

/** Both nodes buy what is due, while its buyer does something. */
const atTheEnd = fc
  .tuple(user, some(fc.oneof(stop, buy, adjust, renew, price), 1))
  .map(([user, others]): GrowthCommand[] => [
    { type: 'due' },
    ...others.map((each) => ('user' in each ? { ...each, user } : each)),
    { type: 'due' },
  ])

const commands = weighed<GrowthCommand[]>(
  [4, some(command, 2)],
  [3, some(ofInvites, 2)],
  [4, atTheEnd],
  // Alone, and so what they must do is known
  [5, fc.constant([{ type: 'due' }])],
  [2, fc.constant([{ type: 'pay' }])],
  [1, fc.constant([{ type: 'pay' }, { type: 'pay' }])],
)

/** Keys last 72 hours. Buyers get their message by day only, from 36 hours before. */
const advanceMs = fc.constantFrom(...[0, 0, 0, 1, 12, 24, 25, 72].map((hours) => hours * HOUR_MS))

const round: fc.Arbitrary<GrowthRound[]> = fc.record({ advanceMs, commands }).map((one) => [one])
/** A friend comes and pays, sometimes by another's bank account, and at once somebody meddles. */
const visit: fc.Arbitrary<GrowthRound[]> = fc
  .tuple(join, ask, fc.array(ofInvites, { maxLength: 2 }), fc.boolean())
  .map(([joins, asks, others, isEarly]) => {
    const of = 'friend' in joins ? joins.friend : 0
    const rounds: GrowthCommand[][] = [
      [joins],
      [{ ...asks, friend: of } as GrowthCommand],
      [{ type: 'approve', payment: 0 }, ...(isEarly ? [] : [{ type: 'statement' as const, most: 4 }])],
      [...others, { type: 'statement', most: 4 }, { type: 'pay' }],
      [{ type: 'pay' }],
    ]
    return rounds.map((each) => ({ advanceMs: 0, commands: each }))
  })

/** A buyer’s key renews, and at its end somebody meddles. The first job may tell him, by the time of day. */
const life: fc.Arbitrary<GrowthRound[]> = fc
  .tuple(buy, renew, fc.constantFrom(36, 40, 48), fc.array(command, { maxLength: 3 }), user)
  .map(([buys, renews, firstHours, others, of]) => {
    const own = (each: GrowthCommand): GrowthCommand => ('user' in each ? { ...each, user: of } : each)
    const due: GrowthCommand = { type: 'due' }
    return [
      { advanceMs: 0, commands: [own(buys)] },
      { advanceMs: 0, commands: [own(renews)] },
      { advanceMs: firstHours * HOUR_MS, commands: [due] },
      { advanceMs: (72 - firstHours) * HOUR_MS, commands: [due, ...others.map(own), due] },
      { advanceMs: HOUR_MS, commands: [due] },
    ]
  })

export const growthStories = (partsMax: number): fc.Arbitrary<GrowthStory> =>
  fc
    .array(weighed([4, round], [2, life], [1, visit]), {
      minLength: 3,
      maxLength: partsMax,
      size: 'max',
    })
    .map((parts) => ({ growthRounds: parts.flat() }))

/** Events of the bank inbox of a tiny world: alerts, statements, requests and decisions. */
import fc from 'fast-check'
import { USERS } from './commands.ts'

export const BANK_UTRS = 5

export type BankCommand =
  | { type: 'ask'; user: number; utr: number; amount: number; isPlan: boolean }
  | { type: 'alert'; utr: number; amount: number }
  | { type: 'statement'; lines: Line[]; isBroken: boolean }
  | { type: 'approve' | 'reject' | 'takeBack'; payment: number }
  | { type: 'creditTo'; credit: number; user: number }
  | { type: 'setAside'; credit: number; isBack: boolean }
  | { type: 'rules'; mode: 'propose' | 'auto-known' | 'auto'; trusts: 'statement' | 'phone'; unprovenMax: number }
  | { type: 'resume' }
  | { type: 'settleLeft' }

export interface Line {
  utr: number
  amount: number
  /** The payment whose reference the payer wrote into the note. */
  note: number | null
}

export interface BankRound {
  /** How far the clock moves before the round. */
  advanceMs: number
  commands: BankCommand[]
}

const user = fc.nat(USERS - 1)
const utr = fc.nat(BANK_UTRS - 1)
/** In paise. Two of them are the same in whole rupees. */
export const AMOUNTS = [1_999, 1_950, 500]
/** The credit of a plan, by amount. */
export const planCredit = (amount: number): number => amount + 1_000
const amount = fc.constantFrom(1_999, ...AMOUNTS)
const payment = fc.nat(4)
const credit = fc.nat(3)
const line: fc.Arbitrary<Line> = fc.record({ utr, amount, note: fc.option(utr, { nil: null, freq: 2 }) })

const ask: fc.Arbitrary<BankCommand> = fc.record({ type: fc.constant('ask'), user, utr, amount, isPlan: fc.boolean() })
const alert: fc.Arbitrary<BankCommand> = fc.record({ type: fc.constant('alert'), utr, amount })
const statement: fc.Arbitrary<BankCommand> = fc.record({
  type: fc.constant('statement'),
  lines: fc.uniqueArray(line, { minLength: 3, maxLength: 5, size: 'max', selector: (each) => each.utr }),
  isBroken: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
})
const setAside: fc.Arbitrary<BankCommand> = fc.record({
  type: fc.constant('setAside'),
  credit,
  isBack: fc.oneof({ weight: 2, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
})
const decision = (type: 'approve' | 'reject' | 'takeBack'): fc.Arbitrary<BankCommand> =>
  fc.record({ type: fc.constant(type), payment })
const rules: fc.Arbitrary<BankCommand> = fc.record({
  type: fc.constant('rules'),
  mode: fc.constantFrom('propose', 'auto-known', 'auto', 'auto', 'auto'),
  trusts: fc.constantFrom('statement', 'phone', 'phone'),
  unprovenMax: fc.constantFrom(2_000, 4_000, 100_000),
})

const command: fc.Arbitrary<BankCommand> = fc.oneof(
  { weight: 8, arbitrary: ask },
  { weight: 6, arbitrary: alert },
  { weight: 4, arbitrary: statement },
  { weight: 2, arbitrary: decision('approve') },
  { weight: 1, arbitrary: decision('reject') },
  { weight: 2, arbitrary: decision('takeBack') },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('creditTo'), credit, user }) },
  { weight: 3, arbitrary: setAside },
  { weight: 2, arbitrary: rules },
  { weight: 1, arbitrary: fc.constantFrom({ type: 'resume' as const }, { type: 'settleLeft' as const }) },
)

/** Each buyer claims a transfer of their own, and the alerts of them all come at once. */
const rush = fc
  .tuple(amount, fc.boolean())
  .map(([each, isAlerted]) =>
    Array.from({ length: USERS }, (_, n): BankCommand =>
      isAlerted
        ? { type: 'alert', utr: n, amount: each }
        : { type: 'ask', user: n, utr: n, amount: each, isPlan: n === 0 },
    ),
  )
/** One transfer, from every side. */
const oneTransfer = fc
  .tuple(utr, amount, user, fc.array(fc.oneof(ask, alert, setAside), { minLength: 2, maxLength: 4, size: 'max' }))
  .map(([which, paid, by, others]) => [
    { type: 'ask' as const, user: by, utr: which, amount: paid, isPlan: false },
    ...others.map((each) => ('utr' in each ? { ...each, utr: which, amount: paid } : each)),
  ])

const commands = fc.oneof(
  { weight: 6, arbitrary: fc.array(command, { minLength: 2, maxLength: 5, size: 'max' }) },
  { weight: 2, arbitrary: rush },
  { weight: 3, arbitrary: oneTransfer },
)

export interface BankStory {
  rules: Extract<BankCommand, { type: 'rules' }>
  bankRounds: BankRound[]
}

export function bankStories(roundsMax: number): fc.Arbitrary<BankStory> {
  return fc.record({
    rules: rules as fc.Arbitrary<BankStory['rules']>,
    bankRounds: fc.array(
      fc.record({
        advanceMs: fc.constantFrom(1_000, 61_000, 3_600_000, 24 * 3_600_000),
        commands,
      }),
      { minLength: 1, maxLength: roundsMax, size: 'max' },
    ),
  })
}

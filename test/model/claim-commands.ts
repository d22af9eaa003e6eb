/** Reports of bad keys in a tiny world, and what the store answers to them. */
import fc from 'fast-check'
import { HOUR_MS } from '../../contract/time.ts'
import { USERS } from './commands.ts'

export const CLAIM_KEYS = 14
const BATCHES = 4

export type ClaimCommand =
  | { type: 'buy'; user: number; quantity: number }
  | { type: 'addKeys'; keys: number[] }
  | { type: 'claim'; user: number; key: number; reason: 'never-worked' | 'stopped' }
  | { type: 'withdraw' | 'replace' | 'reject'; claim: number }
  | { type: 'refund'; claim: number; rule: 'full' | 'unused' }
  | { type: 'recall'; batch: number }
  | { type: 'answerAll'; batch: number; do: 'replace' | 'unused' | 'full' }

export interface ClaimRound {
  /** How far the clock moves before the round. */
  advanceMs: number
  commands: ClaimCommand[]
}

export interface ClaimStory {
  claimRounds: ClaimRound[]
}

const user = fc.nat(USERS - 1)
/** The newest is the most likely to be open. */
const claim = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(3) })
const batch = fc.nat(BATCHES - 1)
const rule = fc.constantFrom('full' as const, 'unused' as const, 'unused' as const)

const report: fc.Arbitrary<ClaimCommand> = fc.record({
  type: fc.constant('claim'),
  user,
  key: fc.nat(3),
  reason: fc.constantFrom('never-worked' as const, 'stopped' as const),
})
const buy: fc.Arbitrary<ClaimCommand> = fc.record({
  type: fc.constant('buy'),
  user,
  quantity: fc.constantFrom(1, 1, 2, 3),
})
const refund: fc.Arbitrary<ClaimCommand> = fc.record({ type: fc.constant('refund'), claim, rule })
const decision: fc.Arbitrary<ClaimCommand> = fc.oneof(
  { weight: 4, arbitrary: refund },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('replace' as const), claim }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reject' as const), claim }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('withdraw' as const), claim }) },
)
const command: fc.Arbitrary<ClaimCommand> = fc.oneof(
  { weight: 6, arbitrary: report },
  { weight: 5, arbitrary: decision },
  { weight: 4, arbitrary: buy },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('addKeys' as const),
      keys: fc.uniqueArray(fc.nat(CLAIM_KEYS - 1), { minLength: 2, maxLength: 5, size: 'max' }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('recall' as const), batch }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('answerAll' as const),
      batch,
      do: fc.constantFrom('replace' as const, 'unused' as const, 'full' as const),
    }),
  },
)

/** Two admins at one claim, or an admin and its buyer. */
const together = fc
  .tuple(claim, fc.array(decision, { minLength: 2, maxLength: 3 }))
  .map(([claim, all]) => all.map((each) => ({ ...each, claim }) as ClaimCommand))

const commands = fc.oneof(
  { weight: 4, arbitrary: fc.array(command, { minLength: 2, maxLength: 4, size: 'max' }) },
  { weight: 3, arbitrary: together },
  { weight: 1, arbitrary: fc.array(report, { minLength: 2, maxLength: 3, size: 'max' }) },
)

/** Sessions and credit last longer than all rounds together. */
const advanceMs = fc.constantFrom(0, 0, HOUR_MS, 6 * HOUR_MS, 11 * HOUR_MS)

export const claimStories = (roundsMax: number): fc.Arbitrary<ClaimStory> =>
  fc.record({
    claimRounds: fc.array(fc.record({ advanceMs, commands }), { minLength: 2, maxLength: roundsMax, size: 'max' }),
  })

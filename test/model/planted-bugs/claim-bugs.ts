/** Mistakes in what becomes of bad keys, and in what is given once a person. */
import type { PlantedBug } from './plant.ts'

export const claimBugs: readonly PlantedBug[] = [
  {
    name: 'claims: a refund goes to the head of the split',
    changes: [{ file: 'server/wallet/refund.ts', find: 'of shares.toReversed()) {', replace: 'of shares) {' }],
  },
  {
    name: 'claims: answered without the lock',
    test: 'server/claims/races.test.ts',
    changes: [{ file: 'server/claims/decide-claims.ts', find: 'order by id for update`', replace: 'order by id`' }],
  },
  {
    name: 'claims: a recall leaves stock',
    changes: [
      {
        file: 'server/keys/withdraw-keys.ts',
        find: 'const WITHDRAWN_AT_ONCE = 1_000',
        replace: 'const WITHDRAWN_AT_ONCE = 2',
      },
      { file: 'server/keys/withdraw-keys.ts', find: 'isLast: !left', replace: 'isLast: left || !left' },
    ],
  },
  {
    name: 'claims: the unused part is that of the answer',
    changes: [
      {
        file: 'server/claims/decide-claims.ts',
        find: 'claim.created_at as reported_at',
        replace: '${now}::timestamptz as reported_at',
      },
    ],
  },
  {
    name: 'claims: money that never came is refunded',
    test: 'server/bank/credits/take-back.test.ts',
    changes: [
      {
        file: 'server/claims/decide-claims.ts',
        find: 'await takeRefundsBack(tx, [...new Set(refunds.map(({ userId }) => userId))], by)',
        replace: 'await takeRefundsBack(tx, [], by)',
      },
    ],
  },
  {
    name: 'claims: a chain of replacements',
    test: 'server/claims/chains.test.ts',
    changes: [
      {
        file: 'server/claims/answer-claim.ts',
        find: 'if (claim.isReplacement && !answersForMoney(by.admin.role))',
        replace: "if (claim.isReplacement && by.admin.role === 'read-only')",
      },
    ],
  },
  {
    name: 'referrals: a reward per spelling',
    test: 'server/referrals/rewards.test.ts',
    changes: [
      {
        file: 'server/sessions/register.ts',
        find: 'mailbox: mailboxFingerprint(sealer, email)',
        replace: 'mailbox: sealer.fingerprint(email)',
      },
    ],
  },
  {
    name: 'claims: a recall deletes what is being sold',
    changes: [
      {
        file: 'server/keys/withdraw-keys.ts',
        find: 'order by seq limit ${literal(WITHDRAWN_AT_ONCE)} for update',
        replace: 'order by seq limit ${literal(WITHDRAWN_AT_ONCE)}',
      },
    ],
  },
]

/** Mistakes in what invitations pay. */
import type { PlantedBug } from './plant.ts'

const at = (name: string) => `server/referrals/invites/${name}`
const races = at('races.test.ts')

const WALLETS = '  await lockWallets(tx, [friendId, inviterId], now, { wait: true })\n'

export const inviteBugs: readonly PlantedBug[] = [
  {
    name: 'invites: paid twice by two nodes',
    test: races,
    changes: [
      { file: at('lock-both.ts'), find: WALLETS, replace: '' },
      { file: at('lock-both.ts'), find: ' and ${which} for update`)', replace: ' and ${which}`)' },
    ],
  },
  {
    name: 'invites: a month counted without the lock',
    test: races,
    changes: [{ file: at('lock-both.ts'), find: WALLETS, replace: '' }],
  },
  {
    name: 'invites: the budget read without the lock',
    test: races,
    changes: [{ file: at('pay.ts'), find: "readTerms(tx, 'for update')", replace: 'readTerms(tx)' }],
  },
  {
    name: 'invites: friends who wait are counted without the lock',
    test: races,
    changes: [{ file: at('join.ts'), find: 'pg_advisory_xact_lock(hashtextextended', replace: '(hashtextextended' }],
  },
  {
    name: 'invites: an alert is proof',
    test: at('pay.test.ts'),
    changes: [{ file: at('proof.ts'), find: "credit.proof = 'statement'", replace: "credit.proof <> 'report'" }],
  },
  {
    name: 'invites: any payment of the friend decides, not the first',
    test: at('pay.test.ts'),
    changes: [{ file: at('proof.ts'), find: 'order by created_at, id limit 1) paid', replace: ') paid' }],
  },
  {
    name: 'invites: the browser of another account is not looked at',
    test: at('pay.test.ts'),
    changes: [
      {
        file: at('proof.ts'),
        find: "invite.same_browser or 'device' = any(shared.what) as device",
        replace: "'device' = any(shared.what) as device",
      },
    ],
  },
  {
    name: 'invites: taken back again at each look',
    test: at('take-back.test.ts'),
    changes: [
      { file: at('take-back.ts'), find: "outcome = 'paid' and taken_back_at is null", replace: "outcome = 'paid'" },
    ],
  },
]

/** Mistakes in the credit of redeem codes. */
import type { PlantedBug } from './plant.ts'

const file = 'server/wallet/redeem-code.ts'
const test = 'server/wallet/redeem-races.test.ts'

export const codeBugs: readonly PlantedBug[] = [
  {
    name: 'codes: one code by two transactions',
    test,
    changes: [{ file, find: 'where hash = ${hash} for no key update`', replace: 'where hash = ${hash}`' }],
  },
  {
    name: 'codes: two gifts without the lock on the wallet',
    test,
    changes: [
      {
        file: 'server/wallet/ledger.ts',
        find: 'order by user_id for update ${wait ? sql`` : sql`skip locked`}`',
        replace: 'order by user_id`',
      },
    ],
  },
  {
    name: 'codes: the batch is not locked against its end',
    test,
    changes: [{ file, find: 'where id = ${id} for share`', replace: 'where id = ${id}`' }],
  },
  {
    name: 'codes: an end that does not wait',
    test,
    changes: [
      {
        file: 'server/wallet/code-batches.ts',
        find: 'from code_batches where id = ${id} for no key update`',
        replace: 'from code_batches where id = ${id}`',
      },
    ],
  },
]

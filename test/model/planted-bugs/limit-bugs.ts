/** Mistakes in how many keys one buyer may have. */
import type { PlantedBug } from './plant.ts'

const test = 'server/orders/limits.test.ts'
const trials = 'server/orders/trials.test.ts'

export const limitBugs: readonly PlantedBug[] = [
  {
    name: 'limits: counted without the lock on the wallet',
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
    name: 'limits: read before the lock',
    test,
    changes: [
      {
        file: 'server/orders/place-orders.ts',
        find:
          '  const [lots, asked] = await Promise.all([lockWallets(tx, buyers, options.now, options), findOffers(tx, ' +
          'wanted)])',
        replace:
          '  const asked = await findOffers(tx, wanted)\n' +
          '  const lots = await lockWallets(tx, buyers, options.now, options)',
      },
    ],
  },
  {
    name: 'limits: orders of one transaction don’t see each other',
    test,
    changes: [
      {
        file: 'server/orders/decide-orders.ts',
        find: '  shop.bought.set(own, bought + wanted.quantity)\n',
        replace: '',
      },
    ],
  },
  {
    name: 'limits: keys for a refused place count as sold',
    test,
    changes: [
      {
        file: 'server/waiting/serve-queue.ts',
        find: "    if (!outcome || !('orderId' in outcome)) continue\n    bought.push(place)\n",
        replace: "    bought.push(place)\n    if (!outcome || !('orderId' in outcome)) continue\n",
      },
    ],
  },
  {
    name: 'trials: looked at without their lock',
    test: trials,
    changes: [
      {
        file: 'server/orders/trials.ts',
        find: 'wait ? sql`pg_advisory_xact_lock(key) is not null` : sql`pg_try_advisory_xact_lock(key)`',
        replace: 'wait ? sql`key is not null` : sql`key is not null`',
      },
    ],
  },
]

/** Mistakes in what the store buys when a key ends. */
import type { PlantedBug } from './plant.ts'

const file = 'server/renewals/renew.ts'
const test = 'server/renewals/renewals.test.ts'
const races = 'server/renewals/races.test.ts'

export const renewalBugs: readonly PlantedBug[] = [
  {
    name: 'renewals: an order that leaves its renewal open',
    test: races,
    changes: [
      {
        file,
        find: "update renewals set ended_at = ${now}, end_reason = 'bought', next_id = ${placed.orderId}",
        replace: 'update renewals set told_at = ${now}, held_at = null, held_why = null',
      },
    ],
  },
  {
    name: 'renewals: bought untold',
    test,
    changes: [{ file, find: "  if (boughtFrom(renewal, now) > now) return 'waits'\n", replace: '' }],
  },
  {
    name: 'renewals: bought before the second look at the end',
    test,
    changes: [
      { file, find: '  if (endsAt !== null && endsAt > now) return { dueAt: endsAt }\n', replace: '' },
      { file, find: 'quantity, priceMax, endsAt } = renewal', replace: 'quantity, priceMax } = renewal' },
    ],
  },
  {
    name: 'renewals: a stop that ends nothing',
    test,
    changes: [
      {
        file: 'server/renewals/own-renewals.ts',
        find: "set ended_at = ${now}, end_reason = 'stopped'\n",
        replace: 'set held_at = null, held_why = null\n',
      },
    ],
  },
  {
    name: 'renewals: bought at any price',
    test: races,
    changes: [{ file, find: 'priceMax: paise(priceMax), ', replace: 'priceMax: paise(priceMax * 9), ' }],
  },
  {
    name: 'renewals: told in their row alone',
    test,
    changes: [
      {
        file: 'server/renewals/tell-due.ts',
        find: '      enqueue(tx, {',
        replace: "      if (orderId === '') enqueue(tx, {",
      },
    ],
  },
  {
    name: 'renewals: a higher limit is kept than the buyer said',
    test,
    changes: [
      {
        file: 'server/renewals/make-renewal.ts',
        find: '${max ?? offer.unitPrice}, ',
        replace: '${9 * (max ?? offer.unitPrice)}, ',
      },
    ],
  },
]

/** Mistakes in what is ordered at a supplier for a buyer. */
import type { PlantedBug } from './plant.ts'

const at = (name: string) => `server/waiting/${name}`
const test = 'server/supply/fetch.test.ts'
const races = 'server/supply/fetch-races.test.ts'
const refusals = 'server/supply/fetch-refusals.test.ts'

export const fetchBugs: readonly PlantedBug[] = [
  {
    name: 'fetch: sold at its end, or after it',
    test: races,
    changes: [{ file: at('serve-queue.ts'), find: 'else place.fetch_until > ${now} end', replace: 'else true end' }],
  },
  {
    // Either of the two alone keeps them apart
    name: 'fetch: a second open one of the same buyer',
    test: refusals,
    changes: [
      {
        file: at('fetches.ts'),
        find: "    throw new Refusal('FETCH_OPEN')\n",
        replace: '    await Promise.resolve()\n',
      },
      {
        file: 'server/migrations/0086_fetches.sql',
        find: 'create unique index waiting_fetch_one',
        replace: 'create index waiting_fetch_one',
      },
    ],
  },
  {
    name: 'fetch: asked for without the wallet lock',
    test: races,
    changes: [
      {
        file: at('fetches.ts'),
        find: 'await lockWallet(tx, userId, now)',
        replace: `((await tx.count(sql\`select balance_paise from wallets where user_id = \${userId}\`)) as Paise)`,
      },
    ],
  },
  {
    name: 'fetch: sold for more than its buyer saw',
    test,
    changes: [{ file: at('serve-queue.ts'), find: 'if (amount > place.autoMax || isBeyond', replace: 'if (isBeyond' }],
  },
  {
    name: 'fetch: sold for less than it costs there',
    test,
    changes: [{ file: at('fetches.ts'), find: ' and their_paise <= ${unitPrice})`)', replace: ')`)' }],
  },
  {
    name: 'fetch: goes on though the supplier has none',
    test,
    changes: [
      { file: 'server/supply/demand.ts', find: 'and (source.offer > 0 or', replace: 'and (source.offer >= 0 or' },
    ],
  },
  {
    name: 'fetch: charged though its buyer leaves as it comes',
    test: races,
    changes: [
      { file: at('serve-queue.ts'), find: 'order by place.seq for update of place`', replace: 'order by place.seq`' },
    ],
  },
  {
    name: 'fetch: ended as short, and charged',
    test,
    changes: [
      {
        file: at('serve-queue.ts'),
        find: '  const before = short.filter(',
        replace: '  const before = [...short, ...served.map(({ place }) => place)].filter(',
      },
    ],
  },
  {
    name: 'fetch: late while it is being sold',
    test: races,
    changes: [
      { file: at('fetches.ts'), find: 'order by place.id for update skip locked`', replace: 'order by place.id`' },
    ],
  },
  {
    name: 'fetch: sold to who has bought it himself',
    test,
    changes: [{ file: at('serve-queue.ts'), find: ':bigint[]) and not ${boughtSince}', replace: ':bigint[])' }],
  },
  {
    name: 'fetch: who has bought it himself is told that it did not come',
    test,
    changes: [
      {
        file: at('fetches.ts'),
        find: ' and not ${boughtSince}\n       order by place.id',
        replace: '\n       order by place.id',
      },
    ],
  },
  {
    name: 'fetch: a repeated call is another order',
    test: refusals,
    changes: [
      { file: at('fetches.ts'), find: 'if (repeated) return positionOf(tx, repeated)', replace: 'void repeated' },
    ],
  },
  {
    name: 'fetch: given up as often as one likes',
    test: refusals,
    changes: [{ file: at('fetches.ts'), find: " or fetch_end is null and end_reason = 'left')`", replace: ')`' }],
  },
]

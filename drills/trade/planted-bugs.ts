/** Mistakes that the drill must notice. */
import type { PlantedBug } from '../../test/model/planted-bugs/plant.ts'

export const tradeBugs: readonly PlantedBug[] = [
  {
    name: 'each try has a number of its own',
    changes: [
      {
        file: 'server/supply/ask.ts',
        find: 'number: numberOf(order),',
        replace: 'number: `${numberOf(order)}-${order.tries}`,',
      },
    ],
  },
  {
    name: 'a 401 is taken for no',
    changes: [
      {
        file: 'server/supply/ask.ts',
        find: '  } else await db.transaction((tx) => noteUnknown(tx, order, answer, clock.now()))',
        replace: `  } else if (answer.why === 'token')
    await db.transaction((tx) => noteRefused(tx, order, 'gone', clock.now()))
  else await db.transaction((tx) => noteUnknown(tx, order, answer, clock.now()))`,
      },
    ],
  },
  {
    name: 'an order is sent before it is noted as asked',
    changes: [
      {
        file: 'server/supply/take-orders.ts',
        find: "set state = 'asked', tries = ${tries}, leased_until",
        replace: 'set leased_until',
      },
      {
        file: 'server/supply/ask.ts',
        find: "  if (answer.is === 'came') {",
        replace: `  if (answer.is !== 'unknown')
    await db.run(sql\`
      update supply_orders set state = 'asked', tries = 1 where id = \${order.id} and state = 'waiting'\`)
  if (answer.is === 'came') {`,
      },
    ],
  },
  {
    name: 'an order without an answer is sent again, though it would be sold again',
    changes: [
      {
        file: 'server/supply/take-orders.ts',
        find: 'const isOnce = order.isOnce || template?.repeats === false',
        replace: 'const isOnce = order.isOnce',
      },
    ],
  },
  {
    name: 'a comparison takes all purchases of the account',
    changes: [{ file: 'server/supply/chaabi/books.ts', find: '?.startsWith(prefix) ?', replace: "?.includes('/') ?" }],
  },
  {
    name: 'an order is noted as come before its keys are in stock',
    changes: [
      {
        file: 'server/supply/bring-keys.ts',
        find: '  const batchIds = await importThem(supplying, order, arrived)',
        // A store waits so long for a slow disk. Without it the few kills of the quick drill would fall elsewhere
        replace: `  await supplying.db.run(sql\`
    update supply_orders
       set state = 'came', came = quantity, unit_paise = \${arrived.unitPrice}, ended_at = \${clock.now()}, why = null,
           their_order = \${arrived.theirOrder ?? null}, leased_until = null
     where id = \${order.id} and state = 'asked'\`)
  await new Promise((resolve) => setTimeout(resolve, 4_000))
  const batchIds = await importThem(supplying, order, arrived)`,
      },
      {
        file: 'server/supply/bring-keys.ts',
        find: "and state = 'asked' for update",
        replace: "and state = 'came' for update",
      },
    ],
  },
  {
    name: 'what a supplier no longer sells stays offered to buyers',
    changes: [
      {
        file: 'server/supply/demand.ts',
        find: '/ source.their_paise)) else 0 end::int as offer',
        replace: '/ source.their_paise)) else source.offer end::int as offer',
      },
    ],
  },
]

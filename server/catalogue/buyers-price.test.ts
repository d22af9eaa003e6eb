/** The one rule of prices says the same in SQL and in code. */
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { withDatabase } from '../../test/database.ts'
import { seededDice } from '../demo/dice.ts'
import { columns, sql } from '../platform/database/database.ts'
import { buyersPrice, unitPrice, type PriceTerms } from './pricing.ts'

const ROWS = 100_000
const AT_ONCE = 20_000

type Case = PriceTerms & { quantity: number }

/** Prices of a few paise often meet, and zero is among them. */
function randomCase(dice: (sides: number) => number): Case {
  const list = dice(4) === 0 ? 0 : dice(2) === 0 ? 1 + dice(30) : dice(100_000_000)
  const steps = Array.from({ length: dice(5) }, (_, n) => ({ from: 2 + n * 3 + dice(3), price: 1 + dice(list + 5) }))
  return {
    list,
    custom: dice(3) === 0 ? dice(3) * dice(50) : null,
    steps: steps.length > 0 ? steps : null,
    quantity: 1 + dice(20),
  }
}

test('on 100,000 random rows', { timeout: 60_000 }, () =>
  withDatabase(async (db) => {
    const dice = seededDice(35)
    for (let done = 0; done < ROWS; done += AT_ONCE) {
      const cases = Array.from({ length: AT_ONCE }, () => randomCase(dice))
      const given = cases.map(({ steps, ...rest }, n) => ({ ...rest, n, steps: steps && JSON.stringify(steps) }))
      const rows = await db.rows(sql(z.object({ paise: z.number() }))`
        select ${buyersPrice(sql`given.quantity`)} as paise
          from ${columns(given, 'n int, list bigint, custom bigint, steps jsonb, quantity int')} as given
         cross join lateral (select given.list as list_paise, given.steps) price
          left join lateral (select given.custom as paise where given.custom is not null) custom on true
         order by n`)
      const differ = cases.filter((each, n) => unitPrice(each, each.quantity) !== rows[n]?.paise)
      expect(differ).toEqual([])
    }
  }),
)

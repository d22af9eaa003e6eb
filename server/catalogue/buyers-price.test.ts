/** The one rule of prices says the same in SQL and in code. */
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { withDatabase } from '../../test/database.ts'
import { lessPercent } from '../../contract/prices.ts'
import { seededDice } from '../demo/dice.ts'
import { columns, sql } from '../platform/database/database.ts'
import { buyersPrice, unitPrice, type PriceTerms } from './pricing.ts'

const ROWS = 100_000
const AT_ONCE = 20_000
const GIVEN = `n int, list bigint, custom bigint, steps jsonb, quantity int, is_member boolean, percent_off int,
  own bigint`

/** A group's percentage, and its exception for the duration. */
interface Group {
  percentOff: number
  own: number | null
}
type Case = PriceTerms & { quantity: number; inGroup: Group | null }

/** Prices of a few paise often meet, and zero is among them. */
function randomCase(dice: (sides: number) => number): Case {
  const list = dice(4) === 0 ? 0 : dice(2) === 0 ? 1 + dice(30) : dice(100_000_000)
  const steps = Array.from({ length: dice(5) }, (_, n) => ({ from: 2 + n * 3 + dice(3), price: 1 + dice(list + 5) }))
  const inGroup = dice(2) === 0 ? null : { percentOff: dice(91), own: dice(3) === 0 ? 1 + dice(list + 5) : null }
  const less = inGroup && list > 0 ? lessPercent(list, inGroup.percentOff) : null
  return {
    list,
    inGroup,
    custom: dice(3) === 0 ? dice(3) * dice(50) : null,
    group: inGroup?.own ?? less,
    steps: steps.length > 0 ? steps : null,
    quantity: 1 + dice(20),
  }
}

test('on 100,000 random rows', { timeout: 60_000 }, () =>
  withDatabase(async (db) => {
    const dice = seededDice(35)
    for (let done = 0; done < ROWS; done += AT_ONCE) {
      const cases = Array.from({ length: AT_ONCE }, () => randomCase(dice))
      const given = cases.map(({ steps, inGroup, ...rest }, n) => {
        return { ...rest, ...inGroup, n, isMember: inGroup !== null, steps: steps && JSON.stringify(steps) }
      })
      const rows = await db.transaction(async (tx) => {
        // Each row has a group of its own. These tables come before the store's
        await tx.run(sql`create temp table buyer_groups (id uuid primary key, percent_off int) on commit drop`)
        await tx.run(sql`create temp table group_prices (group_id uuid primary key, price_id uuid, paise bigint)
                         on commit drop`)
        await tx.run(sql`create temp table given (id uuid, n int, list_paise bigint, custom bigint, steps jsonb,
                                                  quantity int, is_member boolean) on commit drop`)
        await tx.run(sql`
          with row as (select *, gen_random_uuid() as id from ${columns(given, GIVEN)} as given),
               grouped as (insert into buyer_groups select id, percent_off from row where is_member),
               priced as (insert into group_prices select id, id, own from row where own is not null)
          insert into given select id, n, list, custom, steps, quantity, is_member from row`)
        return tx.rows(sql(z.object({ paise: z.number() }))`
          select ${buyersPrice(sql`price.quantity`, sql`case when price.is_member then price.id end`)} as paise
            from given price
            left join lateral (select price.custom as paise where price.custom is not null) custom on true
           order by n`)
      })
      const differ = cases.filter((each, n) => unitPrice(each, each.quantity) !== rows[n]?.paise)
      expect(differ).toEqual([])
    }
  }),
)

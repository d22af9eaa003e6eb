/** Changes the prices of several products together, all or none. */
import * as z from 'zod/mini'
import { AMOUNT_MAX } from '../../contract/amounts.ts'
import { catalogue } from '../../contract/catalogue.ts'
import { Refusal } from '../../contract/errors.ts'
import { formatPaise, paise, ZERO, type Paise } from '../../contract/money.ts'
import { audit, type ProvingBy } from '../audit/audit.ts'
import { columns, sql, type Queries } from '../platform/database/database.ts'
import type { Services } from '../platform/services.ts'
import { isCheaper, readOffers } from './offers.ts'
import { KeptSteps } from './pricing.ts'

type Repricing = z.output<typeof catalogue.reprice.input>
/** A change of prices, by exactly one of the two. */
type Change = Pick<Repricing, 'percent' | 'rupees'>

const Row = z.object({
  priceId: z.string(),
  productId: z.string(),
  name: z.string(),
  duration: z.string(),
  from: z.number(),
  steps: KeptSteps,
})
type Repriced = z.output<typeof Row> & { to: Paise; stepsGone?: number }

/** Paise in a rupee, to which new prices are rounded. */
const RUPEE = 100

/**
 * @returns the old and the new prices, in rupees
 * @throws Refusal NOT_FOUND if a price is no longer there, AMOUNT_CHANGED if one is not as expected, INVALID_INPUT if a
 *   new one is out of bounds, or STEP_UP_REQUIRED for a lower one, because a thief of the session would buy cheaply
 */
export async function repriceProducts(
  { db, events }: Services,
  { priceIds, preview, expected = [], ...change }: Repricing,
  by: ProvingBy,
): Promise<z.output<typeof catalogue.reprice.output>> {
  const ids = [...new Set(priceIds)]
  if (preview) return answer(await read(db, ids, change))
  const changed = await db.transaction(async (tx) => {
    // As a product's form does, so that neither overwrites the other
    await tx.run(sql`
      select from products
       where id in (select product_id from prices where id = any (${ids}::uuid[]))
       order by id for no key update`)
    const rows = await read(tx, ids, change)
    const seen = new Map(expected.map(({ priceId, price }) => [priceId, price]))
    const other = rows.find(({ priceId, from }) => (seen.get(priceId) ?? from) !== from)
    if (other)
      throw new Refusal('AMOUNT_CHANGED', {
        say: [
          '{product} ({duration}) now costs {price}. Check the new prices.',
          { product: other.name, duration: other.duration, price: formatPaise(other.from) },
        ],
      })
    const productIds = [...new Set(rows.map(({ productId }) => productId))]
    const offers = await readOffers(tx, productIds)
    await tx.run(sql`
      update prices set list_paise = wanted.paise, steps = wanted.steps
        from ${columns(
          rows.map(({ priceId, to, steps }) => ({ priceId, paise: to, steps: steps && JSON.stringify(steps) })),
          'price_id uuid, paise bigint, steps jsonb',
        )} as wanted
       where prices.id = wanted.price_id`)
    if (isCheaper(offers, await readOffers(tx, productIds))) by.requireProof()
    await audit(tx, by, {
      action: 'product.reprice',
      subject: rows.length === 1 ? '1 price' : `${rows.length} prices`,
      before: rows.map(({ name, duration, from }) => ({ name, duration, price: formatPaise(from) })),
      after: rows.map(({ name, duration, to }) => ({ name, duration, price: formatPaise(to) })),
    })
    return rows
  })
  events.publish({ to: 'everyone', name: 'stock' })
  return answer(changed)
}

const answer = (rows: readonly Repriced[]) => z.decode(catalogue.reprice.output, [...rows])

async function read(db: Queries, ids: readonly string[], change: Change): Promise<Repriced[]> {
  const rows = await db.rows(sql(Row)`
    select price.id as price_id, price.product_id, product.name, price.duration, price.list_paise as from,
           price.steps
      from prices price
      join products product on product.id = price.product_id and product.deleted_at is null
     where price.id = any (${ids}::uuid[]) and price.removed_at is null
     order by product.position, product.sequence, price.position, price.id`)
  if (rows.length < ids.length) throw new Refusal('NOT_FOUND', { message: 'One of these durations was removed.' })
  return rows.map((row) => {
    const to = repriced(row, change)
    const moved = (row.steps ?? []).map((step) => ({
      ...step,
      price: to === 0 ? step.price : moveBy(change, step.price),
    }))
    const steps = moved.filter(({ price }, at) => to === 0 || (price >= RUPEE && price < (moved[at - 1]?.price ?? to)))
    const gone = moved.length - steps.length
    return { ...row, to, steps: steps.length > 0 ? steps : null, ...(gone > 0 && { stepsGone: gone }) }
  })
}

const moveBy = ({ percent = 0, rupees = 0 }: Change, from: number) =>
  Math.round((from * (100 + percent)) / 100 / RUPEE + rupees) * RUPEE

function repriced({ name, duration, from }: z.output<typeof Row>, change: Change): Paise {
  // Not for sale
  if (from === 0) return ZERO
  const to = moveBy(change, from)
  if (to >= RUPEE && to <= AMOUNT_MAX) return paise(to)
  throw new Refusal('INVALID_INPUT', {
    say: [
      '{product} ({duration}) would cost {price}. Choose a smaller change.',
      { product: name, duration, price: formatPaise(to) },
    ],
    field: (change.percent ?? 0) === 0 ? 'rupees' : 'percent',
  })
}

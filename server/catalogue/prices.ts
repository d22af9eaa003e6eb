/**
 * A product's durations and their list prices. Stock, custom prices and sales belong to a duration's row and not to
 * its text, so a row is never deleted. A renamed duration keeps them all, and a removed one keeps them until it is
 * added again.
 */
import * as z from 'zod/mini'
import type { AuditNaming } from '../audit/audit-names.ts'
import { TRIAL_PAISE_MIN, TRIAL_TOO_CHEAP, type catalogue } from '../../contract/catalogue.ts'
import { Refusal } from '../../contract/errors.ts'
import { LOW_STOCK_BELOW_DEFAULT } from '../../contract/limits.ts'
import type { Paise } from '../../contract/money.ts'
import { MINUTE_MS } from '../../contract/time.ts'
import { columns, sql, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { KeptSteps } from './pricing.ts'

type WantedPrice = z.output<(typeof catalogue.create)['input']>['prices'][number]

const StoredPrice = z.object({ id: z.string(), duration: z.string(), live: z.boolean(), steps: KeptSteps })
type StoredPrice = z.output<typeof StoredPrice>

/** The row that each wanted price goes into. */
interface PlacedPrice {
  id: string
  duration: string
  price: Paise
  lowStockBelow: number | undefined
  perBuyer: number | null | undefined
  trial: boolean | undefined
  steps: z.output<typeof KeptSteps>
}

/**
 * Makes the product's live durations the wanted ones, in their order. The product must be locked in this
 * transaction.
 * @throws Refusal INVALID_INPUT when two rows carry one _id
 */
export async function writePrices(
  tx: Transaction,
  productId: string,
  wanted: readonly WantedPrice[],
  now: Date,
): Promise<void> {
  const stored = await tx.rows(sql(StoredPrice)`
    select id, duration, removed_at is null as live, steps
      from prices
     where product_id = ${productId}
     order by removed_at desc nulls first, id`)
  const placed = placePrices(stored, wanted)

  // Removes all first, because two rows that swap texts must both give theirs up
  await tx.run(sql`update prices set removed_at = ${now} where product_id = ${productId} and removed_at is null`)
  await tx.run(sql`
    insert into prices (id, product_id, duration, list_paise, position, low_stock_below, steps, is_trial, per_buyer,
                        limit_since)
    select wanted.id, ${productId}, wanted.duration, wanted.price, wanted.position,
           coalesce(wanted.low_stock_below, present.low_stock_below, ${LOW_STOCK_BELOW_DEFAULT}::int),
           wanted.steps, terms.is_trial, terms.per_buyer,
           case when terms.per_buyer >= present.per_buyer then present.limit_since
                when terms.per_buyer is not null then ${new Date(now.getTime() + MINUTE_MS)}::timestamptz end
      from ${columns(
        placed.map(({ steps, ...row }, position) => {
          const kept = steps && JSON.stringify(steps)
          return { ...row, position, steps: kept, keepsLimit: row.perBuyer === undefined }
        }),
        `id uuid, duration text, price bigint, position int, low_stock_below int, per_buyer int, trial boolean,
           steps jsonb, keeps_limit boolean`,
      )} as wanted
      left join prices present on present.id = wanted.id
     cross join lateral (
           select coalesce(wanted.trial, present.is_trial and (wanted.keeps_limit or wanted.per_buyer = 1), false)
                    as is_trial) kind
     cross join lateral (
           select kind.is_trial, case when kind.is_trial then 1
                                      when wanted.keeps_limit then present.per_buyer
                                      else wanted.per_buyer end as per_buyer) terms
    on conflict (id) do update
       set duration = excluded.duration, list_paise = excluded.list_paise, position = excluded.position,
           low_stock_below = excluded.low_stock_below, steps = excluded.steps, is_trial = excluded.is_trial,
           per_buyer = excluded.per_buyer, limit_since = excluded.limit_since, removed_at = null`)
  // The contract sees only what was sent, and a stored trial may be sent without saying that it is one
  const [cheap] = await tx.rows(sql(Placed)`
    select position from prices
     where product_id = ${productId} and removed_at is null and is_trial
       and list_paise between 1 and ${TRIAL_PAISE_MIN - 1}`)
  if (cheap) throw new Refusal('INVALID_INPUT', { message: TRIAL_TOO_CHEAP, field: `prices.${cheap.position}.price` })
}

const Placed = z.object({ position: z.number() })

/**
 * Finds the row of each wanted price: by its _id; else the live row of that duration; else the last removed row of
 * that duration, which brings its stock back; else a new row. An _id of another product counts as absent. Steps that
 * were not sent stay if they are below the price.
 * @param stored the product's rows, live ones first, then the last removed first
 * @throws Refusal INVALID_INPUT when two rows carry one _id
 */
export function placePrices(stored: readonly StoredPrice[], wanted: readonly WantedPrice[]): PlacedPrice[] {
  const byId = new Map(stored.map((row) => [row.id, row]))
  const taken = new Set<string>()
  for (const [index, { _id }] of wanted.entries()) {
    const id = _id?.toLowerCase()
    if (id === undefined || !byId.has(id)) continue
    if (taken.has(id)) {
      const message = 'Two rows are the same duration'
      throw new Refusal('INVALID_INPUT', { message, fields: { [`prices.${index}._id`]: message } })
    }
    taken.add(id)
  }
  return wanted.map(({ _id, duration, ...terms }) => {
    const named = _id === undefined ? undefined : byId.get(_id.toLowerCase())
    const row = named ?? stored.find((each) => each.duration === duration && !taken.has(each.id))
    const id = row?.id ?? newId()
    taken.add(id)
    const { price, lowStockBelow, perBuyer, trial } = terms
    const steps = (terms.steps ?? row?.steps ?? []).filter((step) => price === 0 || step.price < price)
    return { id, duration, price, lowStockBelow, perBuyer, trial, steps: steps.length > 0 ? steps : null }
  })
}

/** How the audit log names products and their durations. */
export const productNames: AuditNaming = {
  rows: sql`select products.id, name, '', null::bigint from wanted join products using (id)`,
}
export const priceNames: AuditNaming = {
  rows: sql`select price.id, product.name || ', ' || price.duration, '', null::bigint
              from wanted join prices price using (id) join products product on product.id = price.product_id`,
}

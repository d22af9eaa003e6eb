/** Holds what buyers ordered against what they got and paid. */
import { sql, type Sql } from '../../server/platform/database/database.ts'
import { PRICE_PAISE } from '../seed.ts'
import type { Ordering } from './order-for-buyers.ts'
import { ORDERING_PAISE, type TwoStores } from './two-stores.ts'

export interface Judged {
  wrong: string[]
  /** How many were ordered, and what became of them. */
  count: number
  ends: string
}

/** True for a row `place` that somebody ordered. */
const isOrdered = sql`(place.fetch_until is not null)`

const placeOf = (which: Sql) => sql`select count(*) from waiting_places place where ${isOrdered} and ${which}`

/** Each counts what cannot be once all rest. */
const NEVER: readonly (readonly [string, Sql])[] = [
  ['orders for buyers are open', placeOf(sql`place.ended_at is null and place.fetch_end is null`)],
  [
    'were bought for another buyer, price or quantity',
    sql`select count(*) from waiting_places place join orders on orders.id = place.order_id
         where ${isOrdered} and (orders.user_id <> place.user_id or orders.price_id <> place.price_id
                                 or orders.quantity <> place.quantity
                                 or orders.amount_paise <> ${PRICE_PAISE} * place.quantity)`,
  ],
  ['were bought and ended without', placeOf(sql`place.order_id is not null and place.fetch_end is not null`)],
  [
    'ended without an order and a reason',
    placeOf(sql`
      place.order_id is null and place.fetch_end is null and place.end_reason is distinct from 'left'
      and not (place.end_reason = 'gone'
               and exists (select from users where users.id = place.user_id and users.closes_at is not null))
      and not (place.end_reason = 'bought'
               and exists (select from orders
                            where orders.user_id = place.user_id and orders.price_id = place.price_id
                              and orders.idempotency_key is not null and orders.created_at >= place.created_at))`),
  ],
  [
    'orders are of two places, or of none',
    sql`select count(*) from orders
         where idempotency_key is null
           and (select count(*) from waiting_places place where place.order_id = orders.id) <> 1`,
  ],
  [
    'orders have not their keys',
    sql`select count(*) from orders
         where quantity <> (select count(*) from license_keys key
                             where key.order_id = orders.id and key.assigned_to = orders.user_id)`,
  ],
  [
    'were told of their end never or twice',
    placeOf(sql`
      (place.fetch_end is not null)::int <> (select count(*) from outbox_messages message
                                              where message.kind = 'fetch.ended' and message.subject_id = place.id)`),
  ],
]

/** @param known nothing after a restore, which takes back what was answered since the backup */
export async function judgeOrdering({ here, ordering }: TwoStores, known: Ordering | undefined): Promise<Judged> {
  const wrong = [...(known?.odd ?? [])]
  const note = (count: number, what: string) => count > 0 && wrong.push(`${count} ${what}`)
  for (const [what, question] of NEVER) note(await here.db.count(question), what)
  const people = ordering.map(({ id }) => id)
  note(
    await here.db.count(sql`
      select count(*) from wallets
       where user_id = any(${people}::uuid[])
         and balance_paise <> ${ORDERING_PAISE} - (select coalesce(sum(amount_paise), 0) from orders
                                                    where orders.user_id = wallets.user_id)`),
    'buyers have paid something else than their orders',
  )
  if (known) {
    const there = await here.db.texts(sql`select id || ' ' || user_id from waiting_places place where ${isOrdered}`)
    const lost = [...known.pressed].filter(([id, buyer]) => !there.includes(`${id} ${buyer}`))
    note(lost.length, 'orders were taken and are not there')
    const notLeft = sql`place.id = any(${[...known.left]}::uuid[]) and place.end_reason is distinct from 'left'`
    note(await here.db.count(placeOf(notLeft)), 'went on though they were given up')
  }
  const ends = await here.db.texts(sql`
    select what || ' ' || count(*)
      from (select case when order_id is not null then 'came' when fetch_end is not null then fetch_end
                        when end_reason = 'bought' then 'bought by hand' else end_reason end as what
              from waiting_places place where ${isOrdered}) ended
     group by what order by what`)
  const count = await here.db.count(placeOf(sql`true`))
  return { wrong, count, ends: ends.join(', ') }
}

/** Places in the queues: taking one, giving it up, and reading them. */
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { Moment } from '../../contract/fields.ts'
import { AUTO_BUY_LASTS_MS, FETCH_LASTS_MS } from '../../contract/limits.ts'
import { textInOthers, type OtherTexts } from '../../contract/owner-texts.ts'
import { DAY_MS, HOUR_MS } from '../../contract/time.ts'
import { EndedPlace, OwnPlace, type waiting } from '../../contract/waiting.ts'
import { limitReached } from '../orders/decide-orders.ts'
import { isBeyond } from '../orders/limits.ts'
import { findOffers } from '../orders/place-orders.ts'
import { sql, type Database, type Queries, type Sql } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { readWaitingSettings } from './settings.ts'

/** True for a place whose buyer has bought the same duration since. */
export const boughtSince = sql`exists (
  select from orders
   where orders.user_id = place.user_id and orders.price_id = place.price_id and orders.created_at >= place.created_at)`

/** True for a place whose buyer has since reached the limit of the duration. */
export const beyondLimit = sql`exists (
  select from prices limited
   where limited.id = place.price_id
     and limited.per_buyer < place.quantity + (
           select coalesce(sum(quantity), 0) from orders
            where orders.user_id = place.user_id and orders.price_id = place.price_id))`

/**
 * The store buys no trial, because at most one place of a queue could get it: such a place is a message only.
 * @throws Refusal PRODUCT_NOT_FOUND, LIMIT_REACHED, IN_STOCK, ALREADY_WAITING, AUTO_BUY_OFF, or NO_SESSION for a
 *   closing account
 */
export async function takePlace(
  db: Database,
  { autoMax, ...wish }: Omit<z.output<(typeof waiting.wait)['input']>, 'fetch'>,
  { userId, now }: { userId: string; now: Date },
): Promise<{ _id: string; place: number; ahead: number }> {
  return db.transaction(async (tx) => {
    const [asked] = await findOffers(tx, [{ buyerId: userId, idempotency: undefined, ...wish }])
    const offer = asked?.offer
    if (offer === 'closed') throw new Refusal('NO_SESSION')
    if (!offer || offer.unitPrice === 0) throw new Refusal('PRODUCT_NOT_FOUND')
    if (offer.limit && isBeyond(offer, wish)) throw limitReached(offer.limit)
    const mayBuy = autoMax === undefined || (!offer.limit?.isTrial && (await readWaitingSettings(tx)).autoBuy)
    if (!mayBuy) throw new Refusal('AUTO_BUY_OFF')
    const available = await countInStock(tx, offer.priceId)
    if (available >= wish.quantity) throw new Refusal('IN_STOCK', { details: { available } })
    await tx.run(sql`
      update waiting_places place set ended_at = ${now}, end_reason = 'bought'
       where user_id = ${userId} and price_id = ${offer.priceId} and ended_at is null and ${boughtSince}`)
    const id = newId()
    const made = await tx.run(sql`
      insert into waiting_places (id, user_id, price_id, duration, quantity, auto_max_paise, created_at)
      values (${id}, ${userId}, ${offer.priceId}, ${wish.duration}, ${wish.quantity}, ${autoMax ?? null}, ${now})
      on conflict (user_id, price_id) where ended_at is null do nothing`)
    if (made === 0) throw new Refusal('ALREADY_WAITING')
    const ahead = await tx.count(sql`select ${aheadOf} from waiting_places place where id = ${id}`)
    return { _id: id, place: ahead + 1, ahead }
  })
}

export const countInStock = (tx: Queries, priceId: string): Promise<number> =>
  tx.count(sql`select coalesce(sum(available), 0)::bigint from stock_counters where price_id = ${priceId}`)

export const aheadOf: Sql = sql`(
  select count(*) from waiting_places earlier
   where earlier.price_id = place.price_id and earlier.seq < place.seq and earlier.ended_at is null)`

/** Orders at a supplier that are older than this ended more than an hour ago, and are no longer shown. */
export const fetchesSince = (now: Date): Date => new Date(now.getTime() - HOUR_MS + FETCH_LASTS_MS)

const OwnRow = z.extend(z.omit(OwnPlace, { place: true, paused: true }), {
  fetch: z.nullable(OwnPlace.shape.fetch),
  autoEndedAt: z.nullable(Moment),
  isListed: z.boolean(),
  translations: z.custom<OtherTexts<'name'>>(),
})

/** Oldest first. */
export async function listOwnPlaces(db: Queries, userId: string, now: Date): Promise<OwnPlace[]> {
  const rows = await db.rows(sql(OwnRow)`
    select place.id as _id, product.id as product_id, product.name as product_name, product.translations,
           coalesce(place.duration, price.duration) as duration, place.quantity,
           product.is_listed, case when auto.until > ${now} then place.auto_max_paise end as auto_max,
           case when auto.until > ${now} then auto.until end as auto_until,
           case when auto.until <= ${now} then auto.until end as auto_ended_at, ${aheadOf} as ahead, place.created_at,
           case when place.fetch_until > ${fetchesSince(now)} then coalesce(place.fetch_end, 'coming') end as fetch
      from waiting_places place
      join prices price on price.id = place.price_id
      join products product on product.id = price.product_id
      left join lateral (select coalesce(place.fetch_until,
                                         place.created_at + ${AUTO_BUY_LASTS_MS} * interval '1 ms') as until
                          where place.auto_max_paise is not null) auto on true
     where place.user_id = ${userId} and place.ended_at is null and not ${boughtSince}
     order by place.seq`)
  return rows.map(({ isListed, fetch, translations, autoEndedAt, ...row }) => ({
    ...row,
    ...textInOthers(translations, 'name', 'productName'),
    ...(autoEndedAt && { autoEndedAt }),
    ...(!isListed && { paused: true }),
    ...(fetch && { fetch }),
    place: row.ahead + 1,
  }))
}

const ENDED_TOLD_MS = 7 * DAY_MS
const EndedRow = z.extend(EndedPlace, { translations: z.custom<OtherTexts<'name'>>() })

/** What became of promises that led to no purchase. None where the buyer has bought or waits again. */
export async function listEndedPlaces(db: Queries, userId: string, now: Date): Promise<EndedPlace[]> {
  const rows = await db.rows(sql(EndedRow)`
    select place.id as _id, product.name as product_name, product.translations,
           coalesce(place.duration, price.duration) as duration, place.quantity,
           place.end_reason as reason, place.ended_at
      from waiting_places place
      join prices price on price.id = place.price_id
      join products product on product.id = price.product_id
     where place.user_id = ${userId} and place.ended_at > ${new Date(now.getTime() - ENDED_TOLD_MS)}
       and place.end_reason not in ('bought', 'left') and not ${boughtSince}
       and not exists (select from waiting_places again
                        where again.user_id = place.user_id and again.price_id = place.price_id
                          and again.seq > place.seq)
     order by place.ended_at desc, place.seq desc`)
  return rows.map(({ translations, ...row }) => ({ ...row, ...textInOthers(translations, 'name', 'productName') }))
}

/** @throws Refusal NOT_FOUND, also when the store has just bought for this place */
export async function leavePlace(db: Queries, id: string, { userId, now }: { userId: string; now: Date }) {
  const left = await db.run(sql`
    update waiting_places set ended_at = ${now}, end_reason = 'left'
     where id = ${id} and user_id = ${userId} and ended_at is null`)
  if (left === 0) throw new Refusal('NOT_FOUND')
}

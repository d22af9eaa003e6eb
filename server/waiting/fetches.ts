/**
 * What the store orders at a supplier for a buyer: a place that may buy for ten minutes. The buyer pays when the keys
 * are here, in the import that brings them or from stock. So nothing is held, and nothing has to be given back.
 */
import * as z from 'zod/mini'
import { Rupees } from '../../contract/amounts.ts'
import { Refusal } from '../../contract/errors.ts'
import { FETCH_LASTS_MS, FETCH_USUAL_S, FETCHES_LOST_MAX } from '../../contract/limits.ts'
import { add, formatRupees, negate, times, toRupees, type Paise } from '../../contract/money.ts'
import { textInOthers, type OtherTexts } from '../../contract/owner-texts.ts'
import { DAY_MS } from '../../contract/time.ts'
import { Fetch, FetchEnd, type waiting } from '../../contract/waiting.ts'
import { limitReached } from '../orders/decide-orders.ts'
import { isBeyond } from '../orders/limits.ts'
import { findOffers } from '../orders/place-orders.ts'
import { sql, type Database, type Queries, type Sql, type Transaction } from '../platform/database/database.ts'
import { withoutNulls } from '../platform/database/rows.ts'
import { newId } from '../platform/ids.ts'
import { enqueue } from '../platform/outbox.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { aheadOf, boughtSince, countInStock, fetchesSince } from './places.ts'

/** True for a place for which keys are being ordered, until its time is over or something ends it. */
export const isFetch: Sql = sql`(place.fetch_until is not null and place.fetch_end is null)`

type Wish = Omit<z.output<(typeof waiting.wait)['input']>, 'autoMax'> & { autoMax: Paise }
interface Asking {
  userId: string
  requestKey: string | undefined
  now: Date
}

/**
 * Takes such a place. Holds the wallet's lock, so one buyer's come one after the other, and none beside the closing of
 * the account.
 * @throws Refusal PRODUCT_NOT_FOUND, LIMIT_REACHED, IN_STOCK, NOT_FETCHABLE, PRICE_CHANGED, INSUFFICIENT_BALANCE,
 *   FETCH_OPEN, TOO_MANY_FETCHES, ALREADY_WAITING, IDEMPOTENCY_KEY_REUSED, or NO_SESSION for a closing account
 */
export async function takeFetch(
  db: Database,
  wish: Wish,
  { userId, requestKey, now }: Asking,
): Promise<{ _id: string; place: number; ahead: number }> {
  return db.transaction(async (tx) => {
    const balance = await lockWallet(tx, userId, now)
    const [asked] = await findOffers(tx, [{ buyerId: userId, idempotency: undefined, ...wish }])
    const offer = asked?.offer
    if (offer === 'closed') throw new Refusal('NO_SESSION')
    if (!offer || offer.unitPrice === 0) throw new Refusal('PRODUCT_NOT_FOUND')
    const { priceId, limit, unitPrice } = offer
    const repeated = requestKey && (await findRepeated(tx, { userId, requestKey }, { ...wish, priceId }))
    if (repeated) return positionOf(tx, repeated)
    if (limit && isBeyond(offer, wish)) throw limitReached(limit)
    const available = await countInStock(tx, priceId)
    if (available >= wish.quantity) throw new Refusal('IN_STOCK', { details: { available } })
    const isFetchable = await tx.holds(sql`
      select exists (select from supply_sources
                      where price_id = ${priceId} and offer >= ${wish.quantity} and their_paise <= ${unitPrice})`)
    if (!isFetchable || limit?.isTrial) throw new Refusal('NOT_FETCHABLE')
    const amount = times(unitPrice, wish.quantity)
    if (amount > wish.autoMax) throw new Refusal('PRICE_CHANGED')
    if (amount > balance) throw tooLittle(add(amount, negate(balance)))
    await requireFree(tx, userId, now)
    return positionOf(tx, await insertFetch(tx, { ...wish, priceId }, { userId, requestKey, now }))
  })
}

const tooLittle = (missing: Paise) =>
  new Refusal('INSUFFICIENT_BALANCE', {
    say: ['Low balance! Please add at least {amount}', { amount: formatRupees(toRupees(missing)) }],
    details: { shortfall: toRupees(missing) },
  })

async function positionOf(tx: Transaction, id: string): Promise<{ _id: string; place: number; ahead: number }> {
  const ahead = await tx.count(sql`select ${aheadOf} from waiting_places place where id = ${id}`)
  return { _id: id, place: ahead + 1, ahead }
}

/** @returns the place that this call has taken before */
async function findRepeated(
  tx: Transaction,
  { userId, requestKey }: { userId: string; requestKey: string },
  { priceId, quantity }: { priceId: string; quantity: number },
): Promise<string | undefined> {
  const before = await tx.maybe(sql(() => z.object({ id: z.string(), isSame: z.boolean() }))`
    select id, price_id = ${priceId} and quantity = ${quantity} as is_same
      from waiting_places where user_id = ${userId} and request_key = ${requestKey}`)
  if (before && !before.isSame) throw new Refusal('IDEMPOTENCY_KEY_REUSED')
  return before?.id
}

/** @throws Refusal FETCH_OPEN or TOO_MANY_FETCHES */
async function requireFree(tx: Transaction, userId: string, now: Date): Promise<void> {
  // What its buyer has bought himself is over
  await tx.run(sql`
    update waiting_places place set ended_at = ${now}, end_reason = 'bought'
     where user_id = ${userId} and ended_at is null and ${isFetch} and ${boughtSince}`)
  if (
    await tx.holds(sql`
    select exists (select from waiting_places place where user_id = ${userId} and ended_at is null and ${isFetch})`)
  )
    throw new Refusal('FETCH_OPEN')
  const lost = await tx.count(sql`
    select count(*) from waiting_places
     where user_id = ${userId} and fetch_until > ${new Date(now.getTime() - DAY_MS + FETCH_LASTS_MS)}
       and (fetch_end = 'short' or fetch_end is null and end_reason = 'left')`)
  if (lost >= FETCHES_LOST_MAX) throw new Refusal('TOO_MANY_FETCHES')
}

/** A place that waits for a message becomes it, and keeps its turn. @throws Refusal ALREADY_WAITING */
async function insertFetch(
  tx: Transaction,
  { priceId, duration, quantity, autoMax }: Wish & { priceId: string },
  { userId, requestKey, now }: Asking,
): Promise<string> {
  // An earlier order of the same duration keeps its end, because it may count against the buyer
  await tx.run(sql`
    update waiting_places place
       set ended_at = ${now}, end_reason = case when ${boughtSince} then 'bought' else 'left' end
     where user_id = ${userId} and price_id = ${priceId} and ended_at is null
       and (fetch_end is not null or ${boughtSince})`)
  const id = await tx.text(sql`
    insert into waiting_places as place (id, user_id, price_id, duration, quantity, auto_max_paise, fetch_until,
                                         request_key, created_at)
    values (${newId()}, ${userId}, ${priceId}, ${duration}, ${quantity}, ${autoMax},
            ${new Date(now.getTime() + FETCH_LASTS_MS)}, ${requestKey ?? null}, ${now})
    on conflict (user_id, price_id) where ended_at is null do update
       set duration = excluded.duration, quantity = excluded.quantity, auto_max_paise = excluded.auto_max_paise,
           fetch_until = excluded.fetch_until, request_key = excluded.request_key, created_at = excluded.created_at,
           told_at = null, times_told = 0
     where place.auto_max_paise is null
    returning id`)
  if (id === undefined) throw new Refusal('ALREADY_WAITING')
  return id
}

/**
 * Ends those whose time is over, and those that nothing is left to wait for. They wait for a message from then on. Who
 * has bought it himself waits for nothing.
 * @param isSoldOut of a row `place`: the supplier has no more, and nothing is under way
 */
export async function endFetches(db: Database, isSoldOut: Sql, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const isLate = sql`place.fetch_until <= ${now}`
    // One that is being served is left to the next look
    const over = await tx.texts(sql`
      select place.id from waiting_places place
       where place.ended_at is null and ${isFetch} and (${isLate} or ${isSoldOut}) and not ${boughtSince}
       order by place.id for update skip locked`)
    const ended = await tx.rows(sql(() => z.object({ id: z.string(), userId: z.string() }))`
      update waiting_places place
         set fetch_end = case when ${isLate} then 'late' else 'supplier' end, auto_max_paise = null
       where id = any(${over}::uuid[]) returning id, user_id`)
    for (const { id, userId } of ended) tellEnded(tx, { id, buyerId: userId }, now)
    return ended.length
  })
}

/** Ends those whose keys have come, of buyers who have too little money by now. The places are locked. */
export function endShort(tx: Transaction, places: readonly { id: string; buyerId: string }[], now: Date): void {
  for (const place of places) {
    void tx.send(sql`
      update waiting_places set fetch_end = 'short', auto_max_paise = null where id = ${place.id}`)
    tellEnded(tx, place, now)
  }
}

function tellEnded(tx: Transaction, { id, buyerId }: { id: string; buyerId: string }, now: Date): void {
  enqueue(tx, { kind: 'fetch.ended', userId: buyerId, subjectId: id, now })
}

const Row = z.extend(z.omit(Fetch, { amount: true, reason: true, orderId: true }), {
  amount: z.nullable(Rupees),
  reason: z.nullable(FetchEnd),
  orderId: z.nullable(z.string()),
  translations: z.custom<OtherTexts<'name'>>(),
})

/** @returns the newest of an hour. None that its buyer has left, or has bought himself */
export async function readFetch(db: Queries, userId: string, now: Date): Promise<Fetch | null> {
  const row = await db.maybe(sql(Row)`
    select place.id as _id, product.id as product_id, product.name as product_name, product.translations,
           coalesce(place.duration, price.duration) as duration, place.quantity,
           coalesce(orders.amount_paise, place.auto_max_paise) as amount,
           case when orders.id is not null then 'bought' when place.fetch_end is not null then 'ended'
                else 'coming' end as state,
           place.fetch_end as reason, place.fetch_until as until,
           greatest(1, ceil(coalesce(link.usual_ms / 1000.0, ${FETCH_USUAL_S})))::int as seconds, orders.id as order_id
      from waiting_places place
      join prices price on price.id = place.price_id
      join products product on product.id = price.product_id
      left join supply_sources source on source.price_id = price.id
      left join supply_links link on link.id = source.link_id
      left join orders on orders.id = place.order_id
     where place.user_id = ${userId} and place.fetch_until > ${fetchesSince(now)}
       and (orders.id is not null or (place.ended_at is null and not ${boughtSince}))
     order by place.fetch_until desc, place.seq desc limit 1`)
  if (!row) return null
  const { translations, ...fetch } = row
  return { ...withoutNulls(fetch), ...textInOthers(translations, 'name', 'productName') }
}

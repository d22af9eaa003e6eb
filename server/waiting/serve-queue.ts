/**
 * Buys for buyers who asked the store to, in the transaction that brings the keys, so that nobody else gets them first.
 * Locks the wallets before it reads their places, like the closing of an account. Brings no more keys than are bought.
 */
import * as z from 'zod/mini'
import { AUTO_BUY_LASTS_MS } from '../../contract/limits.ts'
import { add, paise, times, ZERO } from '../../contract/money.ts'
import { buyersPrice } from '../catalogue/pricing.ts'
import type { Arrival, Serving } from '../keys/hooks.ts'
import type { Wanted } from '../orders/decide-orders.ts'
import { isBeyond } from '../orders/limits.ts'
import { placeAll } from '../orders/place-all.ts'
import { findOffers } from '../orders/place-orders.ts'
import { isStillOffered, mayAct } from '../platform/database/conditions.ts'
import { literal, sql, type Queries, type Sql, type Transaction } from '../platform/database/database.ts'
import { enqueue } from '../platform/outbox.ts'
import { lockWallets } from '../wallet/ledger.ts'
import { endShort, isFetch } from './fetches.ts'
import { boughtSince } from './places.ts'

const SERVED_AT_ONCE = 50

const Place = z.object({
  id: z.string(),
  seq: z.number(),
  buyerId: z.string(),
  productId: z.string(),
  duration: z.string(),
  quantity: z.number(),
  autoMax: z.number(),
  isFetch: z.boolean(),
})
type Place = z.output<typeof Place>
type Served = Wanted & { idempotency: undefined }

/** An open place with leave to buy, of the price with this id. */
const mayBuyAt = (priceId: Sql, now: Date) => sql`
  place.price_id = ${priceId} and place.ended_at is null and place.auto_max_paise is not null
  and case when place.fetch_until is null
           then place.created_at > ${new Date(now.getTime() - AUTO_BUY_LASTS_MS)}
                and (select auto_buy from waiting_settings)
           else place.fetch_until > ${now} end
  and exists (select from prices price
               where price.id = place.price_id and ${isStillOffered(sql`place`)} and not price.is_trial)`

const mayBuy = ({ priceId, now }: Pick<Arrival, 'priceId' | 'now'>) => mayBuyAt(sql`${priceId}::uuid`, now)

/**
 * Counts the keys for which buyers who wait would pay now, of a row `price`. Read without a lock, so a hint.
 * @param least paise that a key must bring
 * @param most keys that one of them may want
 */
export const keysAwaited = (least: Sql, now: Date, most: Sql = sql`null::int`): Sql => sql`(
  select coalesce(sum(place.quantity), 0)::bigint
    from waiting_places place
    join users buyer on buyer.id = place.user_id and ${mayAct(sql`buyer`)}
    join wallets wallet on wallet.user_id = place.user_id
    left join custom_prices custom on custom.user_id = place.user_id and custom.price_id = price.id
   cross join lateral (select ${buyersPrice(sql`place.quantity`, sql`buyer.group_id`)} as paise) each
   where ${mayBuyAt(sql`price.id`, now)} and not ${boughtSince} and place.quantity <= coalesce(${most}, place.quantity)
     and each.paise >= ${least}
     and each.paise * place.quantity between 1 and least(place.auto_max_paise, wallet.balance_paise)
     and not exists (select from hidden_products hidden
                      where hidden.user_id = place.user_id and hidden.product_id = price.product_id))`

export function isAwaited(db: Queries, arrival: Arrival): Promise<boolean> {
  return db.holds(sql`select exists (select from waiting_places place where ${mayBuy(arrival)})`)
}

/** Serves the next in the queue, in its order. It ends at the first who could pay and gets too few. */
export async function serveQueue(
  tx: Transaction,
  arrival: Arrival & { after: number },
  bring: (quantity: number) => Promise<number>,
): Promise<Serving> {
  const next = await tx.rows(sql(() => z.object({ seq: z.number(), userId: z.string() }))`
    select seq, user_id from waiting_places place
     where ${mayBuy(arrival)} and seq > ${arrival.after} order by seq limit ${literal(SERVED_AT_ONCE)}`)
  const last = next.at(-1)
  if (!last) return { buyers: [], sold: 0, next: undefined, short: [] }
  const lots = await lockWallets(
    tx,
    next.map(({ userId }) => userId),
    arrival.now,
    { wait: true },
  )
  const places = await tx.rows(sql(Place)`
    select place.id, place.seq, place.user_id as buyer_id, price.product_id, price.duration,
           place.quantity, place.auto_max_paise as auto_max, ${isFetch} as is_fetch
      from waiting_places place join prices price on price.id = place.price_id
     where ${mayBuy(arrival)} and place.seq = any(${next.map(({ seq }) => seq)}::bigint[]) and not ${boughtSince}
     order by place.seq for update of place`)
  const wanted = places.map(({ buyerId, productId, duration, quantity }): Served => {
    return { buyerId, productId, duration, quantity, idempotency: undefined }
  })
  const offers = await findOffers(tx, wanted)
  const short: Place[] = []
  const able = places.flatMap((place, index) => {
    const [each, offer] = [wanted[index], offers[index]?.offer]
    if (!each || !offer || offer === 'closed' || offer.unitPrice === 0) return []
    const amount = times(offer.unitPrice, place.quantity)
    if (amount > place.autoMax || isBeyond(offer, place)) return []
    if (add(ZERO, ...(lots.get(place.buyerId) ?? []).map(({ remaining }) => remaining)) >= amount)
      return [{ place, wanted: { ...each, expectedPrice: paise(offer.unitPrice) } }]
    short.push(place)
    return []
  })
  let left = await bring(able.reduce((sum, { place }) => sum + place.quantity, 0))
  const fits = ({ place }: { place: Place }) => place.quantity <= left && (left -= place.quantity) >= 0
  const isShort = arrival.passesOver ? -1 : able.findIndex((each) => !fits(each))
  const served = arrival.passesOver ? able.filter(fits) : isShort < 0 ? able : able.slice(0, isShort)
  const stoppedAt = able[isShort]?.place.seq ?? Infinity
  const bought = await buy(tx, served, arrival.now)
  const before = short.filter(({ seq }) => seq < stoppedAt)
  const fetches = before.filter((place) => place.isFetch)
  endShort(tx, fetches, arrival.now)
  return {
    sold: bought.reduce((sum, { quantity }) => sum + quantity, 0),
    buyers: bought.map(({ buyerId }) => buyerId),
    next: isShort < 0 && next.length === SERVED_AT_ONCE ? last.seq : undefined,
    short: before.filter((place) => !place.isFetch).map(({ id }) => id),
  }
}

/** @returns the places that got their keys */
async function buy(tx: Transaction, served: readonly { place: Place; wanted: Served }[], now: Date): Promise<Place[]> {
  const outcomes = await placeAll(
    tx,
    served.map(({ wanted }) => wanted),
    now,
  )
  const bought: Place[] = []
  for (const [index, { place }] of served.entries()) {
    const outcome = outcomes[index]
    // A refusal leaves the place open, and its keys go on sale
    if (!outcome || !('orderId' in outcome)) continue
    bought.push(place)
    void tx.send(sql`
      update waiting_places set ended_at = ${now}, end_reason = 'bought', order_id = ${outcome.orderId}
       where id = ${place.id}`)
    enqueue(tx, { kind: 'waiting.bought', userId: place.buyerId, subjectId: outcome.orderId, now })
  }
  return bought
}

/**
 * Asks a supplier for an order, and notes what came of it. The number of an order is the same at each try, and nothing
 * but an answer that decides, or a person, ends one that was sent: unknown is never taken for no.
 */
import { SUPPLY_BY_HAND_MS } from '../../contract/limits.ts'
import { paise } from '../../contract/money.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../contract/time.ts'
import { sql, type Transaction } from '../platform/database/database.ts'
import { bringKeys } from './bring-keys.ts'
import { type Unknown, ORDER_BYTES_MAX } from './chaabi/call.ts'
import { buyThere, type Came, type NotBought } from './chaabi/purchases.ts'
import { figuresOf } from './telling/figures.ts'
import { lockLink, pauseLink } from './links.ts'
import type { Supplying } from './supplying.ts'
import type { TakenOrder } from './take-orders.ts'
import { tellTrouble } from './telling/trouble.ts'
import type { SupplyTemplate } from '../../contract/supply.ts'
import { OutboundRefused, type Outbound } from '../platform/outbound.ts'
import { readAnswer } from './http/answer.ts'
import { requestOf } from './http/template.ts'

const WAITS_MS = [5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS]
const LATER_MS = 5 * MINUTE_MS
/** After this without an answer there is a message. One that has a list is silent there. */
const SILENT_MS = 30 * MINUTE_MS

const numberOf = ({ id, linkId }: Pick<TakenOrder, 'id' | 'linkId'>): string => `${linkId}/${id}`

type Answer = (Omit<Came, 'theirOrder'> & { theirOrder?: string }) | { is: 'refused'; why: Refused } | Unknown
type Refused = NotBought | 'request'

/** Sends it, unless it was sent once and may not be sent again. */
async function send({ sealer, outbound, ended }: Supplying, order: TakenOrder): Promise<Answer> {
  const { id, linkId, address, template, sku, quantity, price } = order
  if (order.isLost) return { is: 'unknown', why: 'silent' }
  const secret = sealer.open('supplier', linkId, order.sealed)
  if (template) {
    const values = { secret, order: id, sku: sku ?? '', quantity }
    // One that is never asked for again is waited for, even while the store ends
    const answer = await buyByTemplate(outbound, template, values, order.isOnce ? undefined : ended)
    return answer.is === 'came' ? { ...answer, unitPrice: answer.unitPrice ?? paise(price) } : answer
  }
  const { theirProduct: product, theirDuration: duration } = order
  const purchase = { number: numberOf(order), product, duration, quantity, price: paise(price) }
  return buyThere(outbound, { address, token: secret }, purchase, ended)
}

export async function ask(supplying: Supplying, order: TakenOrder): Promise<void> {
  const { db, clock } = supplying
  const began = clock.now()
  const answer = await send(supplying, order)
  if (answer.is === 'came') {
    const fault = await bringKeys(supplying, order, answer, clock.now().getTime() - began.getTime())
    if (fault === undefined) return
    await db.transaction((tx) => noteUnknown(tx, order, { is: 'unknown', why: fault }, clock.now()))
  } else if (answer.is === 'refused') {
    if (await db.transaction((tx) => noteRefused(tx, order, answer.why, clock.now())))
      figuresOf(supplying.metrics).ended('refused')
  } else await db.transaction((tx) => noteUnknown(tx, order, answer, clock.now()))
}

/** Nothing was bought under this number. @returns false if it has ended already */
async function noteRefused(tx: Transaction, order: TakenOrder, why: Refused, now: Date): Promise<boolean> {
  const { id, linkId, priceId, price } = order
  await lockLink(tx, linkId)
  const ended = await tx.run(sql`
    update supply_orders
       set state = 'refused', why = ${price === 0 ? 'unneeded' : why}, ended_at = ${now}, leased_until = null
     where id = ${id} and state = 'asked'`)
  if (ended === 0 || price === 0) return ended > 0
  const ofSource = sql`link_id = ${linkId} and price_id = ${priceId}`
  if (why === 'limit' || why === 'request') {
    await tx.run(sql`update supply_sources set rests_why = ${why} where ${ofSource}`)
    tellTrouble(tx, linkId, { why, priceId }, now)
  } else if (why === 'balance') {
    await tx.run(sql`update supply_links set balance_paise = null where id = ${linkId}`)
    tellTrouble(tx, linkId, { why: 'low' }, now)
  } else if (!order.template) {
    // Bought again once a new look at their list says that it can be. That is at the next look, or one who lies would
    // be asked without a pause
    await tx.run(sql`
      update supply_sources
         set their_stock = 0, refused_paise = ${why === 'stock' ? null : price},
             their_paise = case when ${why === 'stock'} then their_paise end
       where ${ofSource}`)
    await tx.run(sql`update supply_links set etag = null where id = ${linkId}`)
  }
  return true
}

/** Tries again later, under the same number, or never. */
async function noteUnknown(
  tx: Transaction,
  order: TakenOrder,
  { why, afterMs = 0 }: Unknown,
  now: Date,
): Promise<void> {
  const { id, linkId, number, template, tries, createdAt, isOnce } = order
  const openMs = now.getTime() - createdAt.getTime()
  const isOld = openMs >= SUPPLY_BY_HAND_MS
  const waitMs = isOld ? HOUR_MS : Math.max(WAITS_MS[tries - 1] ?? LATER_MS, afterMs)
  await lockLink(tx, linkId)
  const noted = await tx.run(sql`
    update supply_orders set why = ${why}, leased_until = null,
                             next_at = ${new Date(now.getTime() + waitMs)}
     where id = ${id} and state = 'asked'`)
  if (noted === 0) return
  if (why === 'address' || isOnce) await pauseLink(tx, linkId, why === 'address' ? why : 'lost')
  if (why === 'address' || why === 'token') tellTrouble(tx, linkId, { why }, now)
  if (why === 'removed') tellTrouble(tx, linkId, { why, number }, now)
  if (isOnce) tellTrouble(tx, linkId, { why: 'lost', number }, now)
  else if (isOld) tellTrouble(tx, linkId, { why: 'by-hand', number }, now)
  else if (template && openMs >= SILENT_MS) tellTrouble(tx, linkId, { why: 'silent' }, now)
}

/** Buys by one request. */
async function buyByTemplate(
  outbound: Outbound,
  template: SupplyTemplate,
  values: Required<Parameters<typeof requestOf>[1]>,
  signal: AbortSignal | undefined,
): Promise<ReturnType<typeof readAnswer>> {
  const { method, url, headers: texts, body } = requestOf(template, values)
  // Node takes the bytes of a header one by one
  const headers = Object.fromEntries([...texts].map(([name, text]) => [name, Buffer.from(text).toString('latin1')]))
  const request = { method, url, headers, ...(body !== '' && { body }) }
  try {
    const answer = await outbound.call({ ...request, answerBytesMax: ORDER_BYTES_MAX + 1, signal })
    return readAnswer(template, answer, values.quantity)
  } catch (error) {
    return { is: 'unknown', why: error instanceof OutboundRefused ? 'address' : 'silent' }
  }
}

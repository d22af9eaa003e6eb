/** Suppliers: connecting one, changing it, and what the store itself does with its row. */
import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { Rupees } from '../../contract/amounts.ts'
import { Refusal } from '../../contract/errors.ts'
import { Moment } from '../../contract/fields.ts'
import { SUPPLY_ORDER_MAX } from '../../contract/limits.ts'
import { toRupees } from '../../contract/money.ts'
import {
  Compared,
  PausedWhy,
  SUPPLY_FAULTS,
  SupplyLink,
  SupplyTemplate,
  Vain,
  type supply,
} from '../../contract/supply.ts'
import { DAY_MS } from '../../contract/time.ts'
import { audit, type ProvingBy } from '../audit/audit.ts'
import { sql, type Queries, type Sql, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { isPublic, type Outbound } from '../platform/outbound.ts'
import type { Services } from '../platform/services.ts'
import { readOwnThere, readTheirList, Theirs } from './chaabi/purchases.ts'
import { spentOn } from './demand.ts'
import { readAnswer } from './http/answer.ts'
import { requestOf, takesQuantity } from './http/template.ts'
import { withoutNulls } from '../platform/database/rows.ts'

/** What features outside need to reach a supplier. */
export interface Linking extends Services {
  outbound: Outbound
  publicOrigin: string | undefined
}

/** Locks a supplier's row. Take it first, before one of its orders. */
export async function lockLink(tx: Transaction, id: string): Promise<void> {
  await tx.run(sql`select from supply_links where id = ${id} for update`)
}

/** Turns it off until the owner looks at it. */
export async function pauseLink(tx: Transaction, id: string, why: NonNullable<SupplyLink['pausedWhy']>): Promise<void> {
  await tx.run(sql`
    update supply_links set is_on = false, paused_why = ${why} where id = ${id} and ended_at is null`)
}

/** A restored store does not know what it has bought since the backup, nor which waiting orders it has sent. */
export async function pauseEveryLink(tx: Transaction): Promise<void> {
  await tx.run(sql`
    update supply_orders bought set state = 'dropped', why = 'unneeded', ended_at = bought.created_at
      from supply_links link
     where link.id = bought.link_id and link.kind = 'http' and bought.state = 'waiting'`)
  await tx.run(sql`update supply_links set is_on = false, paused_why = 'restored' where ended_at is null`)
}

const VAIN_MS = 31 * DAY_MS

const Row = z.extend(SupplyLink, {
  template: z.nullable(SupplyTemplate),
  pausedWhy: z.nullable(PausedWhy),
  low: z.nullable(Rupees),
  balance: z.nullable(Rupees),
  tokenEndsAt: z.nullable(Moment),
  seenAt: z.nullable(Moment),
  failing: z.nullable(z.enum(SUPPLY_FAULTS)),
  usualSeconds: z.nullable(z.number()),
  vain: z.nullable(Vain),
  comparesFirst: z.nullable(z.literal(true)),
  comparedAt: z.nullable(Moment),
  compared: z.nullable(Compared),
})

/** How many orders of buyers were in vain, of a row `link`: keys that were ordered for them came, and are stock. */
const vainSince = (since: Date): Sql => sql`(
  select jsonb_build_object('of', count(*), 'count', count(*) filter (
           where place.order_id is null and exists (
             select from supply_orders bought
              where bought.link_id = link.id and bought.price_id = place.price_id and bought.state = 'came'
                and bought.created_at between place.created_at
                                          and least(place.fetch_until, coalesce(place.ended_at, place.fetch_until)))))
    from waiting_places place
    join supply_sources source on source.price_id = place.price_id and source.link_id = link.id
   where place.fetch_until is not null and place.created_at > ${since}
  having count(*) > 0)`

export async function listLinks(db: Queries, now: Date, which: Sql = sql`true`): Promise<SupplyLink[]> {
  const rows = await db.rows(sql(Row)`
    select id as _id, name, kind, address, template, is_on as on, paused_why, day_paise as day_max, low_paise as low,
           runs_from, balance_paise as balance, token_ends_at, ${spentOn(now)} as spent_today, seen_at,
           case kind when 'http' then (select why from supply_orders
                                        where link_id = link.id and state = 'asked' and why is not null and not is_once
                                        order by next_at desc limit 1) else failing_why end as failing,
           round(usual_ms / 1000.0, 1)::float8 as usual_seconds,
           ${vainSince(new Date(now.getTime() - VAIN_MS))} as vain,
           nullif(is_on and compares_first, false) as compares_first, compared_at, compared
      from supply_links link where ended_at is null and ${which} order by name, id`)
  return rows.map(withoutNulls)
}

/**
 * @param field which of the form it is. An address has no path, and a template's has
 * @returns the origin of another store
 * @throws Refusal URL_REFUSED
 */
function originOf(written: string, { outbound, publicOrigin }: Linking, field: 'address' | 'url' = 'address'): string {
  const url = URL.canParse(written) ? new URL(written) : undefined
  const isBare = url?.username === '' && url.password === '' && (field === 'url' || isRoot(url))
  const host = url?.hostname.replaceAll(/^\[|\]$/g, '') ?? ''
  const isName = host !== 'localhost' && !/[{}]/.test(host)
  const isOutside = url?.protocol === 'https:' && (isIP(host) === 0 || isPublic(host)) && isName
  if (!url || !isBare || !(isOutside || outbound.isTestOrigin(url.origin)) || url.origin === publicOrigin)
    throw new Refusal('URL_REFUSED', { field })
  return url.origin
}
const isRoot = ({ pathname, search }: URL) => pathname === '/' && search === ''

type Form = z.output<(typeof supply.addLink)['input']>
type Change = z.output<(typeof supply.changeLink)['input']> & { template?: object }

/** @throws Refusal STEP_UP_REQUIRED or URL_REFUSED */
export async function addLink(
  linking: Linking,
  { template, ...form }: Form & { template?: SupplyTemplate },
  by: ProvingBy,
): Promise<SupplyLink> {
  by.requireProof()
  const { db, sealer } = linking
  const { name, secret, dayMax, low, runsFrom } = form
  const address = template ? originOf(template.url, linking, 'url') : originOf(form.address, linking)
  const id = newId()
  return db.transaction(async (tx) => {
    await tx.run(sql`
      insert into supply_links (id, name, kind, address, sealed, template, order_max, is_on, day_paise, low_paise,
                                runs_from, look_at, created_at)
      values (${id}, ${name}, ${template ? 'http' : 'chaabi'}, ${address}, ${sealer.seal('supplier', id, secret)},
              ${template ? JSON.stringify(template) : null}::jsonb, ${orderMax(template)}, true, ${dayMax}, ${low},
              ${runsFrom}, ${by.now}, ${by.now})`)
    const [made] = await listLinks(tx, by.now, sql`id = ${id}`)
    if (!made) throw new Error('The supplier was not saved')
    await audit(tx, by, { action: 'supply.link', subject: `${name} (${id})`, after: audited(made) })
    return made
  })
}

const orderMax = (template: SupplyTemplate | undefined): number =>
  template && !takesQuantity(template) ? 1 : SUPPLY_ORDER_MAX

/** @returns what it is from now on; undefined if it stays. @throws Refusal NOT_FOUND for one of another kind */
function templateOf(before: SupplyLink | undefined, { template, address, secret }: Change): SupplyTemplate | undefined {
  const isOther = template ? before?.kind !== 'http' : before?.kind === 'http' && (address ?? secret) !== undefined
  if (!before || isOther) throw new Refusal('NOT_FOUND')
  return template && z.parse(SupplyTemplate, { ...before.template, ...template })
}

/** @throws Refusal STEP_UP_REQUIRED, URL_REFUSED, NOT_FOUND, or INVALID_INPUT for a new address without the token */
export async function changeLink(linking: Linking, change: Change, by: ProvingBy): Promise<SupplyLink> {
  by.requireProof()
  const { db, sealer } = linking
  const { id, secret, on, ended = false } = change
  const written = change.address === undefined ? undefined : originOf(change.address, linking)
  return db.transaction(async (tx) => {
    await lockLink(tx, id)
    const [before] = await listLinks(tx, by.now, sql`id = ${id}`)
    const template = templateOf(before, change)
    if (!before) throw new Refusal('NOT_FOUND')
    const address = template ? originOf(template.url, linking, 'url') : written
    const isElsewhere = address !== undefined && address !== before.address
    // Else the token would go to a stranger at the new address
    if (isElsewhere && secret === undefined)
      throw new Refusal('INVALID_INPUT', { message: 'Enter the token again', field: 'secret' })
    // Everything there is read again
    const isAnew = address !== undefined || secret !== undefined || on === true
    const low = change.low === undefined ? sql`low_paise` : sql`${change.low}::bigint`
    await tx.run(sql`
      update supply_links
         set name = coalesce(${change.name ?? null}, name), address = coalesce(${address ?? null}, address),
             sealed = coalesce(${secret === undefined ? null : sealer.seal('supplier', id, secret)}::bytea, sealed),
             template = coalesce(${template ? JSON.stringify(template) : null}::jsonb, template),
             order_max = case when template is null then order_max else ${orderMax(template ?? before.template)} end,
             day_paise = coalesce(${change.dayMax ?? null}::bigint, day_paise), low_paise = ${low},
             runs_from = coalesce(${change.runsFrom ?? null}, runs_from),
             is_on = coalesce(${on ?? null}::boolean, is_on),
             paused_why = case when ${on ?? null}::boolean is null then paused_why end,
             failures = case when ${isAnew} then 0 else failures end,
             failing_since = case when not ${isAnew} then failing_since end,
             failing_why = case when not ${isAnew} then failing_why end, etag = case when not ${isAnew} then etag end,
             balance_paise = case when not ${isAnew} then balance_paise end,
             look_at = case when ${isAnew} then ${by.now} else look_at end,
             compares_first = case when ${on === true} then kind = 'chaabi' else compares_first end,
             compare_at = case when ${on === true} then ${by.now} else compare_at end
       where id = ${id}`)
    // Who sits at the new address knows none of their numbers
    if (template && isElsewhere)
      await tx.run(sql`
        update supply_orders set is_once = true, why = coalesce(why, 'silent')
         where link_id = ${id} and state = 'asked'`)
    const [after] = await listLinks(tx, by.now, sql`id = ${id}`)
    if (!after) throw new Error('The supplier is gone')
    if (ended) {
      await tx.run(sql`delete from supply_sources where link_id = ${id}`)
      await tx.run(sql`
        update supply_links set is_on = false, paused_why = null, ended_at = ${by.now}, products = '[]'
         where id = ${id}`)
    }
    await audit(tx, by, {
      action: 'supply.link',
      subject: `${after.name} (${id})`,
      before: audited(before),
      after: { ...audited(after), ...(secret !== undefined && { newToken: true }), ...(ended && { ended }) },
    })
    return ended ? { ...after, on: false } : after
  })
}

/** Without headers and body, because a secret may have been typed there. */
const audited = ({ name, address, on, dayMax, low, runsFrom, template }: SupplyLink) => {
  return { name, address, on, dayMax, low, runsFrom, ...(template && { url: template.url, repeats: template.repeats }) }
}

/** Shows what would be sent, and what an answer would mean. @throws Refusal STEP_UP_REQUIRED or URL_REFUSED */
export function tryTemplate(
  linking: Linking,
  { answer, ...template }: z.output<(typeof supply.try)['input']>,
  by: ProvingBy,
): z.output<(typeof supply.try)['output']> {
  by.requireProof()
  originOf(template.url, linking, 'url')
  const { method, url, headers, body } = requestOf(template, { order: newId(), sku: 'SKU-1', quantity: 1 })
  const request = [`${method} ${url}`, ...[...headers].map((each) => each.join(': ')), '', body].join('\n').trim()
  // A pasted answer is whole
  const read = readAnswer(template, { status: 200, headers: { 'content-length': '0' }, body: answer })
  if (read.is !== 'came') return { request, means: read.is, keys: 0 }
  const { keys, unitPrice } = read
  const cost = unitPrice !== undefined && { cost: toRupees(unitPrice) }
  return { request, means: 'came', keys: keys.length, ends: keys[0]?.slice(-4) ?? '', ...cost }
}

/** Asks who the store is there. @throws Refusal STEP_UP_REQUIRED or URL_REFUSED */
export async function checkLink(
  linking: Linking,
  form: Pick<Form, 'address' | 'secret'>,
  by: ProvingBy,
): Promise<z.output<(typeof supply.check)['output']>> {
  by.requireProof()
  const account = { address: originOf(form.address, linking), token: form.secret }
  const own = await readOwnThere(linking.outbound, account)
  if (own.is !== 'own') return { found: null, why: own.why }
  const list = await readTheirList(linking.outbound, account, null)
  if (list.is !== 'list') return { found: null, why: list.is === 'same' ? 'unreadable' : list.why }
  const { store, username, balance, canBuy } = own
  const products = new Set(list.products.map(({ product }) => product)).size
  return { found: { store, username, balance: toRupees(balance), canBuy, products } }
}

/** @throws Refusal NOT_FOUND */
export async function readTheirs(db: Queries, id: string): Promise<Theirs[]> {
  const row = await db.maybe(sql(() => z.object({ products: z.array(Theirs) }))`
    select products from supply_links where id = ${id} and ended_at is null`)
  if (!row) throw new Refusal('NOT_FOUND')
  return row.products
}

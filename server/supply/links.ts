/** Suppliers: connecting one, changing it, and what the store itself does with its row. */
import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { Rupees } from '../../contract/amounts.ts'
import { Refusal } from '../../contract/errors.ts'
import { Moment } from '../../contract/fields.ts'
import { toRupees } from '../../contract/money.ts'
import { Compared, PausedWhy, SUPPLY_FAULTS, SupplyLink, type supply } from '../../contract/supply.ts'
import { audit, type ProvingBy } from '../audit/audit.ts'
import { sql, type Queries, type Sql, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { isPublic, type Outbound } from '../platform/outbound.ts'
import type { Services } from '../platform/services.ts'
import { readOwnThere, readTheirList, Theirs } from './chaabi/purchases.ts'
import { spentOn } from './demand.ts'
import { withoutNulls } from './without-nulls.ts'

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

/** After a restore the store does not know what it has bought since the backup. */
export async function pauseEveryLink(tx: Transaction): Promise<void> {
  await tx.run(sql`update supply_links set is_on = false, paused_why = 'restored' where ended_at is null`)
}

const Row = z.extend(SupplyLink, {
  pausedWhy: z.nullable(PausedWhy),
  low: z.nullable(Rupees),
  balance: z.nullable(Rupees),
  tokenEndsAt: z.nullable(Moment),
  seenAt: z.nullable(Moment),
  failing: z.nullable(z.enum(SUPPLY_FAULTS)),
  usualSeconds: z.nullable(z.number()),
  comparesFirst: z.nullable(z.literal(true)),
  comparedAt: z.nullable(Moment),
  compared: z.nullable(Compared),
})

export async function listLinks(db: Queries, now: Date, which: Sql = sql`true`): Promise<SupplyLink[]> {
  const rows = await db.rows(sql(Row)`
    select id as _id, name, kind, address, is_on as on, paused_why, day_paise as day_max, low_paise as low,
           runs_from, balance_paise as balance, token_ends_at, ${spentOn(now)} as spent_today, seen_at,
           failing_why as failing, round(usual_ms / 1000.0, 1)::float8 as usual_seconds,
           nullif(is_on and compares_first, false) as compares_first, compared_at, compared
      from supply_links link where ended_at is null and ${which} order by name, id`)
  return rows.map(withoutNulls)
}

/** @returns the origin of another store. @throws Refusal URL_REFUSED */
function originOf(written: string, { outbound, publicOrigin }: Linking): string {
  const url = URL.canParse(written) ? new URL(written) : undefined
  const isBare = url?.username === '' && url.password === '' && url.pathname === '/' && url.search === ''
  const host = url?.hostname.replaceAll(/^\[|\]$/g, '') ?? ''
  const isOutside = url?.protocol === 'https:' && (isIP(host) === 0 || isPublic(host)) && host !== 'localhost'
  if (!url || !isBare || !(isOutside || outbound.isTestOrigin(url.origin)) || url.origin === publicOrigin)
    throw new Refusal('URL_REFUSED', { field: 'address' })
  return url.origin
}

type Form = z.output<(typeof supply.addLink)['input']>
type Change = z.output<(typeof supply.changeLink)['input']>

/** @throws Refusal STEP_UP_REQUIRED or URL_REFUSED */
export async function addLink(linking: Linking, form: Form, by: ProvingBy): Promise<SupplyLink> {
  by.requireProof()
  const { db, sealer } = linking
  const { name, secret, dayMax, low, runsFrom } = form
  const address = originOf(form.address, linking)
  const id = newId()
  return db.transaction(async (tx) => {
    await tx.run(sql`
      insert into supply_links (id, name, address, sealed, is_on, day_paise, low_paise, runs_from, look_at, created_at)
      values (${id}, ${name}, ${address}, ${sealer.seal('supplier', id, secret)}, true, ${dayMax}, ${low}, ${runsFrom},
              ${by.now}, ${by.now})`)
    const [made] = await listLinks(tx, by.now, sql`id = ${id}`)
    if (!made) throw new Error('The supplier was not saved')
    await audit(tx, by, { action: 'supply.link', subject: `${name} (${id})`, after: audited(made) })
    return made
  })
}

/** @throws Refusal STEP_UP_REQUIRED, URL_REFUSED, NOT_FOUND, or INVALID_INPUT for a new address without the token */
export async function changeLink(linking: Linking, change: Change, by: ProvingBy): Promise<SupplyLink> {
  by.requireProof()
  const { db, sealer } = linking
  const { id, secret, on, ended = false } = change
  const address = change.address === undefined ? undefined : originOf(change.address, linking)
  return db.transaction(async (tx) => {
    await lockLink(tx, id)
    const [before] = await listLinks(tx, by.now, sql`id = ${id}`)
    if (!before) throw new Refusal('NOT_FOUND')
    // Else the token would go to a stranger at the new address
    if (address !== undefined && address !== before.address && secret === undefined)
      throw new Refusal('INVALID_INPUT', { message: 'Enter the token again', field: 'secret' })
    // Everything there is read again
    const isAnew = address !== undefined || secret !== undefined || on === true
    const low = change.low === undefined ? sql`low_paise` : sql`${change.low}::bigint`
    await tx.run(sql`
      update supply_links
         set name = coalesce(${change.name ?? null}, name), address = coalesce(${address ?? null}, address),
             sealed = coalesce(${secret === undefined ? null : sealer.seal('supplier', id, secret)}::bytea, sealed),
             day_paise = coalesce(${change.dayMax ?? null}::bigint, day_paise), low_paise = ${low},
             runs_from = coalesce(${change.runsFrom ?? null}, runs_from),
             is_on = coalesce(${on ?? null}::boolean, is_on),
             paused_why = case when ${on ?? null}::boolean is null then paused_why end,
             failures = case when ${isAnew} then 0 else failures end,
             failing_since = case when not ${isAnew} then failing_since end,
             failing_why = case when not ${isAnew} then failing_why end, etag = case when not ${isAnew} then etag end,
             balance_paise = case when not ${isAnew} then balance_paise end,
             look_at = case when ${isAnew} then ${by.now} else look_at end,
             compares_first = case when ${on === true} then true else compares_first end,
             compare_at = case when ${on === true} then ${by.now} else compare_at end
       where id = ${id}`)
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

const audited = ({ name, address, on, dayMax, low, runsFrom }: SupplyLink) => {
  return { name, address, on, dayMax, low, runsFrom }
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
  const row = await db.maybe(sql(z.object({ products: z.array(Theirs) }))`
    select products from supply_links where id = ${id} and ended_at is null`)
  if (!row) throw new Refusal('NOT_FOUND')
  return row.products
}

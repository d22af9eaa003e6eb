/** Looks at suppliers: what they sell and for how much, and what lies in the store's wallet there. */
import * as z from 'zod/mini'
import type { Paise } from '../../contract/money.ts'
import { MINUTE_MS } from '../../contract/time.ts'
import { latestAfter } from '../platform/clock.ts'
import { columns, literal, sql, type Database, type Transaction } from '../platform/database/database.ts'
import type { Supplying } from './supplying.ts'
import type { Account } from './chaabi/call.ts'
import { readOwnThere, readTheirList, type Theirs } from './chaabi/purchases.ts'
import { lockLink, pauseLink } from './links.ts'
import { readAnswers } from './report.ts'
import { tellTrouble } from './telling/trouble.ts'

const LOOK_MS = MINUTE_MS
const BALANCE_MS = 10 * MINUTE_MS
/** After this without an answer there is a message. */
const SILENT_MS = 30 * MINUTE_MS

const Due = z.object({
  id: z.string(),
  address: z.string(),
  sealed: z.instanceof(Buffer),
  etag: z.nullable(z.string()),
  needsBalance: z.boolean(),
})
type Due = z.output<typeof Due>

/** Takes suppliers whose turn it is. Their next turn is moved on first, so no lock is held while they are asked. */
export function takeLooks(db: Database, most: number, now: Date): Promise<Due[]> {
  return db.rows(sql(Due)`
    update supply_links link set look_at = ${new Date(now.getTime() + LOOK_MS)}
     where id in (select id from supply_links
                   where is_on and kind = 'chaabi' and (look_at <= ${now} or look_at > ${latestAfter(LOOK_MS, now)})
                   order by look_at, id limit ${literal(most)} for update skip locked)
    returning id, address, sealed, etag,
              coalesce(balance_at <= ${new Date(now.getTime() - BALANCE_MS)} or balance_paise is null, true)
                as needs_balance`)
}

export async function lookAt(supplying: Supplying, link: Due): Promise<void> {
  const { db, sealer, outbound, clock, ended } = supplying
  const account: Account = { address: link.address, token: sealer.open('supplier', link.id, link.sealed) }
  const list = await readTheirList(outbound, account, link.etag, ended)
  const own = list.is !== 'unknown' && link.needsBalance ? await readOwnThere(outbound, account, ended) : undefined
  if (own?.is === 'own') await readAnswers(supplying, link.id, account)
  const fault = list.is === 'unknown' ? list : own?.is === 'unknown' ? own : undefined
  await db.transaction(async (tx) => {
    const now = clock.now()
    await lockLink(tx, link.id)
    if (list.is === 'list') await keepList(tx, link.id, list, now)
    if (own?.is === 'own') await keepOwn(tx, link.id, own, now)
    await tx.run(sql`
      update supply_links
         set failures = case when ${fault !== undefined} then failures + 1 else 0 end,
             failing_since = case when ${fault !== undefined} then coalesce(failing_since, ${now}) end,
             failing_why = ${fault?.why ?? null},
             seen_at = case when ${list.is !== 'unknown'} then ${now} else seen_at end
       where id = ${link.id}`)
    if (fault === undefined) return
    if (fault.why === 'address') await pauseLink(tx, link.id, 'address')
    if (fault.why === 'address' || fault.why === 'token') tellTrouble(tx, link.id, { why: fault.why }, now)
    const silentSince = new Date(now.getTime() - SILENT_MS)
    if (await tx.holds(sql`select failing_since <= ${silentSince} from supply_links where id = ${link.id}`))
      tellTrouble(tx, link.id, { why: 'silent' }, now)
  })
}

export async function keepOwn(
  tx: Transaction,
  linkId: string,
  { balance, expiresAt }: { balance: Paise; expiresAt: Date },
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update supply_links set balance_paise = ${balance}, balance_at = ${now}, token_ends_at = ${expiresAt}
     where id = ${linkId}`)
  if (await tx.holds(sql`select coalesce(balance_paise < low_paise, false) from supply_links where id = ${linkId}`))
    tellTrouble(tx, linkId, { why: 'low' }, now)
}

const SourceRow = z.object({
  priceId: z.string(),
  theirProduct: z.string(),
  theirDuration: z.string(),
  capPaise: z.number(),
  refusedPaise: z.nullable(z.number()),
})

export async function keepList(
  tx: Transaction,
  linkId: string,
  { products, etag }: { products: readonly Theirs[]; etag: string | null },
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update supply_links set products = ${JSON.stringify(products)}::jsonb, etag = ${etag} where id = ${linkId}`)
  const listed = new Map(products.map((each) => [`${each.product} ${each.duration}`, each]))
  const sources = await tx.rows(sql(SourceRow)`
    select price_id, their_product, their_duration, cap_paise, refused_paise
      from supply_sources where link_id = ${linkId}`)
  const seen = sources.map(({ priceId, theirProduct, theirDuration, capPaise, refusedPaise }) => {
    const found = listed.get(`${theirProduct} ${theirDuration}`)
    const isUnsettled = found !== undefined && found.paise === refusedPaise
    if (isUnsettled) tellTrouble(tx, linkId, { why: 'unsettled', priceId }, now)
    else if (found && found.paise > capPaise)
      tellTrouble(tx, linkId, { why: 'dear', priceId, price: found.paise, cap: capPaise }, now)
    return { priceId, paise: found?.paise, stock: found?.stock ?? 0, isUnsettled }
  })
  await tx.run(sql`
    update supply_sources source
       set their_paise = seen.paise, their_stock = seen.stock,
           refused_paise = case when seen.is_unsettled then source.refused_paise end,
           rests_why = case when seen.is_unsettled then 'price'
                            when source.rests_why = 'price' then null else source.rests_why end
      from ${columns(seen, 'price_id uuid, paise bigint, stock int, is_unsettled boolean')} as seen
     where source.price_id = seen.price_id`)
}

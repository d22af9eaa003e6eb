/**
 * Reports a claimed key to the supplier it came from, and brings in what it gives for it. The supplier takes one report
 * of a key, so a repetition after a lost answer finds the first. It learns nothing of the buyer.
 */
import * as z from 'zod/mini'
import { Rupees } from '../../contract/amounts.ts'
import { REPORTED_REASONS } from '../../contract/claim-reasons.ts'
import { ClaimStatus } from '../../contract/claims.ts'
import { Refusal } from '../../contract/errors.ts'
import { Moment } from '../../contract/fields.ts'
import { ZERO } from '../../contract/money.ts'
import type { ClaimThere, supply } from '../../contract/supply.ts'
import { audit, type By } from '../audit/audit.ts'
import { importAsStore } from './bring-keys.ts'
import { readClaimsThere, readKeysThere, reportKeyThere, type ClaimOfTheirs } from './chaabi/books.ts'
import type { Account } from './chaabi/call.ts'
import { lockLink } from './links.ts'
import type { Supplying } from './supplying.ts'
import { tellTrouble } from './telling/trouble.ts'
import { sql, type Queries, type Sql } from '../platform/database/database.ts'

/** A message names so many purchases. */
const ORDERS_NAMED = 20

const Row = z.object({
  claimId: z.string(),
  claimNumber: z.number(),
  reason: z.string(),
  keyId: z.string(),
  keySealed: z.instanceof(Buffer),
  productId: z.string(),
  duration: z.string(),
  linkId: z.string(),
  supplier: z.string(),
  order: z.string(),
  theirOrder: z.string(),
  address: z.string(),
  sealed: z.instanceof(Buffer),
  theirKey: z.nullable(z.string()),
  number: z.nullable(z.string()),
  status: z.nullable(ClaimStatus),
  refunded: z.nullable(Rupees),
  at: z.nullable(Moment),
})
type Row = z.output<typeof Row>

const findClaimed = (db: Queries, which: Sql): Promise<Row[]> =>
  db.rows(sql(Row)`
    select claim.id as claim_id, claim.number as claim_number, claim.reason, key.id as key_id,
           key.sealed as key_sealed, price.product_id, price.duration, link.id as link_id, link.name as supplier,
           'S-' || bought.number as order, bought.their_order, link.address, link.sealed, there.their_key,
           there.their_number as number, there.status, there.refunded_paise as refunded, there.created_at as at
      from key_claims claim
      join license_keys key on key.id = claim.key_id
      join prices price on price.id = key.price_id
      join supply_keys line on line.key_id = key.id
      join supply_orders bought on bought.id = line.order_id and bought.their_order is not null
      join supply_links link on link.id = bought.link_id and link.ended_at is null
      left join supply_claims there on there.claim_id = claim.id
     where ${which}`)

function shown({ supplier, order, number, status, refunded, at }: Row): ClaimThere {
  const reported = number !== null && status !== null && at !== null && { number, status, at }
  return { supplier, order, ...(reported && { reported: { ...reported, ...(refunded !== null && { refunded }) } }) }
}

/** @returns null for a key that came otherwise */
export async function readClaimThere(db: Queries, id: string): Promise<ClaimThere | null> {
  const [found] = await findClaimed(db, sql`claim.id = ${id}`)
  return found ? shown(found) : null
}

/** Their answer is read later, even if there is one. @throws Refusal NOT_FOUND for a key that came otherwise */
export async function reportThere(
  { db, sealer, outbound, ended }: Omit<Supplying, 'hooks'>,
  id: string,
  by: By,
): Promise<z.output<(typeof supply.reportThere)['output']>> {
  const [found] = await findClaimed(db, sql`claim.id = ${id}`)
  if (!found) throw new Refusal('NOT_FOUND')
  if (found.number !== null) return { there: shown(found) }
  const account: Account = { address: found.address, token: sealer.open('supplier', found.linkId, found.sealed) }
  const bought = await readKeysThere(outbound, account, found.theirOrder, ended)
  if (bought.is === 'unknown') return { there: shown(found), why: bought.why }
  const text = sealer.open('key', found.keyId, found.keySealed)
  const theirs = bought.keys.find(({ key }) => key === text)
  if (!theirs) return { there: shown(found), why: 'settled' }
  const reason = REPORTED_REASONS.find((each) => each === found.reason) ?? 'other'
  const report = await reportKeyThere(outbound, account, { keyId: theirs._id, reason }, ended)
  if (report.is !== 'reported') return { there: shown(found), why: report.why }
  await db.transaction(async (tx) => {
    const isNew = await tx.run(sql`
      insert into supply_claims (claim_id, link_id, their_key, their_number, status, created_at)
      values (${id}, ${found.linkId}, ${theirs._id}, ${report.number}, 'open', ${by.now})
      on conflict do nothing`)
    const subject = `C-${found.claimNumber} at ${found.supplier} (${id})`
    if (isNew > 0) await audit(tx, by, { action: 'supply.report', subject, after: { order: found.order } })
  })
  const [after = found] = await findClaimed(db, sql`claim.id = ${id}`)
  return { there: shown(after) }
}

/** Reads what a supplier has answered. A new key comes into stock, at no cost. */
export async function readAnswers(supplying: Supplying, linkId: string, account: Account): Promise<void> {
  const { db, outbound, clock, ended } = supplying
  const answers = await readClaimsThere(outbound, account, ended)
  if (answers.is === 'unknown') return
  for (const claim of await findClaimed(db, sql`there.link_id = ${linkId} and there.status = 'open'`)) {
    const answer = answers.claims.find(({ number }) => number === claim.number)
    if (!answer || answer.status === 'open') continue
    const { status, refunded } = answer
    // It is read again until its key has come
    if (status === 'replaced' && !(await bringReplacement(supplying, claim, account))) continue
    await db.transaction(async (tx) => {
      await lockLink(tx, linkId)
      const isNew = await tx.run(sql`
        update supply_claims set status = ${status}, refunded_paise = ${refunded}
         where claim_id = ${claim.claimId} and status = 'open'`)
      if (isNew > 0) tellTrouble(tx, linkId, { why: status, claim: claim.claimNumber }, clock.now())
    })
  }
  await tellRecalled(supplying, linkId, answers.claims)
}

/** Tells which purchases have keys that they recalled, once a day until their batches are recalled here as well. */
async function tellRecalled({ db, clock }: Supplying, linkId: string, claims: readonly ClaimOfTheirs[]): Promise<void> {
  const orders = claims.flatMap(({ reason, status, orderId }) =>
    reason === 'recalled' && status !== 'withdrawn' && status !== 'rejected' && orderId !== undefined ? [orderId] : [],
  )
  if (orders.length === 0) return
  const bad = await db.rows(sql(() => z.object({ order: z.string(), keys: z.number() }))`
    select 'S-' || number as order, cardinality(array_positions(${orders}::text[], their_order)) as keys
      from supply_orders bought
     where link_id = ${linkId} and their_order = any(${orders}::text[])
       and exists (select from supply_keys line
                     join license_keys key on key.id = line.key_id
                     join key_batches batch on batch.id = key.batch_id and batch.recalled_at is null
                    where line.order_id = bought.id)
     order by number`)
  const count = bad.reduce((sum, { keys }) => sum + keys, 0)
  if (count === 0) return
  const named = bad.slice(0, ORDERS_NAMED).map(({ order }) => order)
  const trouble = { why: 'recalled', count, orders: named.join(', ') } as const
  await db.transaction(async (tx) => tellTrouble(tx, linkId, trouble, clock.now()))
}

/** @returns false while its key cannot come in */
async function bringReplacement(supplying: Supplying, claim: Row, account: Account): Promise<boolean> {
  const bought = await readKeysThere(supplying.outbound, account, claim.theirOrder, supplying.ended)
  if (bought.is === 'unknown') return false
  const fresh = bought.keys.find(({ replaces }) => replaces === claim.theirKey)
  if (!fresh) return true
  const { productId, duration, supplier, claimId } = claim
  const paste = { productId, duration, keys: [fresh.key], supplier, costPerKey: ZERO, note: claim.order }
  return (await importAsStore(supplying, { ...paste, batchId: claimId })) !== 'PRODUCT_NOT_FOUND'
}

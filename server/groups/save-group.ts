import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { BuyerGroup, type groups } from '../../contract/groups.ts'
import { GROUPS_MAX } from '../../contract/limits.ts'
import { paise, toRupees } from '../../contract/money.ts'
import { audit, type ProvingBy } from '../audit/audit.ts'
import { isCheaper, readOffersOfGroup } from '../catalogue/offers.ts'
import { columns, sql, violates, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import type { Services } from '../platform/services.ts'
import { emptyGroup } from '../users/grade-buyers.ts'
import { listGroups, LIVE_PRICES, readExceptions } from './groups.ts'

type Terms = z.output<(typeof groups.create)['input']>
type Change = z.output<(typeof groups.update)['input']>

/** @throws Refusal NAME_TAKEN, SUM_TAKEN, PRODUCT_NOT_FOUND, TOO_MANY_GROUPS, STEP_UP_REQUIRED if below the list */
export const createGroup = (services: Services, terms: Terms, by: ProvingBy): Promise<BuyerGroup> =>
  saving(services, by, async (tx) => {
    const id = newId()
    // Of two at once, the second counts the first
    await tx.run(sql`lock table buyer_groups in share row exclusive mode`)
    if ((await tx.count(sql`select count(*) from buyer_groups`)) >= GROUPS_MAX) throw new Refusal('TOO_MANY_GROUPS')
    const offers = await readOffersOfGroup(tx, id)
    await tx.run(sql`
      insert into buyer_groups (id, name, percent_off, from_spent_paise, created_at)
      values (${id}, ${terms.name}, ${terms.percentOff}, ${terms.fromSpent ?? null}, ${by.now})`)
    await writePrices(tx, id, terms.prices)
    if (isCheaper(offers, await readOffersOfGroup(tx, id))) by.requireProof()
    return { id }
  })

/**
 * Absent fields stay.
 * @throws Refusal NOT_FOUND, NAME_TAKEN, SUM_TAKEN, PRODUCT_NOT_FOUND, STEP_UP_REQUIRED for a lower price or sum
 */
export const updateGroup = (
  services: Services,
  { id, prices, fromSpent, ...change }: Change,
  by: ProvingBy,
): Promise<BuyerGroup> =>
  saving(services, by, async (tx) => {
    await lockGroup(tx, id)
    const before = await auditable(tx, id)
    const offers = await readOffersOfGroup(tx, id)
    await tx.run(sql`
      update buyer_groups
         set name = coalesce(${change.name ?? null}, name),
             percent_off = coalesce(${change.percentOff ?? null}, percent_off),
             from_spent_paise = case when ${fromSpent === undefined} then from_spent_paise
                                     else ${fromSpent ?? null}::bigint end
       where id = ${id}`)
    if (prices) await writePrices(tx, id, prices)
    const isLower =
      fromSpent !== undefined && fromSpent !== null && toRupees(fromSpent) < (before.fromSpent ?? Infinity)
    if (isLower || isCheaper(offers, await readOffersOfGroup(tx, id))) by.requireProof()
    return { id, before }
  })

/** @throws Refusal NOT_FOUND, or AMOUNT_CHANGED if it has other members than the admin saw */
export async function removeGroup(
  { db, events }: Services,
  { id, expected }: z.output<(typeof groups.remove)['input']>,
  by: ProvingBy,
): Promise<{ message: string }> {
  await db.transaction(async (tx) => {
    // Who joins locks the group before the buyer, and waits
    await lockGroup(tx, id)
    const members = await emptyGroup(tx, id)
    if (expected !== undefined && members !== expected)
      throw new Refusal('AMOUNT_CHANGED', {
        say: ['This group now has {count, plural, one {# buyer} other {# buyers}}. Check again.', { count: members }],
      })
    const { name, ...before } = await auditable(tx, id)
    await tx.run(sql`delete from buyer_groups where id = ${id}`)
    await audit(tx, by, { action: 'group.remove', subject: `${name} (${id})`, before: { name, ...before, members } })
  })
  events.publish({ to: 'everyone', name: 'stock' })
  return { message: 'Group removed' }
}

/** @throws Refusal NOT_FOUND */
async function lockGroup(tx: Transaction, id: string): Promise<void> {
  if (!(await tx.text(sql`select id from buyer_groups where id = ${id} for update`))) throw new Refusal('NOT_FOUND')
}

/** Prices of deleted products and removed durations stay. @throws Refusal PRODUCT_NOT_FOUND */
async function writePrices(tx: Transaction, id: string, wanted: Terms['prices']): Promise<void> {
  const prices = new Map(wanted.map((each) => [each.priceId, each.price]))
  const known = await tx.count(sql`
    select count(*) from ${LIVE_PRICES} live where live.id = any(${[...prices.keys()]}::uuid[])`)
  if (known < prices.size) throw new Refusal('PRODUCT_NOT_FOUND')
  await tx.run(sql`delete from group_prices where group_id = ${id} and price_id in ${LIVE_PRICES}`)
  await tx.run(sql`
    insert into group_prices (group_id, price_id, paise)
    select ${id}, price_id, paise
      from ${columns(
        [...prices].map(([priceId, amount]) => ({ priceId, paise: amount })),
        'price_id uuid, paise bigint',
      )} as price`)
}

/** Saves a group, notes it, and tells open pages of it. */
async function saving(
  { db, events }: Services,
  by: ProvingBy,
  work: (tx: Transaction) => Promise<{ id: string; before?: object }>,
): Promise<BuyerGroup> {
  const saved = await db
    .transaction(async (tx) => {
      const { id, before } = await work(tx)
      const after = await auditable(tx, id)
      await audit(tx, by, { action: 'group.save', subject: `${after.name} (${id})`, ...(before && { before }), after })
      return (await listGroups(tx, by.now)).find(({ _id }) => _id === id)
    })
    .catch((error: unknown) => {
      if (violates(error, 'buyer_groups_from_spent_paise_key')) throw new Refusal('SUM_TAKEN', { field: 'fromSpent' })
      if (!violates(error, 'buyer_groups_name')) throw error
      const message = 'A group with this name already exists.'
      throw new Refusal('NAME_TAKEN', { message, fields: { name: message } })
    })
  if (!saved) throw new Error('The group is not there')
  events.publish({ to: 'everyone', name: 'stock' })
  return saved
}

const Kept = z.pick(BuyerGroup, { name: true, percentOff: true, fromSpent: true })

async function auditable(tx: Transaction, id: string) {
  const terms = await tx.one(sql(Kept)`
    select name, percent_off, from_spent_paise as from_spent from buyer_groups where id = ${id}`)
  const exceptions = (await readExceptions(tx, id)).map(({ place, price }) => [place, toRupees(paise(price))])
  return { ...terms, customPrices: Object.fromEntries(exceptions) as Record<string, number> }
}

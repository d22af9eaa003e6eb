/** Things that the walk over the contract needs before its calls: a pending request, a sold key, a full form. */
import { setTimeout as sleep } from 'node:timers/promises'
import { WAITING_FRIENDS_MAX } from '../../contract/limits.ts'
import { sql } from '../../server/platform/database/database.ts'
import { newId } from '../../server/platform/ids.ts'
import { confirmed } from '../worlds/bank.ts'
import { seedUsers } from '../worlds/seed.ts'
import { nextUtr, PASSWORD, type Buyer, type Shop } from '../worlds/shop.ts'
import { unique } from '../worlds/constants.ts'

export const DURATION = '10 Days'
export const at = (path: string, ...parts: string[]) =>
  path + parts.map((part) => `/${encodeURIComponent(part)}`).join('')

/** A pending request of a new buyer. */
export async function pending(shop: Shop): Promise<string> {
  const buyer = await shop.buyer()
  const { payment } = await buyer.api.payments.addMoney({ amount: 100, utr: nextUtr(), payerName: '9876543210' })
  return payment._id
}

export async function decided(shop: Shop): Promise<string> {
  const id = await pending(shop)
  await shop.owner.api.payments.approve({ id })
  return id
}

export async function blocked(shop: Shop): Promise<Buyer> {
  const buyer = await shop.buyer()
  await shop.owner.api.users.block({ id: buyer.id, reason: 'Asked twice' })
  return buyer
}

export async function plan(shop: Shop): Promise<string> {
  return (await shop.owner.api.payments.createPlan({ amount: 100, bonus: 120 }))._id
}

export async function code(shop: Shop, more: { maxUsage?: number } = {}): Promise<{ _id: string; code: string }> {
  return shop.owner.api.referrals.create({ code: unique('C').toUpperCase(), description: 'A code', ...more })
}

/** An unsold key of a new product. */
export async function freeKey(shop: Shop): Promise<{ id: string; text: string; productId: string }> {
  const product = await shop.product({ stock: 2 })
  const [key] = await shop.owner.api.keys.list({ productId: product._id, duration: DURATION })
  if (!key) throw new Error('No key')
  return { id: key._id, text: key.key, productId: product._id }
}

/** A batch of one key of a new product. */
export async function batch(shop: Shop): Promise<{ id: string; productId: string }> {
  const { _id: productId } = await shop.product()
  const { batchId = '' } = await shop.owner.api.keys.add({ productId, duration: DURATION, keys: [unique('B-')] })
  return { id: batchId, productId }
}

export async function undoneBatch(shop: Shop): Promise<{ id: string; productId: string }> {
  const made = await batch(shop)
  await shop.owner.api.keys.undoBatch({ id: made.id })
  return made
}

export async function soldKey(shop: Shop): Promise<string> {
  const product = await shop.product({ stock: 1 })
  const buyer = await shop.buyer({ balance: 100 })
  const { keys } = await buyer.api.orders.place({ productId: product._id, duration: DURATION, quantity: 1 })
  return keys[0]?._id ?? ''
}

/** A sign-up form, filled in rightly but for what is given. */
export function form(shop: Shop, wrong: Record<string, string> = {}): Record<string, string> {
  const username = unique('new')
  return { username, email: `${username}@example.in`, password: PASSWORD, referralCode: shop.referralCode, ...wrong }
}

/** A buyer who has asked for the account to be closed. */
export async function closing(shop: Shop): Promise<Buyer> {
  const buyer = await shop.buyer()
  await buyer.api.privacy.closeAccount({ password: PASSWORD })
  return buyer
}

/** An id that nothing has. */
export const missing = (): string => newId()

/** A product, or a new one, with terms for its one duration. @returns its id */
export async function limited(shop: Shop, terms: object, productId?: string): Promise<string> {
  const id = productId ?? (await shop.product({ stock: 2 }))._id
  const product = (await shop.owner.api.catalogue.list()).find(({ _id }) => _id === id)
  const prices = product?.prices.map(({ _id, duration, price = 0 }) => ({ _id, duration, price, ...terms })) ?? []
  await shop.owner.api.catalogue.update({ id, prices })
  return id
}

/** The code of a buyer whose own top-up a statement shows, and 50 of whose friends wait. */
export async function fullCode(shop: Shop): Promise<string> {
  const { db } = shop.store
  const topUp = await confirmed(shop)
  await shop.owner.api.payments.approve({ id: topUp.id })
  const isMatched = sql`select exists (select from bank_matches where topup_id = ${topUp.id})`
  for (let tries = 0; tries < 500 && !(await db.holds(isMatched)); tries++) await sleep(10)
  const id = (await db.text(sql`select user_id from topup_requests where id = ${topUp.id}`)) ?? ''
  await db.run(sql`update invite_settings set is_on = true`)
  const friends = Array.from({ length: WAITING_FRIENDS_MAX }, () => ({ id: newId(), username: unique('friend') }))
  await seedUsers(db, friends, { now: shop.store.clock.now() })
  await db.run(sql`
    insert into invites (friend_id, inviter_id, reward_paise, friend_paise, min_paise, days, same_browser, created_at)
    select friend, ${id}, 2500, 2500, 20000, 60, false, ${shop.store.clock.now()}
      from unnest(${friends.map((friend) => friend.id)}::uuid[]) as friend`)
  return (await db.text(sql`select invite_code from users where id = ${id}`)) ?? ''
}

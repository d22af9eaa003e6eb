import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { codeOf, enrolled, type AdminBrowser } from '../../test/worlds/admins.ts'
import { codeForm } from '../../test/worlds/codes.ts'
import { send, withPush } from '../../test/worlds/push-shop.ts'
import { OWNER, PASSWORD, type Buyer, type Shop } from '../../test/worlds/shop.ts'
import { hashToken, newId } from '../platform/ids.ts'
import { sql, type Sql } from '../platform/database/database.ts'
import { LASTING } from './lasting-access.ts'

const NEW = 'another long owner password'

/** What still opens something, of each row of the table. */
const OPEN: Record<string, (id: string) => Sql> = {
  'admin admin_sessions': (id) => sql`admin_sessions where admin_id = ${id} and ended_at is null`,
  'admin push_subscriptions': (id) => sql`push_subscriptions where admin_id = ${id} and ended_at is null`,
  'admin telegram_links': (id) => sql`telegram_links where admin_id = ${id} and revoked_at is null`,
  'admin password_resets': (id) => sql`password_resets where admin_id = ${id} and used_at is null`,
  'admin bank_pairings': (id) => sql`bank_pairings where created_by = ${id} and used_at is null`,
  'admin admin_recovery_codes': (id) => sql`admin_recovery_codes where admin_id = ${id} and used_at is null`,
  'shop bank_devices': (id) => sql`bank_devices where created_by = ${id} and ended_at is null`,
  'shop redeem_codes': (id) => sql`
    redeem_codes code join code_batches batch on batch.id = code.batch_id
     where batch.admin_id = ${id} and code.user_id is null and batch.ended_at is null`,
  'buyer user_sessions': (id) => sql`user_sessions where user_id = ${id} and ended_at is null`,
  'buyer push_subscriptions': (id) => sql`push_subscriptions where user_id = ${id} and ended_at is null`,
  'buyer password_resets': (id) => sql`password_resets where user_id = ${id} and used_at is null`,
  'buyer email_proofs': (id) => sql`email_proofs where user_id = ${id} and used_at is null`,
  'buyer api_tokens': (id) => sql`api_tokens where user_id = ${id} and ended_at is null`,
  'buyer users': (id) => sql`users where id = ${id} and device_hash is not null`,
}

async function openOf({ store: { db } }: Shop, ids: Record<string, string>): Promise<Record<string, number>> {
  const counts = LASTING.map(async ({ in: table, of }) => {
    const rows = OPEN[`${of} ${table}`]
    if (!rows) throw new Error(`${of} ${table} needs a row here`)
    return [`${of} ${table}`, await db.count(sql`select count(*) from ${rows(ids[of] ?? '')}`)] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}

/** Everything that a thief with the session, or the person, may have left open. */
async function leaveOpen(
  { store: { db, clock }, visitor, buyer: newBuyer }: Shop,
  { admin, browser, recoveryCodes }: AdminBrowser & { recoveryCodes: string[] },
  buyer: Buyer,
  endpoints: { endpoint: string; keys: { p256dh: string; auth: string } }[],
): Promise<void> {
  const [here, thiefs, buyers, buyersThief] = endpoints
  if (!here || !thiefs || !buyers || !buyersThief) throw new Error('Four phones')
  const other = visitor()
  await other.api.sessions.adminLogin({ username: admin.username, password: OWNER.password, totp: recoveryCodes[0] })
  // The thief has a copy of the cookie, so both are of one session
  for (const each of [here, thiefs]) await browser.api.messages.subscribe({ ...each, as: 'admin' })
  for (const each of [buyers, buyersThief]) await buyer.api.messages.subscribe(each)
  await browser.api.users.issueResetLink({ id: (await newBuyer()).id })
  await browser.api.users.issueResetLink({ id: buyer.id })
  const now = clock.now()
  const later = new Date(now.getTime() + 60_000)
  await db.run(sql`
    insert into telegram_links (id, admin_id, role, chat_id, from_id, created_at, expires_at)
    values (${newId()}, ${admin._id}, 'owner', 7, 7, ${now}, ${later})`)
  await db.run(sql`
    insert into bank_pairings (code_hash, name, account_ids, created_by, expires_at)
    values (${hashToken('code')}, 'Phone', '{}', ${admin._id}, ${later})`)
  await db.run(sql`
    insert into bank_devices (id, name, token_hash, created_by, created_at)
    values (${newId()}, 'Phone', ${hashToken('token')}, ${admin._id}, ${now})`)
  await browser.api.wallet.makeCodes(codeForm({ clock }))
  await db.run(sql`
    insert into api_tokens (id, user_id, name, hash, can_buy, expires_at, created_at)
    values (${newId()}, ${buyer.id}, 'Website', ${hashToken('chaabi_token')}, true, ${later}, ${now})`)
  await db.run(sql`
    insert into email_proofs (token_hash, user_id, email, created_at, expires_at)
    values (${hashToken('proof')}, ${buyer.id}, ${buyer.email}, ${now}, ${later})`)
}

test('a new password ends all that outlives a session, but the browser at hand and what is the shop’s', () =>
  withPush(async ({ shop, buyer, push }) => {
    const owner = await enrolled(shop)
    await owner.browser.api.admins.stepUp({ password: OWNER.password })
    const phones = [push.subscribe(), push.subscribe(), push.subscribe(), push.subscribe()]
    const [here, , buyers] = phones
    const ids = { admin: owner.admin._id, shop: owner.admin._id, buyer: buyer.id }
    await leaveOpen(shop, owner, buyer, phones)
    const before = await openOf(shop, ids)
    for (const [what, count] of Object.entries(before)) expect(count, what).toBeGreaterThan(0)

    await owner.browser.api.admins.changePassword({
      currentPassword: OWNER.password,
      newPassword: NEW,
      endpoint: here?.endpoint,
    })
    await buyer.api.sessions.changePassword({
      currentPassword: PASSWORD,
      newPassword: 'another long buyer password',
      endpoint: buyers?.endpoint,
    })
    const after = await openOf(shop, ids)
    for (const { in: table, of, ends } of LASTING) {
      const what = `${of} ${table}`
      const keepsOne = table.endsWith('_sessions') || table === 'push_subscriptions'
      if (typeof ends === 'object') expect(ends.stays.length, what).toBeGreaterThan(10)
      expect(after[what], what).toBe(typeof ends === 'object' ? before[what] : keepsOne ? 1 : 0)
    }
    const { phones: left } = await owner.browser.api.messages.phones({ as: 'admin', endpoint: here?.endpoint })
    expect(left.map(({ current }) => current)).toEqual([true])
    const { phones: buyersLeft } = await buyer.api.messages.phones({ endpoint: buyers?.endpoint })
    expect(buyersLeft.map(({ current }) => current)).toEqual([true])
    // With no browser at hand, nothing is left
    await shop.owner.api.admins.update({ id: owner.admin._id, password: 'a third long owner password' })
    const reset = await openOf(shop, ids)
    expect(reset['admin push_subscriptions']).toBe(0)
    expect(reset['admin admin_sessions']).toBe(0)
    expect(codeOf(shop, owner.secret)).toMatch(/^\d{6}$/)
  }))

test('each table that keeps the hash or the address of something that opens is in the list', () =>
  withPush(async ({ shop }) => {
    const found = await shop.store.db.rows(sql(z.object({ table: z.string(), column: z.string() }))`
      select table_name as table, column_name as column from information_schema.columns
       where table_schema = current_schema()
         and column_name ~ '(token|code|device|endpoint|password)_hash$|^chat_id$' order by 1, 2`)
    const known = new Set(LASTING.map(({ in: table }) => table))
    /** Neither opens anything. */
    const others = new Set(['admins password_hash', 'telegram_notes chat_id', 'telegram_taps chat_id'])
    expect(found.filter(({ table, column }) => !known.has(table) && !others.has(`${table} ${column}`))).toEqual([])
  }))

test('a phone is ended by a button, and gets the message that says so, and none after it', () =>
  withPush(async ({ shop, push, buyer }) => {
    const { phones } = await shop.owner.api.messages.phones({ as: 'admin' })
    expect(phones).toHaveLength(1)
    const id = phones[0]?._id ?? ''
    expect((await buyer.delete(`/messages/phones/${id}`)).status, 'another account’s').toBe(404)
    await shop.owner.api.messages.endPhone({ id, as: 'admin' })
    shop.store.clock.advance(1_000)
    await shop.owner.api.settings.saveUpi({ upiId: 'other@ybl' })
    await send(shop.store)
    expect(push.arrived.map(({ message }) => message['title'])).toEqual(['Security: Phone notifications ended'])
    expect((await shop.owner.api.messages.phones({ as: 'admin' })).phones).toEqual([])
  }))

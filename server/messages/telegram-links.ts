/** The private chats in which admins are told. A chat is linked by a code that its admin sends to the bot. */
import { randomInt } from 'node:crypto'
import * as z from 'zod/mini'
import { ADMIN_ROLES } from '../../contract/endpoint.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import { hashToken, newId } from '../platform/ids.ts'

const CODE_LASTS_MS = 10 * 60_000
const LINK_LASTS_MS = 90 * 24 * 3_600_000
/** Anybody may write to the bot, so guessing must be hopeless. */
const CODE_DIGITS = 11

/** A link counts while it is not revoked, not too old, and its admin may still log in and has the same role. */
export const IS_LIVE = (now: Date) => sql`(
  link.revoked_at is null and link.chat_id is not null and link.expires_at > ${now}
  and exists (select from admins
               where admins.id = link.admin_id and admins.disabled_at is null and admins.role = link.role))`

export async function telegramTargetsOf(db: Queries, adminIds: string[], now: Date): Promise<string[]> {
  const rows = await db.rows(
    z.object({ id: z.string() }),
    sql`select id from telegram_links link where admin_id = any (${adminIds}::uuid[]) and ${IS_LIVE(now)}`,
  )
  return rows.map(({ id }) => id)
}

export const Link = z.object({ id: z.string(), adminId: z.string(), role: z.enum(ADMIN_ROLES), chatId: z.string() })
export type TelegramLink = z.output<typeof Link>
export const LINK = sql`link.id, link.admin_id as "adminId", link.role, link.chat_id::text as "chatId"`

export function findTelegramLink(db: Queries, id: string, now: Date): Promise<TelegramLink | undefined> {
  return db.maybe(Link, sql`select ${LINK} from telegram_links link where id = ${id} and ${IS_LIVE(now)}`)
}

/** Makes a code that links the chat from which the bot gets it. An older unused code of the admin ends. */
export async function makeLinkCode(
  db: Queries,
  adminId: string,
  now: Date,
): Promise<{ code: string; expiresAt: string }> {
  const code = String(randomInt(10 ** (CODE_DIGITS - 1), 10 ** CODE_DIGITS))
  const expiresAt = new Date(now.getTime() + CODE_LASTS_MS)
  await db.run(sql`delete from telegram_links where admin_id = ${adminId} and chat_id is null`)
  await db.run(sql`
    insert into telegram_links (id, admin_id, role, code_hash, created_at, expires_at)
    select ${newId()}, id, role, ${hashToken(code)}, ${now}, ${expiresAt} from admins where id = ${adminId}`)
  return { code, expiresAt: expiresAt.toISOString() }
}

/** Links a private chat by a code, once. @returns false for a code that is wrong, used or too old */
export async function linkChat(
  db: Queries,
  { code, chatId, fromId }: { code: string; chatId: number; fromId: number },
  now: Date,
): Promise<boolean> {
  const linked = await db.run(sql`
    update telegram_links
       set code_hash = null, chat_id = ${chatId}, from_id = ${fromId},
           expires_at = ${new Date(now.getTime() + LINK_LASTS_MS)}
     where code_hash = ${hashToken(code)} and chat_id is null and revoked_at is null and expires_at > ${now}`)
  return linked === 1
}

export async function endTelegramLinks(
  db: Queries,
  of: { adminId: string } | { id: string },
  now: Date,
): Promise<void> {
  const which = 'id' in of ? sql`id = ${of.id}` : sql`admin_id = ${of.adminId}`
  await db.run(sql`update telegram_links set revoked_at = ${now} where ${which} and revoked_at is null`)
}

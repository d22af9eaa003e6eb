/** The private chats in which admins get messages. A chat is linked by a code that its admin sends to the bot. */
import { randomInt } from 'node:crypto'
import * as z from 'zod/mini'
import { ADMIN_ROLES } from '../../../contract/endpoint.ts'
import { Refusal } from '../../../contract/errors.ts'
import { languageOf } from '../../../contract/languages.ts'
import { OwnChat } from '../../../contract/messages.ts'
import { DAY_MS } from '../../../contract/time.ts'
import type { Translate } from '../../../contract/words.ts'
import { sql, type Database, type Queries } from '../../platform/database/database.ts'
import { hashToken, newId } from '../../platform/ids.ts'
import { enqueue } from '../../platform/outbox.ts'
import { wordsIn } from '../../platform/words.ts'
import { momentIn } from '../words/reminder-words.ts'
import type { Tell } from '../words/wording.ts'

const CODE_LASTS_MS = 10 * 60_000
const LINK_LASTS_MS = 90 * DAY_MS
/** How long before its end a link's admin gets a message. */
const TOLD_DAYS = [7, 1]
/** Anybody may write to the bot, so guessing must be hopeless. */
const CODE_DIGITS = 11

/** A link counts while it is not revoked, not too old, and its admin may still log in and has the same role. */
export const IS_LIVE = (now: Date) => sql`(
  link.revoked_at is null and link.chat_id is not null and link.expires_at > ${now}
  and exists (select from admins
               where admins.id = link.admin_id and admins.disabled_at is null and admins.role = link.role))`

/** @param since also counts links that ended at this moment or later */
const wasLive = (now: Date, since: Date | undefined) =>
  since
    ? sql`(${IS_LIVE(now)} or link.chat_id is not null and link.expires_at > ${now} and link.revoked_at >= ${since})`
    : IS_LIVE(now)

export function telegramTargetsOf(db: Queries, adminIds: string[], now: Date, since?: Date): Promise<string[]> {
  return db.texts(sql`
    select id from telegram_links link where admin_id = any (${adminIds}::uuid[]) and ${wasLive(now, since)}`)
}

export const Link = z.object({
  id: z.string(),
  adminId: z.string(),
  role: z.enum(ADMIN_ROLES),
  chatId: z.string(),
  /** The admin's. */
  language: z.nullable(z.string()),
})
export type TelegramLink = z.output<typeof Link>
const LANGUAGE = sql`(select language from admins where admins.id = link.admin_id) as language`
export const LINK = sql`link.id, link.admin_id, link.role, link.chat_id::text as chat_id, ${LANGUAGE}`

/** Says a text in the language of a chat's admin. */
export const speakerOf = ({ language }: Pick<TelegramLink, 'language'>): Translate =>
  wordsIn(languageOf(language ?? undefined) ?? 'en')

export function findTelegramLink(db: Queries, id: string, now: Date, since?: Date): Promise<TelegramLink | undefined> {
  return db.maybe(sql(Link)`select ${LINK} from telegram_links link where id = ${id} and ${wasLive(now, since)}`)
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

/**
 * Links a private chat by a code, once. A chat that is linked to this admin already goes on for another 90 days, so
 * that nothing is sent twice.
 * @returns the language of its admin; undefined for a code that is wrong, used or too old
 */
export async function linkChat(
  db: Queries,
  { code, chatId, fromId }: { code: string; chatId: number; fromId: number },
  now: Date,
): Promise<Pick<TelegramLink, 'language'> | undefined> {
  const expiresAt = new Date(now.getTime() + LINK_LASTS_MS)
  return db.maybe(sql(() => z.object({ language: z.nullable(z.string()) }))`
    with sent as materialized (
      select id, admin_id from telegram_links
       where code_hash = ${hashToken(code)} and chat_id is null and revoked_at is null and expires_at > ${now}
         for update
    ), renewed as (
      update telegram_links link set expires_at = ${expiresAt} from sent
       where link.admin_id = sent.admin_id and link.chat_id = ${chatId} and link.from_id = ${fromId} and ${IS_LIVE(now)}
      returning link.id
    ), used as (
      delete from telegram_links where id in (select id from sent) and exists (select from renewed)
    ), linked as (
      update telegram_links
         set code_hash = null, chat_id = ${chatId}, from_id = ${fromId}, expires_at = ${expiresAt}
       where id in (select id from sent) and not exists (select from renewed)
    )
    select ${LANGUAGE} from sent link`)
}

/** @returns the chat of an admin that ends last, or has ended; undefined if none is linked */
export function readOwnChat(db: Queries, adminId: string): Promise<OwnChat | undefined> {
  return db.maybe(sql(OwnChat)`
    select link.created_at as since, link.expires_at
      from telegram_links link join admins on admins.id = link.admin_id and admins.role = link.role
     where link.admin_id = ${adminId} and link.chat_id is not null and link.revoked_at is null
     order by link.expires_at desc limit 1`)
}

/** @throws Refusal NOT_FOUND if no chat is linked */
export async function renewChats(db: Queries, adminId: string, now: Date): Promise<OwnChat> {
  const renewed = await db.run(sql`
    update telegram_links link set expires_at = ${new Date(now.getTime() + LINK_LASTS_MS)}
     where admin_id = ${adminId} and ${IS_LIVE(now)}`)
  const chat = await readOwnChat(db, adminId)
  if (renewed === 0 || !chat) throw new Refusal('NOT_FOUND')
  return chat
}

/** Tells admins whose link ends within a week, and again within a day. @returns how many messages were written */
export async function tellEndingLinks(db: Database, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const ending = await tx.rows(sql(() => z.object({ id: z.string(), adminId: z.string(), expiresAt: z.date() }))`
      select link.id, link.admin_id, link.expires_at from telegram_links link
       where link.expires_at <= ${new Date(now.getTime() + Math.max(...TOLD_DAYS) * DAY_MS)} and ${IS_LIVE(now)}`)
    for (const { id, adminId, expiresAt } of ending) {
      const left = expiresAt.getTime() - now.getTime()
      const days = Math.min(...TOLD_DAYS.filter((each) => left <= each * DAY_MS))
      const dedupe = `telegram.ending:${id}:${expiresAt.toISOString()}:${days}`
      enqueue(tx, { kind: 'telegram.ending', subjectId: id, data: { adminId }, dedupe, goneAfter: expiresAt, now })
    }
    return ending.length
  })
}

const tellEnding: Tell = async ({ kind, subjectId, goneAfter }, { db, now, language, t }) => {
  const link = await db.maybe(sql(() => z.object({ expiresAt: z.date() }))`
    select link.expires_at from telegram_links link where id = ${subjectId} and ${IS_LIVE(now)}`)
  if (!link || link.expiresAt.getTime() !== goneAfter?.getTime()) return { gone: 'The chat is renewed or unlinked' }
  return {
    title: t('Your Telegram link ends soon'),
    body: t('You get notifications in Telegram until {date}. Open Notifications and press Renew.', {
      date: momentIn(language, link.expiresAt, now),
    }),
    path: '/admin/settings/messages',
    tag: kind,
  }
}

export const linkWords = { 'telegram.ending': tellEnding }

export async function endTelegramLinks(
  db: Queries,
  of: { adminId: string } | { id: string } | 'everyone',
  now: Date,
): Promise<void> {
  const which = of === 'everyone' ? sql`true` : 'id' in of ? sql`id = ${of.id}` : sql`admin_id = ${of.adminId}`
  await db.run(sql`update telegram_links set revoked_at = ${now} where ${which} and revoked_at is null`)
}

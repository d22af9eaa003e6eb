/** The buttons under a message in an admin's chat. Each is a nonce that works once, for the linked person. */
import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { columns, literal, sql, type Queries } from '../../platform/database/database.ts'
import { hashToken } from '../../platform/ids.ts'
import { FORGOTTEN_AT_ONCE } from '../../platform/jobs.ts'
import type { Button } from './telegram.ts'
import { IS_LIVE, LINK, Link, speakerOf, type TelegramLink } from './telegram-links.ts'

const NONCE_BYTES = 16
const TAP_LASTS_MS = 24 * 3_600_000

/** What a button does: asks for the second tap, approves, shows the reasons, goes back, or rejects for a reason. */
export type TapKind = 'ask' | 'approve' | 'reasons' | 'back' | `${number}`

export interface NewButton {
  /** In English. */
  text: string
  what: TapKind
}

/** Makes buttons of a request for one chat, in its admin's language. */
export async function makeButtons(
  db: Queries,
  { link, topUpId, now }: { link: TelegramLink; topUpId: string; now: Date },
  wanted: readonly NewButton[],
): Promise<Button[]> {
  const t = speakerOf(link)
  const buttons = wanted.map((button) => {
    const nonce = randomBytes(NONCE_BYTES).toString('base64url')
    return { ...button, nonce, nonceHash: hashToken(nonce) }
  })
  await db.run(sql`
    insert into telegram_taps (nonce_hash, link_id, topup_id, what, created_at)
    select nonce_hash, ${link.id}, ${topUpId}, what, ${now}
      from ${columns(buttons, 'nonce_hash bytea, what text')} as tap`)
  return buttons.map(({ text, nonce }) => ({ text: t(text), callback_data: nonce }))
}

const Tap = z.extend(Link, { what: z.string(), topUpId: z.string(), isLive: z.boolean() })

export interface UsedTap {
  link: TelegramLink
  topUpId: string
  /** Undefined for a button that was used before, or is too old. */
  what: TapKind | undefined
}

/** Uses a button up. @returns undefined for one that is not this person's, or whose chat is no longer linked */
export async function takeTap(
  db: Queries,
  { nonce, chatId, fromId }: { nonce: string; chatId: number; fromId: number },
  now: Date,
): Promise<UsedTap | undefined> {
  const nonceHash = hashToken(nonce)
  const tap = await db.maybe(sql(Tap)`
    select ${LINK}, tap.what, tap.topup_id as top_up_id, ${IS_LIVE(now)} as is_live
      from telegram_taps tap join telegram_links link on link.id = tap.link_id
     where tap.nonce_hash = ${nonceHash} and link.chat_id = ${chatId} and link.from_id = ${fromId}`)
  if (!tap?.isLive) return undefined
  const used = await db.run(sql`
    update telegram_taps set used_at = ${now}
     where nonce_hash = ${nonceHash} and used_at is null
       and created_at > ${new Date(now.getTime() - TAP_LASTS_MS)}`)
  const { what, topUpId, isLive: _, ...link } = tap
  return { link, topUpId, what: used === 1 ? (what as TapKind) : undefined }
}

/** What this admin approved by taps since a moment, in paise. */
export function approvedByTaps(db: Queries, adminId: string, since: Date): Promise<number> {
  return db.count(sql`
    select coalesce(sum(request.credit_paise), 0)::bigint
      from topup_requests request
     where request.status = 'approved' and request.decided_by = ${adminId} and request.decided_at > ${since}
       and exists (select from telegram_taps tap
                    where tap.topup_id = request.id and tap.what = 'approve' and tap.used_at is not null)`)
}

/** Deletes buttons that no longer work and no longer count. @returns how many */
export function forgetTaps(db: Queries, before: Date): Promise<number> {
  return db.run(sql`
    delete from telegram_taps where nonce_hash in (
      select nonce_hash from telegram_taps where created_at < ${before} limit ${literal(FORGOTTEN_AT_ONCE)})`)
}

/** Which message in which chat asks about which request. When it is decided, each of them says by whom. */
import * as z from 'zod/mini'
import { literal, sql, type Queries } from '../../platform/database/database.ts'
import { FORGOTTEN_AT_ONCE } from '../../platform/jobs.ts'
import type { Services } from '../../platform/services.ts'
import { readChannel, secretOf } from '../channels/channels.ts'
import type { Reach } from '../channels/reach.ts'
import { createBot, keyboard, openIn } from './telegram.ts'
import { findTelegramLink, speakerOf } from './telegram-links.ts'
import { decidedText } from '../words/admin/request-words.ts'
import { readTopUp } from '../words/topup-words.ts'

const EDITS_AT_ONCE = 8

interface Note {
  linkId: string
  messageId: number
  topUpId: string
  now: Date
}

export async function noteChat(db: Queries, { linkId, messageId, topUpId, now }: Note): Promise<void> {
  await db.run(sql`
    insert into telegram_notes (link_id, message_id, topup_id, created_at)
    values (${linkId}, ${messageId}, ${topUpId}, ${now}) on conflict do nothing`)
}

const Decided = z.object({ linkId: z.string(), messageId: z.number(), topUpId: z.string() })

/** Writes into the chats who decided. An edit that gets lost costs nothing: a tap shows how the request stands. */
export async function tellDecidedChats({ db, sealer, clock }: Services, reach: Reach): Promise<void> {
  const decided = await db.rows(sql(Decided)`
    delete from telegram_notes where (link_id, message_id) in (
      select note.link_id, note.message_id
        from telegram_notes note join topup_requests request on request.id = note.topup_id
       where request.status <> 'pending'
       limit ${literal(EDITS_AT_ONCE)} for update of note skip locked)
    returning link_id, message_id, topup_id as top_up_id`)
  if (decided.length === 0) return
  const token = secretOf(sealer, await readChannel(db, 'telegram'))
  if (token === undefined) return
  const bot = createBot(reach.outbound, reach.telegramUrl, token)
  await Promise.all(
    decided.map(async ({ linkId, messageId, topUpId }) => {
      const [link, topUp] = [await findTelegramLink(db, linkId, clock.now()), await readTopUp(db, topUpId)]
      if (!link || !topUp) return
      const t = speakerOf(link)
      await bot
        .ask('editMessageText', {
          chat_id: link.chatId,
          message_id: messageId,
          text: await decidedText({ db, t }, topUp, link.adminId),
          disable_web_page_preview: true,
          reply_markup: keyboard([openIn(t, reach.publicOrigin, `/admin/payment-manager?request=${topUpId}`)]),
        })
        .catch(() => {})
    }),
  )
}

/** Deletes notes of requests that nobody decides any more. @returns how many */
export function forgetNotes(db: Queries, before: Date): Promise<number> {
  return db.run(sql`
    delete from telegram_notes where (link_id, message_id) in (
      select link_id, message_id from telegram_notes where created_at < ${before} limit ${literal(FORGOTTEN_AT_ONCE)})`)
}

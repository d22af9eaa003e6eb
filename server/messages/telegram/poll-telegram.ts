/** Reads the codes that people write to the bot, and what they tap. Long polling works behind any router. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { sql } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { latestAfter } from '../../platform/clock.ts'
import type { Services } from '../../platform/services.ts'
import { readChannel, secretOf } from '../channels/channels.ts'
import { decideByTap, Tapped } from './decide-by-telegram.ts'
import { createBot, type Bot, type TelegramAnswer } from './telegram.ts'
import { linkChat, speakerOf } from './telegram-links.ts'
import type { Reach } from '../channels/reach.ts'

/** Telegram answers after this long when nobody writes. */
const WAIT_S = 20
const TIMEOUT_MS = 30_000
/** Longer than a poll takes, so that a node that dies is followed by another one. */
const LEASE_MS = 60_000
const PAUSE_MS = 5_000
/** Anybody may write to the bot. An answer with this many messages is still read whole. */
const UPDATES_AT_ONCE = 8

const Written = z.object({
  text: z.optional(z.string()),
  chat: z.object({ id: z.number(), type: z.string() }),
  from: z.optional(z.object({ id: z.number() })),
})
const Update = z.object({
  update_id: z.number(),
  message: z.optional(z.unknown()),
  callback_query: z.optional(z.unknown()),
})
type Update = z.output<typeof Update>

/** Polls until the store ends. A fault is tried again: the panel shows it when a message fails, too. */
export async function startPolling(services: Services, reach: Reach): Promise<void> {
  const { ended: signal } = services
  const node = newId()
  while (!signal.aborted) {
    const polled = await pollTelegram(services, reach, node).catch(() => false)
    if (!polled) await sleep(PAUSE_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}

/** Asks once for what is new. @returns false if there is nothing to ask, or another node does */
export async function pollTelegram(services: Services, reach: Reach, node: string): Promise<boolean> {
  const { db, sealer, clock, ended: signal } = services
  const channel = await readChannel(db, 'telegram')
  const token = secretOf(sealer, channel)
  if (!channel.isOn || token === undefined) return false
  const now = clock.now()
  const lease = await db.maybe(sql(() => z.object({ next: z.number() }))`
    update telegram_poller set node = ${node}, leased_until = ${new Date(now.getTime() + LEASE_MS)}
     where node = ${node} or leased_until is null or leased_until <= ${now}
        or leased_until > ${latestAfter(LEASE_MS, now)}
    returning next_update as next`)
  if (!lease) return false
  const bot = createBot(reach.outbound, reach.telegramUrl, token)
  const asked = {
    offset: lease.next,
    limit: UPDATES_AT_ONCE,
    timeout: WAIT_S,
    allowed_updates: ['message', 'callback_query'],
  }
  const answer = await bot.ask('getUpdates', asked, { timeoutMs: TIMEOUT_MS, signal })
  const updates = z.safeParse(z.array(Update), answer.result)
  await db.run(sql`
    update telegram_poller set error = ${answer.ok ? null : faultOf(answer)}
     where node = ${node} and error is distinct from ${answer.ok ? null : faultOf(answer)}`)
  if (!answer.ok || !updates.success) return false
  for (const update of updates.data) await take(services, reach, bot, update)
  const last = updates.data.at(-1)
  if (last)
    await db.run(sql`
      update telegram_poller set next_update = ${last.update_id + 1} where node = ${node}`)
  return true
}

const CONFLICT = 409

const faultOf = ({ error_code, description = 'Telegram refused' }: TelegramAnswer): string =>
  error_code === CONFLICT
    ? 'Another program reads what is sent to this bot, so codes and buttons don’t work here. Stop that program, or ' +
      'make a new bot for this store.'
    : description

/**
 * A code counts in a private chat only, alone or after /start. The bot answers a right one. What has another shape is
 * passed over, so that it holds up nothing.
 */
async function take(services: Services, reach: Reach, bot: Bot, update: Update): Promise<void> {
  const tapped = z.safeParse(Tapped, update.callback_query)
  if (tapped.success) return decideByTap(services, reach, bot, tapped.data)
  const { db, clock } = services
  const message = z.safeParse(Written, update.message).data
  const code = message?.text?.trim().match(/^(?:\/start )?(\d+)$/)?.[1]
  if (code === undefined || !message?.from || message.chat.type !== 'private') return
  const linked = await linkChat(db, { code, chatId: message.chat.id, fromId: message.from.id }, clock.now())
  if (!linked) return
  const text = speakerOf(linked)('This chat is linked. You’ll get the store’s notifications here.')
  await bot.ask('sendMessage', { chat_id: message.chat.id, text })
}

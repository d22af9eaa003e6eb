/** The bot of the store: five methods of Telegram's Bot API. */
import * as z from 'zod/mini'
import type { Translate } from '../../../contract/words.ts'
import type { Outbound } from '../../platform/outbound.ts'
import type { Outcome } from '../../platform/outbox.ts'
import { readChannel, secretOf } from '../channels/channels.ts'
import type { Sending } from '../channels/push.ts'
import { endTelegramLinks, findTelegramLink, speakerOf, type TelegramLink } from './telegram-links.ts'
import type { Words } from '../words/wording.ts'

export const TELEGRAM_API_URL = 'https://api.telegram.org'
const PROBE_MS = 15_000
/** A message of 4,096 signs, with all that Telegram says of it, comes to some hundred kilobytes. */
const UPDATES_BYTES_MAX = 4 * 1024 * 1024

const Answer = z.object({
  ok: z.boolean(),
  result: z.optional(z.unknown()),
  error_code: z.optional(z.number()),
  description: z.optional(z.string()),
  parameters: z.optional(z.object({ retry_after: z.optional(z.number()) })),
})
const SentMessage = z.object({ message_id: z.number() })
export type TelegramAnswer = z.output<typeof Answer>

export interface Bot {
  /** @throws Error when there is no answer, or none that can be read */
  ask(
    method: string,
    parameters: object,
    options?: { timeoutMs?: number; signal?: AbortSignal },
  ): Promise<TelegramAnswer>
}

/** @param apiUrl https://api.telegram.org, or another one in tests (TELEGRAM_API_URL) */
export function createBot(outbound: Outbound, apiUrl: string, token: string): Bot {
  return {
    async ask(method, parameters, { timeoutMs, signal } = {}) {
      const { body } = await outbound.call({
        url: `${apiUrl}/bot${token}/${method}`,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(parameters),
        answerBytesMax: UPDATES_BYTES_MAX,
        ...(timeoutMs !== undefined && { timeoutMs }),
        signal,
      })
      const answer = z.safeParse(Answer, await new Response(body).json().catch(() => undefined))
      if (!answer.success) throw new Error('Telegram gave an answer that can’t be read')
      return answer.data
    },
  }
}

interface TelegramSending extends Sending {
  telegramUrl: string
}

export interface Button {
  text: string
  callback_data?: string
  url?: string
}

/** What a message of one request has beside its words. */
export interface Asking {
  /** Makes the buttons for the chat's admin. */
  ask(link: TelegramLink): Promise<readonly Button[]>
  /** Keeps which message it became, so that it can say later how the request was decided. */
  note(link: TelegramLink, messageId: number): Promise<void>
}

export async function sendTelegram(
  sending: TelegramSending,
  target: string,
  { title, body, path }: Words,
  { asking, since }: { asking?: Asking | undefined; since?: Date | undefined },
): Promise<Outcome> {
  const { db, sealer, outbound, telegramUrl, publicOrigin, now } = sending
  const link = await findTelegramLink(db, target, now, since)
  if (!link) return { is: 'dropped', why: 'This chat is no longer linked' }
  const token = secretOf(sealer, await readChannel(db, 'telegram'))
  if (token === undefined) return { is: 'down', error: 'No bot token is set', probeAfterMs: PROBE_MS }
  const buttons = (await asking?.ask(link)) ?? []
  const answer = await createBot(outbound, telegramUrl, token).ask('sendMessage', {
    chat_id: link.chatId,
    text: `${title}\n${body}`,
    disable_web_page_preview: true,
    reply_markup: keyboard([[...buttons, ...openIn(speakerOf(link), publicOrigin, path)]]),
  })
  const sent = z.safeParse(SentMessage, answer.result)
  if (answer.ok && sent.success) await asking?.note(link, sent.data.message_id)
  if (answer.ok) return { is: 'sent', status: 200 }
  return refusedBy(answer, () => endTelegramLinks(db, { id: link.id }, now))
}

/** Telegram takes links to public addresses only. */
export const openIn = (t: Translate, publicOrigin: string | undefined, path: string): Button[] =>
  publicOrigin?.startsWith('https:') ? [{ text: t('Open in panel'), url: `${publicOrigin}${path}` }] : []

export const keyboard = (rows: Button[][]) => ({ inline_keyboard: rows.filter(({ length }) => length > 0) })

const FORBIDDEN = 403
const UNAUTHORISED = 401
const TOO_MANY = 429

async function refusedBy(
  { error_code: status = 0, description = 'Telegram refused', parameters }: TelegramAnswer,
  unlink: () => Promise<void>,
): Promise<Outcome> {
  // The person blocked the bot, so the chat is linked no more
  if (status === FORBIDDEN) {
    await unlink()
    return { is: 'dead', error: description, status }
  }
  if (status === UNAUTHORISED || status === 404) return { is: 'down', error: description, probeAfterMs: PROBE_MS }
  if (status === TOO_MANY || status >= 500)
    return { is: 'retry', error: description, status, afterMs: (parameters?.retry_after ?? 0) * 1_000 }
  return { is: 'dead', error: description, status }
}

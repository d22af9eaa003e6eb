/**
 * An admin decides on a top-up request by tapping under the bot's message. The owner allows it, for small requests that
 * nothing speaks against. A first tap asks, a second one decides, by the same use case as the panel.
 */
import * as z from 'zod/mini'
import { ADMIN_ROLES } from '../../../contract/endpoint.ts'
import { Refusal } from '../../../contract/errors.ts'
import { isSuspicious, REJECT_REASONS } from '../../../contract/review-requests.ts'
import { isUnusualUtr } from '../../../contract/utr.ts'
import { DAY_MS } from '../../../contract/time.ts'
import { readPaymentBank } from '../../bank/matching/payment-bank.ts'
import { approveIn, decide, rejectIn } from '../../payments/decide-top-up.ts'
import { isLarge } from '../../payments/list-payments.ts'
import { readRiskSignals, readRivalClaims } from '../../payments/risk-signals.ts'
import { lockTopUp } from '../../payments/top-ups.ts'
import type { Clock } from '../../platform/clock.ts'
import { sql, type Queries, type Transaction } from '../../platform/database/database.ts'
import type { OutboxDelivery } from '../../platform/outbox.ts'
import type { Services } from '../../platform/services.ts'
import { readSettings } from '../../settings/settings.ts'
import { readChannel, TelegramFacts } from '../channels/channels.ts'
import { keyboard, openIn, type Asking, type Bot, type Button } from './telegram.ts'
import { noteChat } from './telegram-notes.ts'
import { findTelegramLink, speakerOf, type TelegramLink } from './telegram-links.ts'
import { approvedByTaps, makeButtons, takeTap, type NewButton, type TapKind, type UsedTap } from './telegram-taps.ts'
import { decidedText, speaksAgainst, tellRequest } from '../words/admin/request-words.ts'
import { readTopUp, type TopUp } from '../words/topup-words.ts'
import type { Reach } from '../channels/reach.ts'

const FIRST: readonly NewButton[] = [
  { text: 'Approve', what: 'ask' },
  { text: 'Reject', what: 'reasons' },
]
const BACK: NewButton = { text: 'Back', what: 'back' }
const REASONS: readonly NewButton[] = REJECT_REASONS.map((text, at) => ({ text, what: `${at}` }))

/** @returns what the message of one request has beside its words; undefined for a message that tells of others */
export function askingOf(
  db: Queries,
  { kind, subjectId: topUpId, data }: Pick<OutboxDelivery, 'kind' | 'subjectId' | 'data'>,
  clock: Clock,
): Asking | undefined {
  if (kind !== 'topup.requested' || topUpId === null || data['count'] !== undefined) return undefined
  return {
    async ask(link) {
      const now = clock.now()
      const topUp = await readTopUp(db, topUpId)
      // A message without buttons asks to open the panel
      if (!topUp || (await whyNot(db, topUp, link, now)) !== undefined) return []
      return makeButtons(db, { link, topUpId, now }, FIRST)
    },
    note: (link, messageId) => noteChat(db, { linkId: link.id, messageId, topUpId, now: clock.now() }),
  }
}

/** @returns why this request is for the panel, as its admin reads it; undefined if a tap may decide */
async function whyNot(db: Queries, topUp: TopUp, link: TelegramLink, now: Date): Promise<string | undefined> {
  const { id, amount, credit, utr } = topUp
  const t = speakerOf(link)
  const { decide, decideUpTo, decidePerDay } = TelegramFacts.parse((await readChannel(db, 'telegram')).facts)
  if (!(await findTelegramLink(db, link.id, now))) return t('This chat is no longer linked')
  if (!decide) return t('Approving and rejecting in Telegram is off.')
  if (link.role !== 'owner' && link.role !== 'payments') return t('Your role can’t approve or reject payments.')
  const moved = Math.max(amount, credit)
  const { stepUpAbove, carefulAbove } = await readSettings(db)
  if (moved > Math.min(decideUpTo * 100, stepUpAbove))
    return t('This amount is too large for Telegram. Open the panel.')
  const spent = await approvedByTaps(db, link.adminId, new Date(now.getTime() - DAY_MS))
  if (spent + moved > decidePerDay * 100) return t('You’ve reached today’s limit. Open the panel.')
  const signs = (await readRiskSignals(db, [id])).get(id)
  const claimedBy = (await readRivalClaims(db, [id])).get(id) ?? []
  if (isSuspicious({ signs, claimedBy, unusual: isUnusualUtr(utr) }))
    return t('This request needs a closer look. Open the panel.')
  const word = (await readPaymentBank(db, [id])).get(id)
  if (isLarge(amount, carefulAbove, word)) return t('Large, and in no statement yet. Open the panel.')
  if (speaksAgainst(word)) return t('Your bank’s records don’t match it. Open the panel.')
  return undefined
}

export const Tapped = z.object({
  id: z.string(),
  data: z.optional(z.string()),
  from: z.object({ id: z.number(), language_code: z.optional(z.string()) }),
  message: z.optional(
    z.object({
      message_id: z.number(),
      chat: z.object({ id: z.number(), type: z.string() }),
      text: z.optional(z.string()),
    }),
  ),
})

/** What the message says after a tap, and what floats over the chat for a moment. */
interface Shown {
  text: string
  rows: Button[][]
  notice?: string
}

/**
 * Does what a button says. A tap that comes twice, or after a crash, decides nothing: it shows how the request stands,
 * with new buttons while it is pending.
 */
export async function decideByTap(
  services: Services,
  reach: Reach,
  bot: Bot,
  { id, data, from, message }: z.output<typeof Tapped>,
): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  const tap =
    data === undefined || message?.chat.type !== 'private'
      ? undefined
      : await takeTap(db, { nonce: data, chatId: message.chat.id, fromId: from.id }, now)
  const shown = tap && (await act(services, reach, tap, now))
  // The reader may be anybody, so this is in the language of their Telegram
  const t = speakerOf({ language: from.language_code ?? null })
  const notice = tap ? shown?.notice : t('You can’t use this button, or this chat is no longer linked.')
  // An answer that gets lost costs nothing: the next tap shows how the request stands
  await bot.ask('answerCallbackQuery', { callback_query_id: id, ...(notice && { text: notice }) }).catch(() => {})
  if (!shown || !message) return
  await bot
    .ask('editMessageText', {
      chat_id: message.chat.id,
      message_id: message.message_id,
      text: shown.text,
      disable_web_page_preview: true,
      reply_markup: keyboard(shown.rows),
    })
    .catch(() => {})
}

async function act(services: Services, reach: Reach, { link, topUpId, what }: UsedTap, now: Date): Promise<Shown> {
  const reason = what === undefined ? undefined : REJECT_REASONS[Number(what)]
  const decides = what === 'approve' || reason !== undefined
  const notice = decides ? await decideFor(services, { link, topUpId, reason }, now) : undefined
  const shown = await show(services.db, reach, { link, topUpId, what: decides ? undefined : what }, now)
  return { ...shown, ...(notice && { notice }) }
}

/** What the message says of the request now. */
async function show(
  db: Services['db'],
  { publicOrigin }: Reach,
  { link, topUpId, what }: { link: TelegramLink; topUpId: string; what: TapKind | undefined },
  now: Date,
): Promise<Shown> {
  const t = speakerOf(link)
  const open = openIn(t, publicOrigin, `/admin/payment-manager?request=${topUpId}`)
  const topUp = await readTopUp(db, topUpId)
  if (!topUp) return { text: t('This request was deleted.'), rows: [] }
  if (topUp.status !== 'pending') return { text: await decidedText({ db, t }, topUp, link.adminId), rows: [open] }
  const { title, body } = await tellRequest({ db, t }, topUp)
  const notice = await whyNot(db, topUp, link, now)
  if (notice !== undefined) return { text: `${title}\n${body}`, rows: [open], notice }
  const make = (wanted: readonly NewButton[]) => makeButtons(db, { link, topUpId, now }, wanted)
  if (what === 'ask')
    return {
      text: `${t('Approve {request}?', { request: title })}\n${body}`,
      rows: [await make([{ text: 'Yes, approve', what: 'approve' }, BACK]), open],
    }
  if (what === 'reasons')
    return {
      text: [
        t('Reject {request}?', { request: title }),
        t('Choose the reason that {name} will see.', { name: topUp.username }),
      ].join('\n'),
      rows: (await make([...REASONS, BACK])).map((button) => [button]),
    }
  return { text: `${title}\n${body}`, rows: [[...(await make(FIRST)), ...open]] }
}

/** Serialises one admin's taps, so that the day's limit counts each. Nothing else takes this lock. */
const lockTapsOf = (tx: Transaction, adminId: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`telegram ${adminId}`}, 0))`)

/** @returns why nothing was decided; undefined when it was */
async function decideFor(
  services: Services,
  { link, topUpId, reason }: { link: TelegramLink; topUpId: string; reason: string | undefined },
  now: Date,
): Promise<string | undefined> {
  const noted = { by: 'telegram' }
  /** Under the locks, because much may change while they are waited for. */
  const check = async (tx: Transaction) => {
    const topUp = await readTopUp(tx, topUpId)
    const message = topUp && (await whyNot(tx, topUp, link, now))
    if (message !== undefined) throw new Refusal('FORBIDDEN_ROLE', { message })
  }
  try {
    await decide(services, async (tx) => {
      await lockTapsOf(tx, link.adminId)
      const by = await auditorOf(tx, link.adminId, now)
      // The chat was linked, and the limits above were set, with a step-up
      if (reason === undefined)
        return [await approveIn(tx, topUpId, { ...by, isProven: true, requireProof: () => {} }, { noted, check })]
      await lockTopUp(tx, topUpId)
      await check(tx)
      return [await rejectIn(tx, { id: topUpId, reason }, by, noted)]
    })
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return speakerOf(link)(...(error.extras.say ?? ([error.message] as const)))
  }
}

const AuditedAdmin = z.object({ id: z.string(), username: z.string(), role: z.enum(ADMIN_ROLES) })

async function auditorOf(tx: Transaction, adminId: string, now: Date) {
  const admin = await tx.one(sql(AuditedAdmin)`select id, username, role from admins where id = ${adminId}`)
  return { admin, now, address: '', userAgent: 'Telegram' }
}

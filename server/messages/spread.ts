/** Whom a message reaches, and by which channels. */
import * as z from 'zod/mini'
import { ADMIN_ROLES } from '../../contract/endpoint.ts'
import {
  CHANNELS,
  isByDefault,
  isTold,
  kindOf,
  KIND_NAMES,
  type Channel,
  type MessageKind,
} from '../../contract/message-kinds.ts'
import { DAY_MS, HOUR_MS } from '../../contract/time.ts'
import { timeOfDayMs } from '../../contract/india.ts'
import { isListed } from '../platform/database/conditions.ts'
import { sql, type Queries, type Transaction } from '../platform/database/database.ts'
import type { OutboxMessage, Spreading, Target } from '../platform/outbox.ts'
import { STORE_ADDRESS } from './channels/email.ts'
import { pushTargetsOf } from './channels/push.ts'
import { telegramTargetsOf } from './telegram/telegram-links.ts'

/** Requests within this time of each other share a message from the fourth on. */
const GATHER_MS = 15_000
const TOLD_ALONE = 3

/** @param now the moment at which the deliveries are made */
export async function planMessage(
  tx: Transaction,
  message: OutboxMessage,
  gather: (ids: string[]) => void,
  now: Date,
): Promise<Spreading> {
  const kind = KIND_NAMES.find((name) => name === message.kind)
  // Left to a node of a newer version
  if (kind === undefined) return { later: new Date(now.getTime() + GATHER_MS) }
  if (message.goneAfter && message.goneAfter <= now) return { targets: [] }
  const morning = kindOf(kind).isQuiet && afterQuiet(now)
  if (morning) return { later: morning }
  if (kind !== 'topup.requested' || message.data['until'] !== undefined)
    return { targets: await targetsOf(tx, kind, message, now) }
  if (!(await isPending(tx, message.subjectId))) return { targets: [] }
  const gathered = await gatherRequests(tx, message, now)
  if ('later' in gathered) return gathered
  gather(gathered.ids)
  const targets = await targetsOf(tx, kind, message, now)
  return gathered.ids.length > 1
    ? { targets, data: { ...message.data, count: gathered.ids.length, sum: gathered.sum } }
    : { targets }
}

/** Quiet from 22:00 to 08:00 in India. */
const QUIET_FROM_MS = 22 * HOUR_MS
const QUIET_TO_MS = 8 * HOUR_MS

/** @returns the end of the quiet hours that this moment is in; undefined by day */
export function afterQuiet(now: Date): Date | undefined {
  const ofDay = timeOfDayMs(now)
  if (ofDay >= QUIET_TO_MS && ofDay < QUIET_FROM_MS) return undefined
  return new Date(now.getTime() + ((QUIET_TO_MS - ofDay + DAY_MS) % DAY_MS))
}

const isWaiting = sql`request.status = 'pending' and ${isListed(sql`request.id`)}`

/** Others need no message: they were decided or removed before it was sent, and must hold up nobody. */
function isPending(db: Queries, topUpId: string | null): Promise<boolean> {
  return db.holds(sql`select exists (select from topup_requests request where id = ${topUpId} and ${isWaiting})`)
}

/** Up to three requests go out one by one. What follows them within the window is one message with the sum. */
async function gatherRequests(
  tx: Transaction,
  message: OutboxMessage,
  now: Date,
): Promise<{ later: Date } | { ids: string[]; sum: number }> {
  const { told, since } = await tx.one(sql(() => z.object({ told: z.number(), since: z.nullable(z.date()) }))`
    select count(*) as told, min(spread_at) as since from outbox_messages
     where kind = 'topup.requested' and spread_at > ${new Date(now.getTime() - GATHER_MS)} and spread_at <= ${now}
       and exists (select from outbox_deliveries where message_id = outbox_messages.id)`)
  if (told >= TOLD_ALONE && since) return { later: new Date(since.getTime() + GATHER_MS) }
  if (!message.wasPutOff) return { ids: [message.id], sum: 0 }
  const others = await tx.rows(sql(() => z.object({ id: z.string(), amount: z.number() }))`
    select message.id, request.amount_paise as amount
      from outbox_messages message
      join topup_requests request on request.id = message.subject_id and ${isWaiting}
     where message.kind = 'topup.requested' and message.spread_at is null
     for update of message skip locked`)
  return { ids: others.map(({ id }) => id), sum: others.reduce((sum, { amount }) => sum + amount, 0) }
}

async function targetsOf(
  db: Queries,
  kind: MessageKind,
  message: Pick<OutboxMessage, 'userId' | 'data' | 'createdAt'>,
  now: Date,
): Promise<Target[]> {
  const on = await db.rows(sql(() => z.object({ name: z.enum(CHANNELS) }))`select name from channels where is_on`)
  const channels = on.map(({ name }) => name).filter((name) => kindOf(kind).channels.includes(name))
  const all = await Promise.all(
    channels.map(async (channel) =>
      (await reachedBy(db, { ...message, kind, channel }, now)).map((target) => ({ channel, target })),
    ),
  )
  return all.flat()
}

type Aimed = Pick<OutboxMessage, 'userId' | 'data' | 'createdAt'> & { kind: MessageKind; channel: Channel }

/** Whom a message reaches by its channel. What has waited is asked again, because its reader may have had enough. */
export async function reachedBy(db: Queries, aimed: Aimed, now: Date): Promise<string[]> {
  const { kind, channel, userId } = aimed
  if (userId === null) return adminTargets(db, aimed, now)
  if ((await choosers(db, kind, channel, [userId])).length === 0) return []
  if (channel === 'push') return pushTargetsOf(db, { userId })
  return db.texts(sql`
    select id from users
     where id = ${userId} and deleted_at is null and (email_proven_at is not null or ${kind === 'account.proof'})`)
}

/** The one admin that `data.adminId` names, or all that get its kind. */
async function adminTargets(db: Queries, { kind, channel, data, createdAt }: Aimed, now: Date): Promise<string[]> {
  // Admins have no address, so it goes to the store's own
  if (channel === 'email') return [STORE_ADDRESS]
  const { adminId: only, also } = data
  const admins = await db.rows(
    sql(() => z.object({ id: z.string(), role: z.enum(ADMIN_ROLES), isOff: z.boolean() }))`
      select id, role, disabled_at is not null as is_off from admins`,
  )
  const told = admins.flatMap(({ id, role, isOff }) =>
    also === id || (!isOff && isTold(kind, role) && (only ?? id) === id) ? [id] : [],
  )
  const adminIds = await choosers(db, kind, channel, told)
  const since = reachedSince(kind, createdAt)
  return channel === 'push' ? pushTargetsOf(db, { adminIds }, since) : telegramTargetsOf(db, adminIds, now, since)
}

/**
 * What guards the store also goes to phones and chats that the change itself has ended. Else a thief would end those of
 * the owner first.
 */
export const reachedSince = (kind: string, createdAt: Date | undefined): Date | undefined =>
  kind === 'admin.security' ? createdAt : undefined

/** @returns those who want this kind by this channel */
async function choosers(db: Queries, kind: MessageKind, channel: Channel, owners: string[]): Promise<string[]> {
  if (kindOf(kind).isAnswer) return owners
  const chosen = await db.rows(sql(() => z.object({ id: z.string(), isOn: z.boolean() }))`
    select owner_id as id, is_on from message_choices
     where owner_id = any (${owners}::uuid[]) and kind = ${kind} and channel = ${channel}`)
  const byDefault = isByDefault(kind, channel)
  return owners.filter((owner) => chosen.find(({ id }) => id === owner)?.isOn ?? byDefault)
}

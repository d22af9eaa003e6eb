/**
 * The queue of messages to people. A message is a row in the transaction of what it tells, so it is neither lost nor
 * sent about what was undone. Workers on any node make deliveries of it and send them, at least once each. A worker
 * that dies between sending and noting leaves a lease that ends, and the delivery is sent again under the same id.
 *
 * This module knows no feature. What a message says, whom it reaches and how it is sent is in server/messages/.
 */
import * as z from 'zod/mini'
import { columns, literal, sql, type Database, type Queries, type Transaction } from './database/database.ts'
import { latestAfter } from './clock.ts'
import { newId } from './ids.ts'
import { FORGOTTEN_AT_ONCE } from './jobs.ts'

export interface NewMessage {
  kind: string
  /** The buyer it is for; admins when absent. */
  userId?: string
  /** What it tells of, such as a top-up request. */
  subjectId?: string
  data?: Record<string, string | number>
  /** At most one message ever has this. */
  dedupe?: string
  notBefore?: Date
  /** After this moment it is not worth sending. */
  goneAfter?: Date
  now: Date
}

/** Writes a message, unless every channel is off. Nothing that happened while they were off is sent later. */
export function enqueue(tx: Transaction, message: NewMessage): void {
  const { kind, userId, subjectId, data = {}, dedupe, notBefore, goneAfter, now } = message
  void tx.send(sql`
    insert into outbox_messages (id, kind, user_id, subject_id, data, dedupe, not_before, gone_after, created_at)
    select ${newId()}, ${kind}, ${userId ?? null}, ${subjectId ?? null}, ${JSON.stringify(data)}::jsonb,
           ${dedupe ?? null}, ${notBefore ?? now}, ${goneAfter ?? null}, ${now}
     where exists (select from channels where is_on)
    on conflict do nothing`)
}

/** False while `enqueue` writes nothing, so that nobody looks in vain for what to tell. */
export function hasChannel(db: Queries): Promise<boolean> {
  return db.holds(sql`select exists (select from channels where is_on)`)
}

export const MessageRow = z.object({
  id: z.string(),
  kind: z.string(),
  userId: z.nullable(z.string()),
  subjectId: z.nullable(z.string()),
  data: z.record(z.string(), z.union([z.string(), z.number()])),
  goneAfter: z.nullable(z.date()),
  createdAt: z.date(),
  wasPutOff: z.boolean(),
})
export type OutboxMessage = z.output<typeof MessageRow>

const MESSAGE_COLUMNS = sql`message.id, message.kind, message.user_id, message.subject_id,
       message.data, message.gone_after, message.created_at,
       message.not_before > message.created_at as was_put_off`

export interface Target {
  channel: string
  /** The row that the channel keeps of whom it reaches. */
  target: string
}

/** What becomes of a message: deliveries now, or another look later. */
export type Spreading = { targets: readonly Target[]; data?: OutboxMessage['data'] } | { later: Date }

const SPREAD_AT_ONCE = 100

/**
 * Makes the deliveries of messages that are due, in one transaction.
 * @param plan says whom a message reaches. Messages that it gathers into the given one count as spread, too
 * @returns how many messages were looked at
 */
export async function spreadMessages(
  db: Database,
  now: Date,
  plan: (tx: Transaction, message: OutboxMessage, gather: (ids: string[]) => void) => Promise<Spreading>,
): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await tx.rows(sql(MessageRow)`
      select ${MESSAGE_COLUMNS} from outbox_messages message
       where spread_at is null and (not_before <= ${now} or not_before > ${latestAfter(PUT_OFF_MAX_MS, now)})
       order by not_before, id limit ${literal(SPREAD_AT_ONCE)} for update skip locked`)
    const gathered = new Set<string>()
    for (const message of due) {
      if (gathered.has(message.id)) continue
      const spreading = await plan(tx, message, (ids) => ids.forEach((id) => gathered.add(id)))
      if ('later' in spreading) {
        await tx.run(sql`update outbox_messages set not_before = ${spreading.later} where id = ${message.id}`)
        continue
      }
      const { targets, data = message.data } = spreading
      await tx.run(sql`
        insert into outbox_deliveries (id, message_id, channel, target, next_at, created_at)
        select id, ${message.id}, channel, target, ${now}, ${now}
          from ${columns(
            targets.map((target) => ({ ...target, id: newId() })),
            'id uuid, channel text, target text',
          )} as aimed
        on conflict do nothing`)
      await tx.run(sql`
        update outbox_messages set spread_at = ${now}, data = ${JSON.stringify(data)}::jsonb where id = ${message.id}`)
    }
    if (gathered.size > 0)
      await tx.run(sql`
        update outbox_messages set spread_at = ${now}
         where id = any (${[...gathered]}::uuid[]) and spread_at is null`)
    return due.length
  })
}

const DeliveryRow = z.extend(MessageRow, {
  deliveryId: z.string(),
  channel: z.string(),
  target: z.string(),
  attempts: z.number(),
})
export type OutboxDelivery = z.output<typeof DeliveryRow>

/** A delivery is sent again when its lease has run out. Who sends it renews the lease. */
export const LEASE_MS = 2 * 60_000

/** Longer than any message waits for the morning, and any delivery for its next try. */
const PUT_OFF_MAX_MS = 36 * 3_600_000

const isDue = (now: Date) => sql`(next_at <= ${now} or next_at > ${latestAfter(PUT_OFF_MAX_MS, now)})`

/**
 * Takes deliveries that are due, for this worker alone until the lease runs out. Of one target never two at a time, and
 * never a newer one before an older one.
 */
export function takeDeliveries(
  db: Queries,
  { channel, kinds, most, now }: { channel: string; kinds: readonly string[]; most: number; now: Date },
): Promise<OutboxDelivery[]> {
  return db.rows(sql(DeliveryRow)`
    with taken as (
      select id from outbox_deliveries delivery
       where state = 'waiting' and ${isDue(now)} and channel = ${channel}
         and coalesce(leased_until <= ${now} or leased_until > ${latestAfter(LEASE_MS, now)}, true)
         and (select kind from outbox_messages where id = message_id) = any(${kinds}::text[])
         and not exists (select from outbox_deliveries other
                          where other.channel = delivery.channel and other.target = delivery.target
                            and other.state = 'waiting' and other.id <> delivery.id
                            and (other.leased_until > ${now} and other.leased_until <= ${latestAfter(LEASE_MS, now)}
                                 or other.next_at <= ${now} 
                                     and (other.next_at, other.id) < (delivery.next_at, delivery.id)))
       order by next_at, id limit ${literal(most)} for update skip locked)
    update outbox_deliveries delivery
       set leased_until = ${new Date(now.getTime() + LEASE_MS)}, attempts = attempts + 1
      from taken, outbox_messages message
     where delivery.id = taken.id and message.id = delivery.message_id
    returning delivery.id as delivery_id, delivery.channel, delivery.target, delivery.attempts, ${MESSAGE_COLUMNS}`)
}

/** Keeps a delivery that is still being sent. */
export async function renewLease(db: Queries, { deliveryId }: Pick<OutboxDelivery, 'deliveryId'>, now: Date) {
  await db.run(sql`
    update outbox_deliveries set leased_until = ${new Date(now.getTime() + LEASE_MS)}
     where id = ${deliveryId} and state = 'waiting' and leased_until is not null`)
}

/** What a try ended in. */
export type Outcome =
  | { is: 'sent'; status?: number }
  /** Nobody needs it any more. */
  | { is: 'dropped'; why: string }
  /** Another try may succeed. */
  | { is: 'retry'; error: string; status?: number; afterMs?: number }
  /** No try will. */
  | { is: 'dead'; error: string; status?: number }
  /** The channel itself does not work, so this was no try. */
  | { is: 'down'; error: string; probeAfterMs: number }

/** Waits before the next try, in ms: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h. */
const WAITS_MS = [5_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000, 5 * 3_600_000, 10 * 3_600_000, 10 * 3_600_000]
const SPREAD_OF_WAITS = 0.2
const ERROR_LENGTH_MAX = 300

/** Notes what a try ended in. @returns the delivery's new state */
export async function settleDelivery(
  db: Queries,
  { deliveryId, attempts }: Pick<OutboxDelivery, 'deliveryId' | 'attempts'>,
  outcome: Outcome,
  now: Date,
): Promise<'waiting' | 'sent' | 'dead' | 'dropped'> {
  const state = stateAfter(outcome, attempts)
  const error = 'error' in outcome ? outcome.error.slice(0, ERROR_LENGTH_MAX) : 'why' in outcome ? outcome.why : null
  await db.run(sql`
    update outbox_deliveries
       set state = ${state}, leased_until = null, error = ${error},
           status = ${'status' in outcome ? (outcome.status ?? null) : null},
           attempts = attempts - ${outcome.is === 'down' ? 1 : 0},
           next_at = ${new Date(now.getTime() + waitOf(outcome, attempts))},
           sent_at = ${state === 'sent' ? now : null}
     where id = ${deliveryId} and state = 'waiting'`)
  return state
}

function stateAfter(outcome: Outcome, attempts: number): 'waiting' | 'sent' | 'dead' | 'dropped' {
  if (outcome.is === 'down') return 'waiting'
  if (outcome.is === 'retry') return attempts > WAITS_MS.length ? 'dead' : 'waiting'
  return outcome.is
}

function waitOf(outcome: Outcome, attempts: number): number {
  if (outcome.is === 'down') return outcome.probeAfterMs
  if (outcome.is !== 'retry') return 0
  const wait = WAITS_MS[attempts - 1] ?? 0
  return Math.max(outcome.afterMs ?? 0, wait * (1 + SPREAD_OF_WAITS * (2 * Math.random() - 1)))
}

/** Lets a dead delivery be tried again from the start. @returns false if there is none */
export async function reviveDelivery(db: Queries, deliveryId: string, now: Date): Promise<boolean> {
  const revived = await db.run(sql`
    update outbox_deliveries
       set state = 'waiting', attempts = 0, next_at = ${now}, created_at = ${now}, error = null, status = null
     where id = ${deliveryId} and state = 'dead'`)
  return revived === 1
}

/** Deletes deliveries from before these moments, and messages that have none left. @returns how many rows */
export async function forgetMessages(db: Queries, before: { sent: Date; dead: Date }): Promise<number> {
  const deliveries = await db.run(sql`
    delete from outbox_deliveries where id in (
      select id from outbox_deliveries
       where state <> 'dead' and created_at < ${before.sent}
          or state = 'dead' and created_at < ${before.dead}
       limit ${literal(FORGOTTEN_AT_ONCE)})`)
  const messages = await db.run(sql`
    delete from outbox_messages where id in (
      select id from outbox_messages message
       where created_at < ${before.sent}
         and not exists (select from outbox_deliveries where message_id = message.id)
       limit ${literal(FORGOTTEN_AT_ONCE)})`)
  return Math.max(deliveries, messages)
}

/** Deletes messages to accounts that were erased. @returns how many */
export function forgetMessagesOfErased(db: Queries): Promise<number> {
  return db.run(sql`
    delete from outbox_messages where id in (
      select message.id from outbox_messages message join users on users.id = message.user_id
       where users.deleted_at is not null limit ${literal(FORGOTTEN_AT_ONCE)})`)
}

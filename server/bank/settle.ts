/**
 * Brings requests and bank credits together, after the commit of either. Whoever commits last sees both, so no lock
 * spans an import and a request. What a dying node left undone, the job does.
 */
import * as z from 'zod/mini'
import { approveIn, tellDecided } from '../payments/decide-top-up.ts'
import { numbersIn } from '../payments/same-transfer.ts'
import { lockTopUp } from '../payments/top-ups.ts'
import { sql, type Sql, type Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import type { Services } from '../platform/services.ts'
import { lockWallet } from '../wallet/ledger.ts'
import { raiseAlarm } from './alarms.ts'
import { findHints } from './payment-bank.ts'
import { dayOf } from './days.ts'
import { whyHeld } from './decide-match.ts'
import { readBuyer, readPairs, readRules, SAME_REFERENCE, type Pair } from './match-facts.ts'

export interface Settled {
  /** Requests approved now, by the store's rules. */
  approved: number
  /** Requests that were approved before, and whose money is now found. */
  found: number
  alarms: number
}

type Core = Pick<Services, 'db' | 'events' | 'clock'>

/** Settles what has one of these references. */
export function settle(services: Core, refs: readonly string[]): Promise<Settled> {
  return settleThose(services, sql`request.utr = any(${refs}::text[])`)
}

const RECENT_MS = 2 * 24 * 3_600_000

/** Settles what a node left that died between a commit and its settling. */
export function settleLeft(services: Core): Promise<Settled> {
  const since = new Date(services.clock.now().getTime() - RECENT_MS)
  return settleThose(
    services,
    sql`(request.status = 'pending' or credit.first_seen_at > ${since} or request.decided_at > ${since})`,
  )
}

const Candidate = z.object({ requestId: z.string(), creditId: z.string(), userId: z.string(), isPending: z.boolean() })

async function settleThose(services: Core, which: Sql): Promise<Settled> {
  const { db } = services
  const rules = await readRules(db, services.clock.now())
  const candidates = await db.rows(
    Candidate,
    sql`
    select request.id as "requestId", credit.id as "creditId", request.user_id as "userId",
           request.status = 'pending' as "isPending"
      from ${SAME_REFERENCE}
     where ${which}
       and (request.status = 'approved' or request.status = 'pending' and ${rules.mode !== 'propose'})
       and not exists (select from bank_matches where topup_id = request.id and released_at is null)
     order by request.created_at, request.id`,
  )
  const settled: Settled = { approved: 0, found: 0, alarms: 0 }
  for (const one of candidates) {
    const result = await (one.isPending ? approveByRules(services, one) : matchApproved(services, one))
    if (result) settled[result] += 1
  }
  return settled
}

type One = Pick<z.output<typeof Candidate>, 'requestId' | 'creditId' | 'userId'>

const theOne = ({ requestId, creditId }: One): Sql => sql`request.id = ${requestId} and credit.id = ${creditId}`

/** Locks the credit and reads both anew. The request and the rules must be locked in this transaction. */
async function readLocked(tx: Transaction, one: One): Promise<Pair | undefined> {
  await tx.run(sql`select from bank_credits where id = ${one.creditId} for update`)
  const [pair] = await readPairs(tx, SAME_REFERENCE, theOne(one))
  return pair
}

/** Approves a pending request if the rules allow it. Looks at everything again under the locks. */
async function approveByRules({ db, events, clock }: Core, one: One): Promise<'approved' | undefined> {
  const approved = await db.transaction(async (tx) => {
    const now = clock.now()
    await lockWallet(tx, one.userId, now)
    await lockTopUp(tx, one.requestId)
    const rules = await readRules(tx, now, true)
    const pair = await readLocked(tx, one)
    if (!pair || whyHeld(pair.request, pair.credit, { rules, buyer: await readBuyer(tx, pair, rules, now) }))
      return undefined
    const { proof, amountPaise } = pair.credit
    if (!(await insertMatch(tx, pair, { how: 'auto', adminId: null, now }))) return undefined
    await tx.run(sql`
      update bank_rules
         set day = ${dayOf(now)}, day_paise = ${rules.today + amountPaise},
             unproven_paise = unproven_paise + ${proof === 'alert' ? amountPaise : 0}`)
    const noted = { bank: { credit: one.creditId, proof, ...(await sourceOf(tx, one.creditId)) } }
    return approveIn(tx, one.requestId, { admin: null, now, address: '', userAgent: '' }, noted)
  })
  if (approved) tellDecided(events, approved)
  return approved && 'approved'
}

/** @returns where a credit is from, for the audit log: the file and who uploaded it, or the phone */
async function sourceOf(tx: Transaction, creditId: string): Promise<object> {
  const source = await tx.one(
    z.object({ import: z.nullable(z.string()), uploadedBy: z.nullable(z.string()), device: z.nullable(z.string()) }),
    sql`
    select credit.import_id as import, admin.username as "uploadedBy",
           (select device_id from bank_sightings
             where credit_id = credit.id and device_id is not null limit 1) as device
      from bank_credits credit
      left join bank_imports file on file.id = credit.import_id
      left join admins admin on admin.id = file.admin_id
     where credit.id = ${creditId}`,
  )
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== null))
}

/** Notes which money paid for a request that an admin approved, or that the bank shows another amount. */
async function matchApproved({ db, clock }: Core, one: One): Promise<'found' | 'alarms' | undefined> {
  return db.transaction(async (tx) => {
    const now = clock.now()
    await lockTopUp(tx, one.requestId)
    await readRules(tx, now, true)
    const pair = await readLocked(tx, one)
    if (pair?.request.status !== 'approved' || !pair.credit.feedsStore || pair.credit.isTaken) return undefined
    const { request, credit } = pair
    const about = { creditId: credit.id, topUpId: request.id }
    if (credit.amountPaise !== request.amountPaise) {
      const isNew = await raiseAlarm(tx, 'amount-after-approval', about, now)
      return isNew ? 'alarms' : undefined
    }
    if (credit.kind !== 'payment') return undefined
    const wasThere = request.decidedAt !== null && credit.firstSeenAt <= request.decidedAt
    const isNew = await insertMatch(tx, pair, {
      how: wasThere ? 'approved' : 'afterwards',
      adminId: request.decidedBy,
      now,
    })
    return isNew ? 'found' : undefined
  })
}

/** @returns false when the credit or the request has a match */
async function insertMatch(
  tx: Transaction,
  { request, credit }: Pair,
  { how, adminId, now }: { how: 'auto' | 'approved' | 'afterwards'; adminId: string | null; now: Date },
): Promise<boolean> {
  const made = await tx.run(sql`
    insert into bank_matches (id, credit_id, topup_id, how, proof_then, made_at, admin_id)
    values (${newId()}, ${credit.id}, ${request.id}, ${how}, ${credit.proof}, ${now}, ${adminId})
    on conflict do nothing`)
  return made > 0
}

/** Closes the one hint that an approved request had, so that it supports no second one. */
export async function explainHint({ db }: Core, requestId: string): Promise<void> {
  const { hintId } = (await findHints(db, [requestId])).get(requestId) ?? {}
  if (!hintId) return
  await db.run(sql`
    update bank_sightings set explained_by = ${requestId} where id = ${hintId} and explained_by is null
       and not exists (select from bank_credit_refs reference join topup_requests request on request.utr = reference.ref
                        where request.id = ${requestId})`)
}

/** Notes a second claim of a transfer, in a transaction of its own: the refusal has undone the first one. */
export async function noteRival({ db, clock, events }: Core, utr: string, userId: string): Promise<void> {
  const noted = await db.transaction(async (tx) => {
    const now = clock.now()
    const claim = await tx.maybe(
      z.object({ id: z.string() }),
      sql`
      select id from topup_requests
       where (utr = ${utr} or reference_numbers(utr) && ${numbersIn(sql`${utr}::text`)})
         and status in ('pending', 'approved') and user_id <> ${userId}
       limit 1`,
    )
    if (!claim) return false
    const isNew = await tx.run(sql`
      insert into bank_rival_claims (utr, user_id, topup_id, at) values (${utr}, ${userId}, ${claim.id}, ${now})
      on conflict (utr, user_id) do update set topup_id = excluded.topup_id, at = excluded.at
      where bank_rival_claims.topup_id <> excluded.topup_id`)
    const match = await tx.maybe(
      z.object({ creditId: z.string() }),
      sql`
      select credit_id as "creditId" from bank_matches
       where topup_id = ${claim.id} and how = 'auto' and released_at is null`,
    )
    if (match) await raiseAlarm(tx, 'rival-after-automatic', { ...match, topUpId: claim.id }, now)
    return isNew > 0
  })
  if (noted) events.publish({ to: 'admins', name: 'bank', data: {} })
}

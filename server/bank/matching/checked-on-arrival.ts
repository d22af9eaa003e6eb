/** Tells a buyer which requests are approved automatically once a phone forwards the bank's message. */
import * as z from 'zod/mini'
import { smsAbove } from '../../../contract/banks.ts'
import { dayOf } from '../../../contract/india.ts'
import type { OwnTopUp } from '../../../contract/payments.ts'
import { DAY_MS, MINUTE_MS } from '../../../contract/time.ts'
import { literal, sql, type Queries } from '../../platform/database/database.ts'
import { whyHeld, type MatchCredit, type MatchRequest } from './decide-match.ts'
import { readBuyers, readRules } from './match-facts.ts'

type Checked = NonNullable<OwnTopUp['checked']>

/** A time is shown only if eight of the last ten approvals took no longer. */
const TIMES_SEEN = 10
const TIMES_MET = 8
const WITHIN_MAX_MS = 30 * MINUTE_MS

const Request = z.object({
  id: z.string(),
  userId: z.string(),
  utr: z.string(),
  amountPaise: z.number(),
  creditPaise: z.number(),
  createdAt: z.date(),
})

/** @returns what the page may tell of the buyer's pending requests, by their ids: only what the rules would do */
export async function readChecked(db: Queries, userId: string, now: Date): Promise<Map<string, Checked>> {
  const rules = await readRules(db, now)
  if (rules.mode === 'propose' || rules.trusts !== 'phone') return new Map()
  const above = await toldAbove(db, now)
  if (above === undefined) return new Map()
  const requests = await db.rows(sql(Request)`
    select id, user_id, utr, amount_paise, credit_paise, created_at from topup_requests
     where user_id = ${userId} and status = 'pending' and amount_paise > ${above}`)
  if (requests.length === 0) return new Map()
  const pairs = requests.map((request) => ({ request, credit: { payerKey: null } }))
  const buyers = await readBuyers(db, pairs, rules, now)
  const allowed = requests.filter((request) => {
    const buyer = buyers.get(request.id)
    const open: MatchRequest = { ...request, isOpen: true, isContested: false }
    return buyer && whyHeld(open, asAlerted(request, now), { rules, buyer }) === undefined
  })
  const withinMinutes = allowed.length > 0 ? await usualMinutes(db) : null
  return new Map(allowed.map(({ id }) => [id, { withinMinutes }]))
}

/** The alert that the bank would send for a request's money. */
const asAlerted = ({ utr, amountPaise, createdAt }: z.output<typeof Request>, now: Date): MatchCredit => ({
  refs: [utr],
  amountPaise,
  day: dayOf(createdAt),
  at: createdAt,
  kind: 'payment',
  proof: 'alert',
  differs: false,
  isProposed: false,
  isTaken: false,
  feedsStore: true,
  isOfAnother: false,
  firstSeenAt: now,
})

const Account = z.object({ bank: z.string(), isHeard: z.boolean() })

/**
 * @returns the sum, in paise, above which each bank of the store sends an SMS; undefined unless a phone has forwarded
 * one in a known wording within a day, for an account of the store
 */
async function toldAbove(db: Queries, now: Date): Promise<number | undefined> {
  const yesterday = new Date(now.getTime() - DAY_MS)
  const accounts = await db.rows(sql(Account)`
    select bank, exists (select from bank_sightings alert
                           join bank_devices device on device.id = alert.device_id
                          where alert.account_id = account.id and alert.outcome = 'credit'
                            and alert.why is distinct from 'hint' and alert.seen_at > ${yesterday}
                            and device.ended_at is null and device.paused_at is null) as is_heard
      from bank_accounts account where feeds_store and closed_at is null`)
  if (!accounts.some(({ isHeard }) => isHeard)) return undefined
  return smsAbove(accounts.map(({ bank }) => bank)) * 100
}

/** @returns within how many minutes requests were approved on an alert lately; null where that is not known, or long */
async function usualMinutes(db: Queries): Promise<number | null> {
  const times = await db.rows(sql(() => z.object({ ms: z.number() }))`
    select (extract(epoch from match.made_at - request.created_at) * 1000)::bigint as ms
      -- Ids are in the order of time, and the newest are found without reading all
      from (select topup_id, made_at from bank_matches where how = 'auto' and proof_then = 'alert'
             order by id desc limit ${literal(TIMES_SEEN)}) match
      join topup_requests request on request.id = match.topup_id`)
  if (times.length < TIMES_SEEN) return null
  const met = times.map(({ ms }) => ms).toSorted((a, b) => a - b)[TIMES_MET - 1] ?? Infinity
  return met <= WITHIN_MAX_MS ? Math.max(1, Math.ceil(met / MINUTE_MS)) : null
}

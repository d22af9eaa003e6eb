/** Approves pending requests whose money is there, as far as the owner's rules allow it. */
import * as z from 'zod/mini'
import { paise } from '../../../contract/money.ts'
import { approveLocked, decide, type Waiting } from '../../payments/decide-top-up.ts'
import { lockTopUps } from '../../payments/top-ups.ts'
import { sql, type Transaction } from '../../platform/database/database.ts'
import { allowedBefore } from '../../wallet/allowance.ts'
import { lockWallets } from '../../wallet/ledger.ts'
import { dayOf } from '../../../contract/india.ts'
import { whyHeld } from './decide-match.ts'
import { readBuyers, readRules, type Pair, type RulesNow } from './match-facts.ts'
import { insertMatches, readLocked, type Core, type NewMatch, type Candidate } from './matches.ts'

/**
 * A statement that disproves an alert turns automation off. What the same statement shows is still decided by the
 * rules before, because it needs no alert. Otherwise anybody who forges an SMS could stop them all.
 * @param before the rules before that statement
 */
export const allowedBy = (now: RulesNow, before: RulesNow | undefined): RulesNow =>
  before && now.mode === 'propose' && now.offWhy === 'alert-disproven'
    ? { ...now, mode: before.mode, trusts: 'statement' }
    : now

/**
 * Looks at everything again under the locks, once for all of them.
 * @param candidates no two of one buyer, credit or payer
 * @returns how many it has approved
 */
export async function approveByRules(
  services: Core,
  candidates: readonly Candidate[],
  before?: RulesNow,
): Promise<number> {
  const decideThem = async (tx: Transaction) => {
    const now = services.clock.now()
    const userIds = candidates.map(({ userId }) => userId)
    const lots = await lockWallets(tx, userIds, now, { wait: true })
    const ids = candidates.map(({ requestId }) => requestId)
    const requests = await lockTopUps(tx, ids)
    const rules = allowedBy(await readRules(tx, now, true), before)
    const matches = await chooseAllowed(tx, await readLocked(tx, candidates), rules, now)
    const made = await insertMatches(tx, matches, now)
    const pairs = matches.map(({ pair }) => pair).filter(({ request }) => made.has(request.id))
    if (pairs.length === 0) return []
    await useLimits(tx, pairs, now)
    const sources = await sourcesOf(tx, pairs)
    const waiting = pairs.flatMap(({ request: { id, userId }, credit }): Waiting[] => {
      const request = requests.get(id)
      const balance = paise((lots.get(userId) ?? []).reduce((sum, { remaining }) => sum + remaining, 0))
      const noted = { bank: { credit: credit.id, proof: credit.proof, ...sources.get(credit.id) } }
      return request ? [{ id, request, balance, noted, allowance: allowedBefore(request.credit) }] : []
    })
    return approveLocked(tx, waiting, { admin: null, now, address: '', userAgent: '' })
  }
  const approved = await decide(services, decideThem, { onePlan: true })
  return approved.length
}

/** Each one that is chosen leaves less of the limits for the next. */
async function chooseAllowed(tx: Transaction, pairs: readonly Pair[], rules: RulesNow, now: Date): Promise<NewMatch[]> {
  const buyers = await readBuyers(tx, pairs, rules, now)
  let { today, unproven } = rules
  return pairs.flatMap((pair): NewMatch[] => {
    const { request, credit } = pair
    const buyer = buyers.get(request.id)
    if (!buyer || whyHeld(request, credit, { rules: { ...rules, today, unproven }, buyer }) !== undefined) return []
    today += request.creditPaise
    if (credit.proof === 'alert') unproven += request.creditPaise
    return [{ pair, how: 'auto', adminId: null }]
  })
}

/** The day never goes back, because an approval may have waited over midnight, or its node's clock may be late. */
async function useLimits(tx: Transaction, pairs: readonly Pair[], now: Date): Promise<void> {
  const sum = (those: readonly Pair[]): number => those.reduce((total, { request }) => total + request.creditPaise, 0)
  const today = dayOf(now)
  await tx.run(sql`
    update bank_rules
       set day = greatest(day, ${today}::date),
           day_paise = case when day >= ${today}::date then day_paise else 0 end + ${sum(pairs)}::bigint,
           unproven_paise = unproven_paise + ${sum(pairs.filter(({ credit }) => credit.proof === 'alert'))}::bigint`)
}

const SourceRow = z.object({
  id: z.string(),
  import: z.nullable(z.string()),
  uploadedBy: z.nullable(z.string()),
  device: z.nullable(z.string()),
})

/** @returns where credits are from, for the audit log: the file and who uploaded it, or the phone */
async function sourcesOf(tx: Transaction, pairs: readonly Pair[]): Promise<Map<string, object>> {
  const rows = await tx.rows(sql(SourceRow)`
    select credit.id, credit.import_id as import, admin.username as uploaded_by,
           (select device_id from bank_sightings
             where credit_id = credit.id and device_id is not null limit 1) as device
      from bank_credits credit
      left join bank_imports file on file.id = credit.import_id
      left join admins admin on admin.id = file.admin_id
     where credit.id = any(${pairs.map(({ credit }) => credit.id)}::uuid[])`)
  return new Map(
    rows.map(({ id, ...source }) => [
      id,
      Object.fromEntries(Object.entries(source).filter(([, value]) => value !== null)),
    ]),
  )
}

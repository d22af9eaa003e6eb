/** The rules of automatic approval. Only an owner sets them, and faults turn them off. */
import * as z from 'zod/mini'
import { BankRules, OFF_REASONS, reasonIn } from '../../../contract/bank-shapes.ts'
import type { bank } from '../../../contract/bank.ts'
import { Refusal } from '../../../contract/errors.ts'
import { formatPaise } from '../../../contract/money.ts'
import { audit } from '../../audit/audit.ts'
import { sql, type Queries } from '../../platform/database/database.ts'
import type { Call } from '../../platform/http/http.ts'
import type { Services } from '../../platform/services.ts'
import { readSettings } from '../../settings/settings.ts'
import { readRules } from './match-facts.ts'

export async function showRules(db: Queries, now: Date): Promise<BankRules> {
  const rules = await readRules(db, now)
  return z.parse(BankRules, { ...rules, offWhy: reasonIn(OFF_REASONS, rules.offWhy) })
}

/** @throws Refusal STEP_UP_REQUIRED, INVALID_INPUT above the store's largest top-up */
export async function saveRules(
  { db, events }: Services,
  wanted: z.output<(typeof bank.saveRules)['input']>,
  by: Call<'admin'>,
): Promise<BankRules> {
  by.requireProof()
  const after = await db.transaction(async (tx) => {
    await readRules(tx, by.now, true)
    const { topupMax } = await readSettings(tx)
    if (wanted.perRequest > topupMax) {
      throw new Refusal('INVALID_INPUT', {
        say: ['Enter at most {most}, the largest top-up', { most: formatPaise(topupMax) }],
        field: 'perRequest',
      })
    }
    const before = await showRules(tx, by.now)
    await tx.run(sql`
      update bank_rules
         set mode = ${wanted.mode}, trusts = ${wanted.trusts}, per_request_paise = ${wanted.perRequest},
             per_buyer_day_paise = ${wanted.perBuyerDay}, per_day_paise = ${wanted.perDay},
             unproven_max_paise = ${wanted.unprovenMax},
             off_why = case when ${wanted.mode} = 'propose' then off_why end`)
    if (wanted.mode !== 'propose')
      await tx.run(sql`
        update bank_alarms set closed_at = ${by.now}, closed_by = ${by.admin.id}
         where kind = 'automation-off' and closed_at is null`)
    const after = await showRules(tx, by.now)
    await audit(tx, by, { action: 'bank.rules', subject: 'Automatic approval', before, after })
    return after
  })
  events.publish({ to: 'admins', name: 'bank', data: {} })
  return after
}

import { sql, type Database } from '../../platform/database/database.ts'
import { indianDay } from '../../platform/database/indian-day.ts'

/**
 * Recounts what automatic approvals have used of their limits. A version before migration 0032 counts what was paid.
 * @returns whether a count was wrong
 */
export function recountLimits(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Every automatic approval locks this row, so the next statement sees what it used
    await tx.run(sql`select from bank_rules for update`)
    const fixed = await tx.run(sql`
      update bank_rules set unproven_paise = counted.unproven, day_paise = counted.today
        from (select coalesce(sum(request.credit_paise)
                       filter (where credit.proof = 'alert' and match.released_at is null), 0) as unproven,
                     coalesce(sum(request.credit_paise)
                       filter (where ${indianDay(sql`match.made_at`)} = rules.day), 0) as today
                from bank_rules rules
                left join bank_matches match on match.how = 'auto'
                left join bank_credits credit on credit.id = match.credit_id
                left join topup_requests request on request.id = match.topup_id) counted
       where (unproven_paise, day_paise) is distinct from (counted.unproven, counted.today)`)
    return fixed > 0
  })
}

/** Tells how far a store is set up. The store sees most steps itself. An admin marks the others. */
import * as z from 'zod/mini'
import { DEFAULT_ACCENT } from '../../contract/accents.ts'
import { GUIDE_STEPS, type GuideStep } from '../../contract/guide.ts'
import { DEFAULT_WEBSITE_NAME } from '../../contract/limits.ts'
import { FirstSteps, type Guide, type Overview } from '../../contract/reports.ts'
import { sql, type Database, type Sql } from '../platform/database/database.ts'

const Mark = z.enum(['done', 'skipped'])
const Row = z.extend(FirstSteps, {
  hasSold: z.boolean(),
  face: z.boolean(),
  plans: z.boolean(),
  phone: z.boolean(),
  share: z.boolean(),
  backup: z.boolean(),
  twoStep: z.boolean(),
  marks: z.record(z.string(), Mark),
})

/** @returns null once a key was sold */
export async function readFirstSteps(db: Database): Promise<Overview['firstSteps']> {
  const { hasSold, marks, upiId, product, keys, referralCode, supportLink, ...row } = await readRow(db, null)
  // An owner who skips it keeps the first name
  const name = row.name || marks['name'] !== undefined
  return hasSold ? null : { name, upiId, product, keys, referralCode, supportLink }
}

/** @param adminId whose own phone and two-step verification count */
export async function readGuide(db: Database, adminId: string): Promise<Guide> {
  const row = await readRow(db, adminId)
  const found: Partial<Record<string, unknown>> = row
  const steps = GUIDE_STEPS.map((name) => ({
    name,
    state: found[name] === true ? ('done' as const) : markOf(name, row.marks[name]),
  }))
  return { steps }
}

/** A copy elsewhere and a phone are facts, so nobody can mark them as done. */
function markOf(name: GuideStep, mark: z.output<typeof Mark> | undefined): 'done' | 'skipped' | 'open' {
  return mark === undefined || ((name === 'backup' || name === 'phone') && mark === 'done') ? 'open' : mark
}

function readRow(db: Database, adminId: string | null): Promise<z.output<typeof Row>> {
  return db.one(sql(Row)`
    select exists (select from orders) as has_sold,
           exists (select from settings where website_name <> ${DEFAULT_WEBSITE_NAME}) as name,
           exists (select from settings where upi_id <> '') as upi_id,
           exists (${onSale(sql``)}) as product,
           exists (${onSale(sql`
             join stock_counters stock on stock.price_id = price.id and stock.available > 0`)}) as keys,
           exists (select from referral_codes
                    where deleted_at is null and is_active
                      and (max_usage is null or usage_count < max_usage)) as referral_code,
           exists (select from settings where support_url <> '') as support_link,
           exists (select from settings where accent <> ${DEFAULT_ACCENT} or hero_line <> '')
             or exists (select from pictures where place = 'logo') as face,
           exists (select from topup_plans where deleted_at is null and is_active) as plans,
           exists (select from push_subscriptions where admin_id = ${adminId}) as phone,
           exists (select from users) as share,
           exists (select from backups where copied_at is not null) as backup,
           exists (select from admins where id = ${adminId} and totp_sealed is not null) as two_step,
           coalesce((select guide from settings), '{}') as marks`)
}

const onSale = (joined: Sql): Sql => sql`
  select from prices price
    join products product on product.id = price.product_id and product.deleted_at is null and product.is_listed
    ${joined}
   where price.removed_at is null and price.list_paise > 0`

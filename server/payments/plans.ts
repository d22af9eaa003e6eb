/** Top-up plans: pay this amount, get that credit. A deleted plan stays for the requests made with it. */
import * as z from 'zod/mini'
import type { AuditNaming } from '../audit/audit-names.ts'
import { Refusal } from '../../contract/errors.ts'
import { formatRupees, paise, ZERO, type Paise } from '../../contract/money.ts'
import type { payments } from '../../contract/payments.ts'
import { Plan } from '../../contract/topup-plans.ts'
import { audit, type ProvingBy } from '../audit/audit.ts'
import { sql, type Database, type Queries, type Sql, type Transaction } from '../platform/database/database.ts'
import { InPaise } from '../platform/in-paise.ts'
import type { Call } from '../platform/http/http.ts'
import { newId } from '../platform/ids.ts'
import { allowPromise } from '../wallet/allowance.ts'

type By = ProvingBy & Pick<Call<'admin'>, 'isProven'>

const COLUMNS = sql`id as _id, amount_paise as amount, bonus_paise as bonus, is_active`

/** @returns smallest first */
export function listPlans(db: Database): Promise<Plan[]> {
  return readPlans(db, sql`true`)
}

/** @returns the plans on offer, smallest first */
export function listActivePlans(db: Database): Promise<Plan[]> {
  return readPlans(db, sql`is_active`)
}

function readPlans(db: Queries, condition: Sql): Promise<Plan[]> {
  return db.rows(sql(Plan)`
    select ${COLUMNS}
      from topup_plans
     where deleted_at is null and ${condition}
     order by amount_paise, bonus_paise, id`)
}

/** Returns the price and credit of a plan now. @throws Refusal PLAN_NOT_FOUND when it is not on offer */
export async function findOffer(tx: Transaction, id: string): Promise<{ amount: Paise; credit: Paise }> {
  const plan = await tx.maybe(sql(() => z.object({ amount: InPaise, credit: InPaise }))`
    select amount_paise as amount, bonus_paise as credit
      from topup_plans where id = ${id} and is_active and deleted_at is null`)
  if (!plan) throw new Refusal('PLAN_NOT_FOUND')
  return plan
}

/** Returns what is credited for a payment: the most that a plan on offer gives for it, and at least the amount. */
export async function creditFor(tx: Transaction, amount: Paise): Promise<{ credit: Paise; planId: string | null }> {
  const plan = await tx.maybe(sql(() => z.object({ id: z.string(), credit: z.number() }))`
    select id, bonus_paise as credit
      from topup_plans
     where amount_paise = ${amount} and bonus_paise > ${amount} and is_active and deleted_at is null
     order by bonus_paise desc, id limit 1`)
  return plan ? { credit: paise(plan.credit), planId: plan.id } : { credit: amount, planId: null }
}

/** @throws Refusal STEP_UP_REQUIRED for a plan that gives a bonus */
export function createPlan(
  db: Database,
  { amount, bonus, isActive }: z.output<(typeof payments.createPlan)['input']>,
  by: By,
): Promise<Plan> {
  return db.transaction(async (tx) => {
    const after = await tx.one(sql(Plan)`
      insert into topup_plans (id, amount_paise, bonus_paise, is_active, created_at)
      values (${newId()}, ${amount}, ${bonus}, ${isActive}, ${by.now})
      returning ${COLUMNS}`)
    await allowPromise(tx, by, NOTHING, bonusOf(after))
    await audit(tx, by, { action: 'plan.create', subject: nameOf(after), after })
    return after
  })
}

/**
 * Changes the given fields and leaves the rest.
 * @throws Refusal NOT_FOUND, STEP_UP_REQUIRED for a larger bonus, or a bonus for a smaller payment
 */
export function updatePlan(
  db: Database,
  { id, ...change }: z.output<(typeof payments.updatePlan)['input']>,
  by: By,
): Promise<Plan> {
  return db.transaction(async (tx) => {
    const before = await lockPlan(tx, id)
    const after = await tx.one(sql(Plan)`
      update topup_plans
         set amount_paise = coalesce(${change.amount ?? null}, amount_paise),
             bonus_paise = coalesce(${change.bonus ?? null}, bonus_paise),
             is_active = coalesce(${change.isActive ?? null}, is_active)
       where id = ${id}
      returning ${COLUMNS}`)
    // The same bonus for a smaller payment is another promise
    await allowPromise(tx, by, after.amount < before.amount ? NOTHING : bonusOf(before), bonusOf(after))
    await audit(tx, by, { action: 'plan.update', subject: nameOf(after), before, after })
    return after
  })
}

/** @throws Refusal NOT_FOUND */
export function removePlan(db: Database, id: string, by: By): Promise<{ message: string }> {
  return db.transaction(async (tx) => {
    const before = await lockPlan(tx, id)
    await tx.run(sql`update topup_plans set deleted_at = ${by.now} where id = ${id}`)
    await audit(tx, by, { action: 'plan.remove', subject: nameOf(before), before })
    return { message: 'Plan deleted' }
  })
}

async function lockPlan(tx: Transaction, id: string): Promise<Plan> {
  const plan = await tx.maybe(
    sql(Plan)`select ${COLUMNS} from topup_plans where id = ${id} and deleted_at is null for no key update`,
  )
  if (!plan) throw new Refusal('NOT_FOUND')
  return plan
}

const NOTHING = { each: ZERO, uses: 0 }

/** What buyers get above what they pay, as often as they like. */
function bonusOf({ amount, bonus, isActive }: Plan) {
  if (!isActive) return NOTHING
  return { each: paise(Math.max(0, Math.round((bonus - amount) * 100))), uses: Infinity }
}

function nameOf({ _id, amount, bonus }: Plan): string {
  return `Plan ${formatRupees(bonus)} for ${formatRupees(amount)} (${_id})`
}

/** How the audit log names it. */
export const planNames: AuditNaming = {
  rows: sql`select topup_plans.id, '', '', bonus_paise from wanted join topup_plans using (id)`,
  words: ({ rupees }) => `Plan of ${rupees}`,
}

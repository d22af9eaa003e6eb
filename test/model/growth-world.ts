/** What a store holds of renewals and invitations, read with as little knowledge of its ways as possible. Paise, ms. */
import * as z from 'zod/mini'
import { sql, type Database, type Sql } from '../../server/platform/database/database.ts'
import type { Answer } from './commands.ts'
import type { GrowthCommand } from './growth-commands.ts'

export interface GrowthSent {
  command: GrowthCommand
  /** The order or the payment that it is about. */
  about: string
  answer: Pick<Answer, 'status' | 'body'>
}

const Ms = z.number()
const Renewal = z.object({
  orderId: z.string(),
  userId: z.string(),
  quantity: z.number(),
  max: z.number(),
  isRepeat: z.boolean(),
  isAuto: z.boolean(),
  dueAt: Ms,
  madeAt: Ms,
  toldAt: z.nullable(Ms),
  heldAt: z.nullable(Ms),
  heldWhy: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  nextId: z.nullable(z.string()),
})
const Order = z.object({
  id: z.string(),
  userId: z.string(),
  quantity: z.number(),
  unit: z.number(),
  at: Ms,
  /** By no call of a person. */
  isByStore: z.boolean(),
  endsAt: Ms,
})
const Key = z.object({ id: z.string(), userId: z.string(), orderId: z.string() })
const Person = z.object({ id: z.string(), balance: z.number(), seenAt: Ms })
const Shop = z.object({ stock: z.number(), price: z.number(), step: z.nullable(z.number()) })
const Invite = z.object({
  friendId: z.string(),
  outcome: z.nullable(z.string()),
  isSameBrowser: z.boolean(),
  isTakenBack: z.boolean(),
  topUpId: z.nullable(z.string()),
})
const Payment = z.object({
  id: z.string(),
  userId: z.string(),
  amount: z.number(),
  isApproved: z.boolean(),
  isTakenBack: z.boolean(),
  /** The payer that a standing match by a statement names. */
  payer: z.nullable(z.string()),
  /** The payers of all matches that there have ever been. */
  payersEver: z.array(z.string()),
})
const Reward = z.object({ userId: z.string(), amount: z.number(), left: z.number() })

export interface GrowthWorld {
  /** By the moment at which they are due. */
  renewals: z.output<typeof Renewal>[]
  /** Oldest first. */
  orders: z.output<typeof Order>[]
  /** Newest sale first. */
  keys: z.output<typeof Key>[]
  people: z.output<typeof Person>[]
  /** Of two and more, `step` is the price of each, where it is set. */
  shop: z.output<typeof Shop>
  invites: z.output<typeof Invite>[]
  /** Newest first. */
  payments: z.output<typeof Payment>[]
  rewards: z.output<typeof Reward>[]
}

const ms = (column: Sql): Sql => sql`(extract(epoch from ${column}) * 1000)::bigint`

export async function readGrowthWorld(db: Database): Promise<GrowthWorld> {
  const [renewals, orders, keys, people, shop, invites, payments, rewards] = await Promise.all([
    db.rows(sql(Renewal)`
      select order_id, user_id, quantity, max_paise as max, is_repeat, is_auto, ${ms(sql`due_at`)} as due_at,
             ${ms(sql`created_at`)} as made_at, ${ms(sql`told_at`)} as told_at, ${ms(sql`held_at`)} as held_at,
             held_why, end_reason as reason, next_id
        from renewals order by renewals.due_at, order_id`),
    db.rows(sql(Order)`
      select id, user_id, quantity, unit_paise as unit, ${ms(sql`created_at`)} as at,
             idempotency_key is null as is_by_store,
             (select max(${ms(sql`expires_at`)}) from license_keys where order_id = orders.id) as ends_at
        from orders order by created_at, id`),
    db.rows(sql(Key)`
      select id, assigned_to as user_id, order_id from license_keys
       where order_id is not null order by assigned_at desc, seq`),
    db.rows(sql(Person)`
      select users.id, balance_paise as balance,
             (select coalesce(max(${ms(sql`last_active_at`)}), 0) from user_sessions
               where user_id = users.id) as seen_at
        from users join wallets on wallets.user_id = users.id`),
    db.one(sql(Shop)`
      select (select count(*) from license_keys where order_id is null) as stock, list_paise as price,
             (steps -> 0 ->> 'price')::bigint as step
        from prices`),
    db.rows(sql(Invite)`
      select friend_id, outcome, same_browser as is_same_browser, taken_back_at is not null as is_taken_back,
             topup_id as top_up_id
        from invites`),
    db.rows(sql(Payment)`
      select id, user_id, amount_paise as amount, status = 'approved' as is_approved,
             taken_back is not null as is_taken_back,
             (select payer_name from bank_matches match join bank_credits credit on credit.id = credit_id
               where topup_id = request.id and released_at is null and proof = 'statement' and not differs) as payer,
             array(select payer_name from bank_matches match join bank_credits credit on credit.id = credit_id
                    where topup_id = request.id) as payers_ever
        from topup_requests request order by created_at desc, id desc`),
    db.rows(sql(Reward)`
      select movement.user_id, movement.amount_paise as amount, remaining_paise as left
        from wallet_movements movement join wallet_lots lot on lot.movement_id = movement.id
       where movement.kind = 'referral_reward'`),
  ])
  return { renewals, orders, keys, people, shop, invites, payments, rewards }
}

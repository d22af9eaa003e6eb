/** The rows of a store as a World. */
import type pg from 'pg'
import type { Order, Payment, Plan, Price, Referral, Session, Voucher, World } from './world.ts'

/** @param textOf the text of a key by its fingerprint, and of a redeem code by its hash, in hexadecimal */
export async function readWorld(client: pg.Client, now: number, textOf: ReadonlyMap<string, string>): Promise<World> {
  const { rows } = await client.query<{ world: Rows }>({ name: 'world', text: WORLD })
  return worldOf((rows[0] as { world: Rows }).world, now, textOf)
}

interface Rows {
  validityDays: number | null
  users: { id: string; username: string; device: string | null; lockedAt: number | null }[]
  sessions: (Session & { token: string })[]
  lots: { username: string; expiry: number | null; amount: number }[]
  returns: { username: string; at: number; expiry: number | null; amount: number }[]
  ownPrices: { username: string; priceId: string; amount: number }[]
  hidden: { username: string; productId: string }[]
  prices: (Price & { id: string })[]
  keys: { id: string; fingerprint: string; priceId: string; orderId: string | null }[]
  payments: (Payment & { id: string })[]
  plans: (Plan & { id: string })[]
  referrals: (Referral & { code: string })[]
  vouchers: (Omit<Voucher, 'expiry'> & { hash: string; expiry: number | null })[]
  orders: (Order & { id: string })[]
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`
const list = (name: string, query: string) =>
  `'${name}', (select coalesce(json_agg(row_to_json(line)), '[]') from (${query}) line)`

const WORLD = `select json_build_object(
  'validityDays', (select topup_validity_days from settings),
  ${list(
    'users',
    `select id, username, encode(device_hash, 'hex') as device, ${ms('locked_at')} as "lockedAt"
       from users`,
  )},
  ${list(
    'sessions',
    `select encode(token_hash, 'hex') as token, users.username, encode(session.device_hash, 'hex') as device,
            ${ms('session.created_at')} as "createdAt", ${ms('last_active_at')} as "lastActiveAt",
            end_reason as "endReason"
       from user_sessions session join users on users.id = session.user_id`,
  )},
  ${list(
    'lots',
    `select username, ${ms('expires_at')} as expiry, sum(remaining_paise) as amount
       from wallet_lots join users on users.id = user_id where remaining_paise > 0 group by username, expires_at`,
  )},
  ${list(
    'returns',
    `select username, ${ms('lapses_at')} as at, ${ms('lot.expires_at')} as expiry, sum(deduction.amount_paise) as amount
       from wallet_deductions deduction join wallet_lots lot on lot.id = lot_id
         join users on users.id = deduction.user_id
      where returned_at is null group by username, lapses_at, lot.expires_at`,
  )},
  ${list(
    'ownPrices',
    `select username, price_id as "priceId", paise as amount
       from custom_prices join users on users.id = user_id`,
  )},
  ${list('hidden', `select username, product_id as "productId" from hidden_products join users on users.id = user_id`)},
  ${list(
    'prices',
    `select id, product_id as "productId", duration, list_paise as amount, per_buyer as "perBuyer"
       from prices where removed_at is null`,
  )},
  ${list(
    'keys',
    `select id, encode(fingerprint, 'hex') as fingerprint, price_id as "priceId", order_id as "orderId"
       from license_keys`,
  )},
  ${list(
    'payments',
    `select request.id, username, amount_paise as amount, credit_paise as credit, utr, status,
            hidden.payment_id is not null as hidden
       from topup_requests request join users on users.id = user_id
       left join hidden_payments hidden on hidden.payment_id = request.id order by request.id`,
  )},
  ${list(
    'plans',
    `select id, amount_paise as amount, bonus_paise as credit, is_active as "isActive"
       from topup_plans`,
  )},
  ${list(
    'referrals',
    `select code, max_usage as "maxUsage", reward_paise as reward, usage_count as uses
       from referral_codes`,
  )},
  ${list(
    'vouchers',
    `select encode(hash, 'hex') as hash, batch.id as "batchId", not is_sold as "isGift", batch.amount_paise as amount,
            ${ms('code_until')} as until, credit_days as days, username, ${ms('movement.expires_at')} as expiry
       from redeem_codes code join code_batches batch on batch.id = batch_id
       left join users on users.id = code.user_id
       left join wallet_movements movement on movement.id = movement_id`,
  )},
  ${list(
    'orders',
    `select orders.id, username, idempotency_key as "idempotencyKey", product_id as "productId", duration, quantity,
            orders.amount_paise as amount, balance_after_paise as "balanceAfter"
       from orders join users on users.id = orders.user_id
       left join wallet_movements movement on movement.order_id = orders.id and movement.kind = 'purchase'`,
  )}) as world`

function worldOf(rows: Rows, now: number, textOf: ReadonlyMap<string, string>): World {
  const of = <T extends { username: string }>(all: readonly T[], username: string) =>
    all.filter((each) => each.username === username)
  return {
    now,
    validityDays: rows.validityDays,
    users: new Map(
      rows.users.map(({ username, device, lockedAt }) => [
        username,
        {
          device,
          lockedAt,
          credit: new Map(of(rows.lots, username).map(({ expiry, amount }) => [expiry ?? Infinity, amount])),
          returns: of(rows.returns, username).map(({ at, expiry, amount }) => ({
            at,
            expiry: expiry ?? Infinity,
            amount,
          })),
          ownPrices: new Map(of(rows.ownPrices, username).map(({ priceId, amount }) => [priceId, amount])),
          hidden: of(rows.hidden, username).map(({ productId }) => productId),
        },
      ]),
    ),
    sessions: new Map(rows.sessions.map(({ token, ...session }) => [token, session])),
    prices: new Map(rows.prices.map(({ id, ...price }) => [id, price])),
    keys: new Map(
      rows.keys.map(({ id, fingerprint, priceId, orderId }) => [
        textOf.get(fingerprint) ?? `an unknown text ${fingerprint}`,
        { id, priceId, orderId },
      ]),
    ),
    payments: new Map(rows.payments.map(({ id, ...payment }) => [id, payment])),
    plans: new Map(rows.plans.map(({ id, ...plan }) => [id, plan])),
    referrals: new Map(rows.referrals.map(({ code, ...referral }) => [code, referral])),
    vouchers: new Map(
      rows.vouchers.map(({ hash, expiry, ...voucher }) => [
        textOf.get(hash) ?? hash,
        { ...voucher, expiry: expiry ?? 0 },
      ]),
    ),
    orders: new Map(rows.orders.map(({ id, ...order }) => [id, order])),
  }
}

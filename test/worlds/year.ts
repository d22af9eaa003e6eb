/**
 * A large store out of nothing: users with wallets, top-ups, purchases and keys, spread over the year before.
 *
 * Rows are made by the database, set by set, so that a million take minutes; only the keys' texts and the audit
 * log's hashes come from here. The books are as true as if each line had been posted alone: every invariant
 * holds. All of it is one transaction: a store is filled or it stays empty.
 */
import * as z from 'zod/mini'
import { paise } from '../../contract/money.ts'
import { DAY_MS } from '../../contract/time.ts'
import { canonical, chainHash } from '../../server/audit/audit.ts'
import {
  openDatabase,
  sql,
  type Database,
  type DatabaseOptions,
  type Sql,
  type Transaction,
} from '../../server/platform/database/database.ts'
import { newId } from '../../server/platform/ids.ts'
import { hashPassword } from '../../server/platform/passwords/passwords.ts'
import type { Sealer } from '../../server/platform/secrets/sealing.ts'

export interface SeedSizes {
  users: number
  /** Sold ones and stock together; at least as many as there will be orders, six in ten payments. */
  keys: number
  /** Lines of the payment list: top-up requests, orders and admin movements. */
  payments: number
}

export interface SeedOptions extends SeedSizes {
  sealer: Sealer
  now: Date
  /** In whose name codes were made and requests decided. */
  adminId: string
  say(line: string): void
}

export const SEED_PASSWORD = 'a seeded buyer key'

const YEAR_MS = 365 * DAY_MS
const REFERRAL_CODES = 20
/** Requests that wait, of however many there are: an owner keeps the queue short. */
const PENDING = 50
const KEYS_PER_BATCH = 10_000
const AUDITS_PER_BATCH = 5_000
/** One audit entry for so many payments. */
const PAYMENTS_PER_AUDIT = 10
const SEED_TIMEOUT_MS = 3_600_000

const FIRST_NAMES = (
  'aarav aditi amit anika arjun bhavna chetan deepa dev diya esha farhan gauri harsh isha jatin kabir kavya ' +
  'lakshmi manav meera mohit naina neha nikhil ojas pooja pranav priya rahul riya rohan sana sanjay shreya tara ' +
  'uday varun vidya zoya'
).split(' ')
const PRODUCT_WORDS = [
  'Skyforge Orbit Drift Hexfall Night Ember Paper Tide Iron Neon'.split(' '),
  'Arena Circuit Kingdoms Rangers Online'.split(' '),
] as const
const DURATIONS = [
  { text: '1 Day', days: 1 },
  { text: '1 Month', days: 30 },
  { text: '1 Year', days: 365 },
] as const

/** The username of the nth user, counted from one: "diya000123". */
export function seededUsername(n: number): string {
  return `${FIRST_NAMES[n % FIRST_NAMES.length] ?? ''}${String(n).padStart(6, '0')}`
}

/** @throws Error when the store has users already, or too few keys are wanted for the orders */
export async function seedStore(db: Database, options: SeedOptions): Promise<void> {
  const { users, keys, payments, say } = options
  const passwordHash = await hashPassword(SEED_PASSWORD)
  const began = performance.now()
  await db.transaction(
    async (tx) => {
      await refuseFilled(tx)
      await tx.run(sql`set local synchronous_commit = off`)
      await tx.run(sql`set local work_mem = '128MB'`)
      const step = async (what: string, work: () => Promise<number>) => {
        const started = performance.now()
        const rows = await work()
        say(`${what}: ${rows.toLocaleString('en-IN')} in ${((performance.now() - started) / 1_000).toFixed(1)} s`)
      }
      await step('products', () => insertProducts(tx, options))
      await step('users', () => insertUsers(tx, users, passwordHash, options))
      await step('lines', () => planLines(tx, users, payments, options.now))
      await step('top-up requests', () => insertTopUps(tx, options))
      await step('orders', () => insertOrders(tx, keys))
      await step('wallet movements', () => insertMovements(tx, options))
      await step('keys', () => insertKeys(tx, options))
      await step('audit entries', () => insertAudits(tx, Math.floor(payments / PAYMENTS_PER_AUDIT), options))
      await tx.run(sql`drop table seed_prices, seed_users, seed_lines, seed_movements, seed_orders`)
    },
    { statementTimeoutMs: SEED_TIMEOUT_MS },
  )
  say(`seeded in ${((performance.now() - began) / 1_000).toFixed(0)} s`)
}

/**
 * Does what autovacuum would do within minutes. Without it the planner knows nothing of the new rows. Tables that
 * are still empty are left out, for a plan made for an empty table is kept too long.
 * @param connection the owner's, for only the owner of a table may do this
 */
export async function vacuumSeeded(connection: DatabaseOptions['connection']): Promise<void> {
  const db = openDatabase({ connection, poolSize: 1, statementTimeoutMs: SEED_TIMEOUT_MS })
  try {
    await db.run(sql`
      vacuum (analyze) users, wallets, referral_codes, referral_uses, products, prices, stock_counters, topup_requests,
                       orders, wallet_movements, wallet_lots, wallet_entries, license_keys, key_batches,
                       batch_counters, audit_entries`)
  } finally {
    await db.close()
  }
}

async function refuseFilled(tx: Transaction): Promise<void> {
  const isFilled = await tx.holds(sql`select exists (select from users) or exists (select from products)`)
  if (isFilled) throw new Error('This store already has data. Seed an empty one.')
}

/** An id as `newId` makes them, for a moment and a name: version 7, in time order. */
function idOf(at: Sql, name: Sql): Sql {
  return sql`(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${name}), 1, 3)
              || 'a' || substr(md5(${name}), 4, 15))::uuid`
}

async function insertProducts(tx: Transaction, { now, adminId }: SeedOptions): Promise<number> {
  const start = new Date(now.getTime() - YEAR_MS)
  const products = PRODUCT_WORDS[0].flatMap((one) =>
    PRODUCT_WORDS[1].map((two) => ({ id: newId(), name: `${one} ${two}` })),
  )
  await tx.run(sql`
    insert into products (id, name, description, position, created_at)
    select id, name, 'A key for ' || name, ordinal, ${start}
      from unnest(${products.map((each) => each.id)}::uuid[], ${products.map((each) => each.name)}::text[])
           with ordinality as product (id, name, ordinal)`)
  const prices = products.flatMap(({ id }) =>
    DURATIONS.map((duration) => ({ id: newId(), productId: id, ...duration })),
  )
  await tx.run(sql`
    create temp table seed_prices (n integer primary key, id uuid, product_id uuid, duration text, days integer,
                                   list_paise bigint) on commit drop`)
  await tx.run(sql`
    insert into seed_prices
    select ordinal - 1, id, product_id, duration, days, (ordinal * 37 % 40 + 10) * 1000
      from unnest(${prices.map((each) => each.id)}::uuid[], ${prices.map((each) => each.productId)}::uuid[],
                  ${prices.map((each) => each.text)}::text[], ${prices.map((each) => each.days)}::integer[])
           with ordinality as price (id, product_id, duration, days, ordinal)`)
  await tx.run(sql`
    insert into prices (id, product_id, duration, list_paise, position)
    select id, product_id, duration, list_paise, n % 3 from seed_prices`)
  await tx.run(sql`
    insert into referral_codes (id, code, description, created_by, created_at)
    select ${idOf(sql`${start}::timestamptz`, sql`'referral' || n`)}, 'SEED' || lpad(n::text, 2, '0'), 'Seeded',
           ${adminId}, ${start}
      from generate_series(0, ${REFERRAL_CODES - 1}::integer) as n`)
  return products.length
}

/** The nth user came after n parts of the year; the last days are left for their lines. */
async function insertUsers(
  tx: Transaction,
  users: number,
  passwordHash: string,
  { now }: SeedOptions,
): Promise<number> {
  const start = new Date(now.getTime() - YEAR_MS)
  await tx.run(sql`
    create temp table seed_users (n integer primary key, id uuid, username text, referral text, phone text,
                                  created_at timestamptz) on commit drop`)
  await tx.run(sql`
    insert into seed_users
    select n, ${idOf(sql`at`, sql`'user' || n`)},
           (${FIRST_NAMES}::text[])[n % ${FIRST_NAMES.length}::integer + 1] || lpad(n::text, 6, '0'),
           'SEED' || lpad((n % ${REFERRAL_CODES}::integer)::text, 2, '0'),
           '9' || lpad((n * 7919::bigint % 1000000000)::text, 9, '0'), at
      from (select n, date_trunc('milliseconds', ${start}::timestamptz + interval '360 days' * n / ${users}::integer)
                      as at
              from generate_series(1, ${users}::integer) as n) as user_n`)
  await tx.run(sql`analyze seed_users`)
  const inserted = await tx.run(sql`
    insert into users (id, email, username, password_hash, referral_code, terms_accepted_at, created_at)
    select id, username || '@example.in', username, ${passwordHash}, referral, created_at, created_at from seed_users
     order by n`)
  await tx.run(sql`
    insert into referral_uses (user_id, referral_id, created_at)
    select seed_users.id, referral_codes.id, seed_users.created_at
      from seed_users join referral_codes on referral_codes.code = seed_users.referral`)
  await tx.run(sql`
    update referral_codes set usage_count = uses.count
      from (select referral_id, count(*) as count from referral_uses group by referral_id) uses
     where uses.referral_id = referral_codes.id`)
  return inserted
}

/**
 * Each user's acts, in tens: an approved top-up, six orders, another approved one, a rejected (or, for the newest
 * users, pending) one, and an admin's movement. The first top-up pays for everything that the user ever spends.
 */
async function planLines(tx: Transaction, users: number, payments: number, now: Date): Promise<number> {
  await tx.run(sql`
    create temp table seed_lines (i bigint primary key, user_n integer, k integer, kind text, paise bigint,
                                  price_n integer, at timestamptz) on commit drop`)
  const lines = await tx.run(sql`
    insert into seed_lines
    select line.i, line.user_n, line.k, line.kind,
           case when line.kind = 'order' then price.list_paise when line.kind like 'admin%' then 1000 else 50000 end,
           price.n,
           date_trunc('milliseconds', buyer.created_at + (${now}::timestamptz - buyer.created_at) * line.k
                                      / ((${payments}::integer - line.user_n) / ${users}::integer + 2))
      from (select i, ((i - 1) % ${users}::integer + 1)::integer as user_n,
                   ((i - 1) / ${users}::integer + 1)::integer as k,
                   case ((i - 1) / ${users}::integer + 1) % 10
                     when 1 then 'topup' when 8 then 'topup'
                     when 9 then case when (i - 1) % ${users}::integer + 1 > ${users - PENDING}::integer then 'pending'
                                 else 'rejected' end
                     when 0 then case i % 2 when 0 then 'admin_credit' else 'admin_debit' end
                     else 'order' end as kind
              from generate_series(1, ${payments}::bigint) as i) line
      join seed_users buyer on buyer.n = line.user_n
      left join seed_prices price on line.kind = 'order' and price.n = line.i * 7919 % ${PRICES}::integer`)
  await tx.run(sql`
    update seed_lines set paise = 50000 + spent.paise
      from (select user_n, sum(paise) as paise from seed_lines where kind in ('order', 'admin_debit')
            group by user_n) spent
     where spent.user_n = seed_lines.user_n and seed_lines.k = 1`)
  await tx.run(sql`analyze seed_lines`)
  return lines
}

const PRICES = PRODUCT_WORDS[0].length * PRODUCT_WORDS[1].length * DURATIONS.length

function insertTopUps(tx: Transaction, { adminId }: SeedOptions): Promise<number> {
  return tx.run(sql`
    insert into topup_requests (id, user_id, amount_paise, credit_paise, utr, phone, status, reason, decided_at,
                                decided_by, created_at)
    select ${idOf(sql`at`, sql`'topup' || i`)}, buyer.id, paise, paise, (400000000000 + i * 7919)::text, buyer.phone,
           case kind when 'topup' then 'approved' else kind end,
           case kind when 'rejected' then 'No such transfer on our statement' end,
           case when kind <> 'pending' then at end, case when kind <> 'pending' then ${adminId}::uuid end, at
      from seed_lines join seed_users buyer on buyer.n = user_n
     where kind in ('topup', 'pending', 'rejected')
     order by at, i`)
}

async function insertOrders(tx: Transaction, keys: number): Promise<number> {
  await tx.run(sql`
    create temp table seed_orders (m bigint primary key, id uuid, user_id uuid, price_id uuid, days integer,
                                   at timestamptz) on commit drop`)
  const orders = await tx.run(sql`
    insert into seed_orders
    select row_number() over (order by at, i), ${idOf(sql`at`, sql`'order' || i`)}, buyer.id, price.id, price.days, at
      from seed_lines
      join seed_users buyer on buyer.n = user_n
      join seed_prices price on price.n = price_n
     where kind = 'order'`)
  if (orders > keys) throw new Error(`${orders} orders need as many keys: ask for more with --keys.`)
  await tx.run(sql`analyze seed_orders`)
  return tx.run(sql`
    insert into orders (id, user_id, product_id, price_id, product_name, product_description, duration, quantity,
                        unit_paise, amount_paise, created_at)
    select placed.id, placed.user_id, price.product_id, price.id, product.name, product.description, price.duration, 1,
           price.list_paise, price.list_paise, placed.at
      from seed_orders placed
      join seed_prices price on price.id = placed.price_id
      join products product on product.id = price.product_id
     order by placed.m`)
}

async function insertMovements(tx: Transaction, { adminId }: SeedOptions): Promise<number> {
  await tx.run(sql`
    create temp table seed_movements (i bigint, user_id uuid, id uuid, kind text, amount bigint, balance_after bigint,
                                      lot_id uuid, is_credit boolean, at timestamptz) on commit drop`)
  // A purchase's movement has its order's id; every debit comes out of the user's first lot
  await tx.run(sql`
    insert into seed_movements
    select i, buyer.id,
           case kind when 'order' then ${idOf(sql`at`, sql`'order' || i`)}
                     else ${idOf(sql`at`, sql`'movement' || i`)} end,
           case kind when 'order' then 'purchase' else kind end, amount,
           sum(amount) over (partition by user_n order by k),
           case when amount > 0 then ${idOf(sql`at`, sql`'lot' || i`)}
                else ${idOf(sql`first_value(at) over (partition by user_n order by k)`, sql`'lot' || user_n`)} end,
           amount > 0, at
      from (select *, case when kind in ('order', 'admin_debit') then -paise else paise end as amount
              from seed_lines where kind not in ('pending', 'rejected')) line
      join seed_users buyer on buyer.n = user_n`)
  await tx.run(sql`analyze seed_movements`)
  await tx.run(sql`
    insert into wallets (user_id, balance_paise)
    select buyer.id, coalesce(sum(amount), 0) from seed_users buyer left join seed_movements on user_id = buyer.id
     group by buyer.id`)
  const movements = await tx.run(sql`
    insert into wallet_movements (id, user_id, kind, amount_paise, balance_after_paise, description, order_id,
                                  topup_id, admin_id, created_at)
    select id, user_id, kind, amount, balance_after, initcap(replace(kind, '_', ' ')),
           case kind when 'purchase' then id end,
           case kind when 'topup' then ${idOf(sql`at`, sql`'topup' || i`)} end,
           case when kind <> 'purchase' then ${adminId}::uuid end, at
      from seed_movements order by at, i`)
  await tx.run(sql`
    insert into wallet_lots (id, user_id, movement_id, source, amount_paise, remaining_paise, added_at)
    select lot.lot_id, lot.user_id, lot.id, lot.kind, lot.amount, lot.amount - coalesce(spent.amount, 0), lot.at
      from seed_movements lot
      left join (select lot_id, -sum(amount) as amount from seed_movements where not is_credit group by lot_id) spent
             on spent.lot_id = lot.lot_id
     where lot.is_credit
     order by lot.at, lot.i`)
  await tx.run(sql`
    insert into wallet_entries (movement_id, lot_id, account, amount_paise)
    select id, lot_id,
           case kind when 'topup' then 'topups_received' when 'purchase' then 'sales' else 'adjustments' end, amount
      from seed_movements order by at, i`)
  return movements
}

/**
 * The first keys are those of the orders; what is left is stock, spread over all prices. Each price has one delivery.
 */
async function insertKeys(tx: Transaction, { keys, sealer, now, adminId, say }: SeedOptions): Promise<number> {
  const start = new Date(now.getTime() - YEAR_MS - DAY_MS)
  await tx.run(sql`
    insert into key_batches (id, price_id, supplier, cost_paise, admin_id, created_at)
    select ${idOf(sql`${start}::timestamptz + interval '1 millisecond' * n`, sql`'batch' || n`)}, id,
           'Supplier ' || n % 7, 5000, ${adminId},
           ${start}::timestamptz + interval '1 millisecond' * n
      from seed_prices`)
  const batch = newId().slice(0, 8).toUpperCase()
  for (let first = 1; first <= keys; first += KEYS_PER_BATCH) {
    const numbers = Array.from({ length: Math.min(KEYS_PER_BATCH, keys - first + 1) }, (_, offset) => first + offset)
    const texts = numbers.map((m) => `SEED-${batch}-${String(m).padStart(8, '0')}`)
    const ids = await tx.texts(sql`
      select ${idOf(sql`${start}::timestamptz + interval '1 millisecond' * m`, sql`'key' || m`)}
        from unnest(${numbers}::bigint[]) as m order by m`)
    await tx.run(sql`
      insert into license_keys (id, price_id, batch_id, sealed, fingerprint, order_id, assigned_to, assigned_at,
                                expires_at, created_at)
      select key.id, batch.price_id, batch.id, key.sealed, key.fingerprint, placed.id, placed.user_id, placed.at,
             placed.at + interval '1 day' * placed.days, ${start}
        from unnest(${ids}::uuid[], ${numbers}::bigint[],
                    ${texts.map((text, n) => sealer.seal('key', ids[n] ?? '', text))}::bytea[],
                    ${texts.map((text) => sealer.fingerprint(text))}::bytea[]) as key (id, m, sealed, fingerprint)
        left join seed_orders placed on placed.m = key.m
        join seed_prices price on price.n = key.m % ${PRICES}::integer
        join key_batches batch on batch.price_id = coalesce(placed.price_id, price.id)
       order by key.m`)
    const done = first + numbers.length - 1
    if (done % (20 * KEYS_PER_BATCH) === 0) say(`  ${done.toLocaleString('en-IN')} keys`)
  }
  await tx.run(sql`
    update key_batches set added = there.added, first_seq = there.first_seq, last_seq = there.last_seq
      from (select batch_id, count(*) as added, min(seq) as first_seq, max(seq) as last_seq
              from license_keys group by batch_id) there
     where key_batches.id = there.batch_id`)
  await tx.run(sql`
    insert into batch_counters (batch_id, shard, sold)
    select batch_id, 0, count(*) from license_keys where order_id is not null group by batch_id`)
  await tx.run(sql`
    insert into stock_counters (price_id, shard, available)
    select price_id, 0, count(*) from license_keys where order_id is null group by price_id`)
  return keys
}

const Head = z.object({ seq: z.number(), hash: z.instanceof(Buffer) })
const Decided = z.object({ id: z.string(), username: z.string(), amount: z.number(), at: z.date() })

/** Approvals, chained as the audit log chains its entries. */
async function insertAudits(tx: Transaction, count: number, { adminId }: SeedOptions): Promise<number> {
  let { seq, hash } = await tx.one(sql(Head)`select seq, hash from audit_head for update`)
  const { username: adminName } = await tx.one(
    sql(z.object({ username: z.string() }))`select username from admins where id = ${adminId}`,
  )
  const decided = await tx.rows(sql(Decided)`
    select request.id, buyer.username, request.amount_paise as amount, request.created_at as at
      from topup_requests request join users buyer on buyer.id = request.user_id
     where request.status = 'approved'
     order by request.created_at, request.id
     limit ${count}`)
  for (let first = 0; first < decided.length; first += AUDITS_PER_BATCH) {
    const entries = decided.slice(first, first + AUDITS_PER_BATCH).map(({ id, username, amount, at }) => {
      seq += 1
      const entry = {
        id: newId(),
        seq,
        at,
        adminId,
        adminName,
        action: 'payment.approve',
        subject: `Top-up of ₹${paise(amount) / 100} by ${username} (${id})`,
        before: canonical({ status: 'pending' }),
        after: canonical({ status: 'approved' }),
        address: '127.0.0.1',
        userAgent: 'seed',
      }
      hash = chainHash(hash, entry)
      return { ...entry, hash }
    })
    await tx.run(sql`
      insert into audit_entries (id, seq, at, admin_id, admin_name, action, subject, before, after, address,
                                 user_agent, hash)
      select id, seq, at, ${adminId}, ${adminName}, 'payment.approve', subject, before::jsonb, after::jsonb,
             '127.0.0.1', 'seed', hash
        from unnest(${entries.map((each) => each.id)}::uuid[], ${entries.map((each) => each.seq)}::bigint[],
                    ${entries.map((each) => each.at)}::timestamptz[], ${entries.map((each) => each.subject)}::text[],
                    ${entries.map((each) => each.before)}::text[], ${entries.map((each) => each.after)}::text[],
                    ${entries.map((each) => each.hash)}::bytea[]) as entry (id, seq, at, subject, before, after, hash)`)
  }
  await tx.run(sql`update audit_head set seq = ${seq}, hash = ${hash}`)
  return decided.length
}

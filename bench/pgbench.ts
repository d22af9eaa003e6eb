/**
 * The yardsticks of a purchase: pgbench running the statements of server/orders/place-orders.ts and
 * server/keys/take-keys.ts for one order, one order a transaction, with commits as durable as the store's; and the
 * same as one function, on the store's own schema and on a lean one (yardsticks.sql).
 * Its statements are prepared, as the store's are.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { SHARDS } from '../server/keys/stock/stock-counters.ts'
import { prepared, type Database } from '../server/platform/database/database.ts'
import { findPgbench, type BenchStore } from './running-store.ts'

export interface Yardstick {
  perSecond: number
  /** Milliseconds, the wait for a late beginning included. */
  p99: number
}

/** Makes the functions, and copies what the lean schema sells. Call it once all is seeded. */
export async function makeFunctions(db: Database): Promise<void> {
  const text = await readFile(path.join(import.meta.dirname, 'yardsticks.sql'), 'utf8')
  // Unnamed and without values, it may be many statements
  await db.transaction((tx) => tx.run({ ...prepared(text), isPlannedAnew: true }), { statementTimeoutMs: 600_000 })
}

interface Run {
  sells: keyof typeof SCRIPTS
  buyers: number
  products: number
  clients: number
  seconds: number
  /** As many as this, at random moments; without it as many as possible. */
  perSecond?: number
}

/** @returns undefined where pgbench is not installed */
export async function pgbench(
  store: BenchStore,
  { sells, buyers, products, clients, seconds, perSecond }: Run,
): Promise<Yardstick | undefined> {
  const program = findPgbench()
  if (!program) return undefined
  const directory = await mkdtemp(path.join(store.dataDir, 'pgbench-'))
  const file = path.join(directory, 'purchase.pgbench')
  await writeFile(file, `${drawn(buyers, products)}${SCRIPTS[sells]}`)
  const { host, user, database } = store.connection
  const rate = perSecond === undefined ? [] : ['-R', perSecond.toFixed(0)]
  const run = [
    '-n',
    '-M',
    'prepared',
    '-c',
    clients,
    '-j',
    '2',
    '-T',
    Math.max(1, Math.round(seconds)),
    '-f',
    file,
    '-l',
  ]
  const child = spawn(program, ['-h', host, '-U', user, ...run.map(String), ...rate, database], { cwd: directory })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const code = await new Promise((resolve) => child.once('close', resolve))
  const tps = /tps = ([\d.]+)/.exec(said)?.[1]
  if (tps === undefined || code !== 0 || !/number of failed transactions: 0/.test(said))
    throw new Error(`pgbench: ${said.slice(-2_000)}`)
  const times = await timesIn(directory)
  return { perSecond: Number(tps), p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN }
}

/** From pgbench's logs, of which each thread writes one; the third column is a transaction's time in µs. */
async function timesIn(directory: string): Promise<number[]> {
  const logs = (await readdir(directory)).filter((name) => name.startsWith('pgbench_log.'))
  const texts = await Promise.all(logs.map((name) => readFile(path.join(directory, name), 'utf8')))
  return texts
    .flatMap((text) => text.trimEnd().split('\n'))
    .map((line) => Number(line.split(' ')[2]) / 1_000)
    .toSorted((a, b) => a - b)
}

const drawn = (buyers: number, products: number) => String.raw`
\set buyer random(0, ${buyers - 1})
\set product random(0, ${products - 1})
\set shard random(0, ${SHARDS - 1})
`
const BUYER = "('00000001-0000-7000-8000-' || lpad(to_hex(:buyer::int), 12, '0'))::uuid"
const PRODUCT = "('00000002-0000-7000-8000-' || lpad(to_hex(:product::int), 12, '0'))::uuid"

const SCRIPTS = {
  function: `select bench.buy(${BUYER}, ${PRODUCT}, :shard::int);`,
  lean: `select bench.buy_lean(${BUYER}, ${PRODUCT});`,
  statements: String.raw`
begin;
select user_id as id, coalesce(next_lapse_at <= now(), false) as due from wallets
 where user_id = any(array[${BUYER}]) order by user_id
   for update \gset wallet_
select gen_random_uuid() as order_id,
       (select count(*) from orders where user_id = :wallet_id::uuid and idempotency_key = :client_id::text) as n
 \gset new_
select price.id as price_id, product.name, product.description, price.duration,
       coalesce(custom.paise, price.list_paise) as paise
  from products product
  join prices price on price.product_id = product.id and price.removed_at is null
  left join custom_prices custom on custom.user_id = :wallet_id::uuid and custom.price_id = price.id
 where product.id = ${PRODUCT}
   and product.deleted_at is null
   and not exists (select from hidden_products hidden
                   where hidden.user_id = :wallet_id::uuid and hidden.product_id = product.id) \gset offer_
select id, remaining_paise from wallet_lots
 where user_id = :wallet_id::uuid and is_open and (expires_at is null or expires_at > now())
 order by user_id, expires_at nulls last, added_at, id limit 1 \gset lot_
select id, seq, sealed from license_keys where price_id between :offer_price_id::uuid and :offer_price_id::uuid
   and order_id is null and seq >= 0 order by price_id, seq limit 1 for update skip locked \gset key_
with placed as (
  insert into orders (id, user_id, product_id, price_id, product_name, product_description, duration, quantity,
                      unit_paise, amount_paise, idempotency_key, request_hash, created_at)
  values (:new_order_id::uuid, :wallet_id::uuid, :offer_price_id::uuid, :offer_price_id::uuid, :offer_name::text,
          :offer_description::text, :offer_duration::text, 1, :offer_paise::bigint, :offer_paise::bigint,
          :new_order_id::text, '\x00', now())
), movement as (
  insert into wallet_movements (id, user_id, kind, amount_paise, balance_after_paise, description, order_id, created_at)
  select :new_order_id::uuid, user_id, 'purchase', -(:offer_paise::bigint), balance_paise - :offer_paise::bigint,
         :offer_name::text, :new_order_id::uuid, now() from wallets where user_id = :wallet_id::uuid
), entry as (
  insert into wallet_entries (movement_id, lot_id, account, amount_paise)
  values (:new_order_id::uuid, :lot_id::uuid, 'sales', -(:offer_paise::bigint))
), lot as (
  update wallet_lots set remaining_paise = remaining_paise - :offer_paise::bigint where id = :lot_id::uuid
), wallet as (
  update wallets set balance_paise = balance_paise - :offer_paise::bigint where user_id = :wallet_id::uuid
), counter as (
  insert into stock_counters (price_id, shard, available) values (:offer_price_id::uuid, :shard::int, -1)
  on conflict (price_id, shard) do update set available = stock_counters.available - 1
)
update license_keys set order_id = :new_order_id::uuid, assigned_to = :wallet_id::uuid, assigned_at = now(),
       expires_at = now() + interval '10 days'
 where id = :key_id::uuid;
commit;
`,
}

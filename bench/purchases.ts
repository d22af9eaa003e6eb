/**
 * Purchases a second over HTTP, beside pgbench running the store's own purchase statements, one purchase a
 * transaction, on the same database in the same run. Session check, validation, idempotency, rate limit,
 * sealed keys, ledger and durable commits are all on.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { findBroken } from '../server/platform/invariants.ts'
import type { Load } from './http-load.ts'
import {
  benchId,
  buyerCookie,
  findPgbench,
  furnishBuyers,
  furnishProducts,
  residentMb,
  startBenchStore,
  type BenchStore,
} from './running-store.ts'

const BUYERS = 500
const SPREAD_PRODUCTS = 20
const HOT_PRODUCT = 100
const SECONDS = 4
const ROUNDS = 3

export async function bench(args: string[]): Promise<void> {
  const stock = Number(args[0] ?? 30_000)
  const hotStock = Number(args[1] ?? 200_000)
  const store = await startBenchStore(async (db) => {
    await furnishBuyers(db, BUYERS)
    await furnishProducts(db, { from: 0, count: SPREAD_PRODUCTS, stock })
    await furnishProducts(db, { from: HOT_PRODUCT, count: 1, stock: hotStock })
  })
  try {
    console.log(`memory idle: ${residentMb(store.pid).toFixed(0)} MB`)
    await measure(store, 'warm-up', spread(), 32)
    const yardstick: number[] = []
    const spread32: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const tps = pgbench(store)
      if (tps !== undefined) yardstick.push(tps)
      spread32.push(await measure(store, 'spread over 20 products, 32 clients', spread(), 32))
    }
    const base = median(spread32)
    const ratio = (value: number, of: number) => (value / of).toFixed(2)
    if (yardstick.length > 0)
      console.log(
        `pgbench, own SQL, 32 clients: ${spell(yardstick)}/s; ratio store / pgbench ${ratio(base, median(yardstick))} (goal 0.8)`,
      )
    else console.log('pgbench is not installed (apt-get install -y postgresql-contrib or postgresql-15): no yardstick')
    console.log(`spread, 32 clients: ${spell(spread32)}/s`)
    for (const clients of [32, 128]) {
      const hot: number[] = []
      for (let round = 0; round < ROUNDS; round++)
        hot.push(await measure(store, `one hot product, ${clients} clients`, only(HOT_PRODUCT), clients))
      console.log(`hot, ${clients} clients: ${spell(hot)}/s; ratio to spread ${ratio(median(hot), base)} (goal 0.8)`)
    }
    const one = await measure(store, 'one buyer, 32 at once', oneBuyer(), 32)
    console.log(`one buyer: ${one.toFixed(0)}/s; ratio to spread ${ratio(one, base)} (goal 0.3)`)
    const half = await store.load({
      connections: 32,
      forMs: SECONDS * 1_000,
      everyMs: (32 / (base / 2)) * 1_000,
      requests: spread(),
    })
    console.log(
      `at half of the peak (${half.perSecond.toFixed(0)}/s): p50 ${half.p50.toFixed(1)} ms, p99 ${half.p99.toFixed(1)} ms (goal 15)`,
    )
    console.log(`memory after the load: ${residentMb(store.pid).toFixed(0)} MB (goal 220)`)
    const broken = await findBroken(store.db, 'server/migrations')
    console.log(broken.length === 0 ? 'The books are in order.' : `BROKEN: ${JSON.stringify(broken)}`)
  } finally {
    await store.stop()
  }
}

async function measure(
  store: BenchStore,
  name: string,
  requests: Load['requests'],
  connections: number,
): Promise<number> {
  const result = await store.load({ connections, forMs: SECONDS * 1_000, everyMs: 0, requests })
  const refused = Object.entries(result.answers).filter(([status]) => status !== '200')
  console.log(
    `  ${name}: ${result.perSecond.toFixed(0)}/s, p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms${refused.length > 0 ? `, NOT 200: ${JSON.stringify(refused)}` : ''}`,
  )
  return result.perSecond
}

function purchase(buyer: number, product: number): Load['requests'][number] {
  return {
    method: 'POST',
    path: '/api/keys/buy',
    cookie: buyerCookie(buyer),
    body: JSON.stringify({ productId: benchId(2, product), duration: '10 Days', quantity: 1 }),
    idempotent: true,
  }
}

const spread = () => Array.from({ length: BUYERS }, (_, n) => purchase(n, n % SPREAD_PRODUCTS))
const only = (product: number) => Array.from({ length: BUYERS }, (_, n) => purchase(n, product))
const oneBuyer = () => Array.from({ length: SPREAD_PRODUCTS }, (_, n) => purchase(0, n))

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const spell = (values: readonly number[]) =>
  `min ${Math.min(...values).toFixed(0)}, median ${median(values).toFixed(0)}, max ${Math.max(...values).toFixed(0)}`

/** The statements of server/orders/place-orders.ts and server/keys/claim-keys.ts for one order, as a pgbench script. */
const SCRIPT = String.raw`
\set buyer random(0, ${BUYERS - 1})
\set product random(0, ${SPREAD_PRODUCTS - 1})
\set shard random(0, 7)
begin;
select user_id, coalesce(next_lapse_at <= now(), false) from wallets
 where user_id = any(array[('00000001-0000-7000-8000-' || lpad(to_hex(:buyer), 12, '0'))::uuid]) order by user_id for update \gset wallet_
select count(*) from orders where user_id = ':wallet_user_id' and idempotency_key = ':buyer:client_id' \gset repeated_
select price.id as price_id, product.name, product.description, price.duration, coalesce(custom.paise, price.list_paise) as paise
  from products product
  join prices price on price.product_id = product.id and price.removed_at is null
  left join custom_prices custom on custom.user_id = ':wallet_user_id' and custom.price_id = price.id
 where product.id = ('00000002-0000-7000-8000-' || lpad(to_hex(:product), 12, '0'))::uuid and product.deleted_at is null
   and not exists (select from hidden_products hidden where hidden.user_id = ':wallet_user_id' and hidden.product_id = product.id) \gset offer_
select id, remaining_paise from wallet_lots
 where user_id = ':wallet_user_id' and remaining_paise > 0 and (expires_at is null or expires_at > now())
 order by user_id, expires_at nulls last, added_at, id limit 1 \gset lot_
select id from license_keys where price_id = ':offer_price_id' and order_id is null and seq >= 0 order by seq limit 1 for update skip locked \gset key_
with ids as materialized (select gen_random_uuid() as id), placed as (
  insert into orders (id, user_id, product_id, price_id, product_name, product_description, duration, quantity, unit_paise, amount_paise, idempotency_key, request_hash, created_at)
  select id, ':wallet_user_id', ':offer_price_id', ':offer_price_id', ':offer_name', ':offer_description', ':offer_duration', 1, :offer_paise, :offer_paise, id::text, '\x00', now() from ids
), movement as (
  insert into wallet_movements (id, user_id, kind, amount_paise, balance_after_paise, description, order_id, created_at)
  select ids.id, user_id, 'purchase', -:offer_paise, balance_paise - :offer_paise, ':offer_name', ids.id, now() from wallets, ids where user_id = ':wallet_user_id'
), entry as (
  insert into wallet_entries (movement_id, lot_id, account, amount_paise) select id, ':lot_id', 'sales', -:offer_paise from ids
), lot as (
  update wallet_lots set remaining_paise = remaining_paise - :offer_paise where id = ':lot_id'
), wallet as (
  update wallets set balance_paise = balance_paise - :offer_paise where user_id = ':wallet_user_id'
), counter as (
  update stock_counters set available = available - 1 where price_id = ':offer_price_id' and shard = :shard
)
update license_keys set order_id = ids.id, assigned_to = ':wallet_user_id', assigned_at = now(), expires_at = now() + interval '10 days'
  from ids where license_keys.id = ':key_id';
commit;
`

function pgbench(store: BenchStore): number | undefined {
  const program = findPgbench()
  if (!program) return undefined
  const file = path.join(store.dataDir, 'purchase.pgbench')
  writeFileSync(file, SCRIPT)
  const run = spawnSync(
    program,
    [
      '-h',
      store.socket,
      '-U',
      'chaabi_owner',
      '-n',
      '-M',
      'simple',
      '-c',
      '32',
      '-j',
      '2',
      '-T',
      String(SECONDS),
      '-f',
      file,
      'postgres',
    ],
    { encoding: 'utf8' },
  )
  const tps = /tps = ([\d.]+)/.exec(run.stdout)?.[1]
  if (tps === undefined || run.status !== 0) throw new Error(`pgbench: ${run.stderr.slice(-2_000)}`)
  console.log(`  pgbench: ${Number(tps).toFixed(0)}/s`)
  return Number(tps)
}

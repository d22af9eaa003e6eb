/** Two nodes of a store on one database, which is emptied and seeded again for each story. */
import './many-cores.ts'
import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { hash } from '@node-rs/argon2'
import pg from 'pg'
import { pino } from 'pino'
import { paise } from '../../contract/money.ts'
import { DAY_MS } from '../../contract/time.ts'
import { createApp, type App } from '../../server/app.ts'
import { manualClock, type Clock } from '../../server/platform/clock.ts'
import { columns, sql, type Database } from '../../server/platform/database/database.ts'
import { hashToken, newId, newToken } from '../../server/platform/ids.ts'
import type { Job } from '../../server/platform/jobs.ts'
import { ensureFirstAdmin } from '../../server/admins/first-admin.ts'
import { settleLeft } from '../../server/bank/matching/follow-payments.ts'
import { inviteJobs } from '../../server/referrals/invites/pay.ts'
import { renewalJobs } from '../../server/renewals/renew.ts'
import { endHopeless } from '../../server/supply/demand.ts'
import { serveFromShelf } from '../../server/supply/serve-shelf.ts'
import { stockHooks } from '../../server/waiting/routes.ts'
import { settleDue } from '../../server/wallet/read-wallets.ts'
import { administer, clone, connect, inDatabase, type Engine } from '../engine.ts'
import { patiently } from '../patiently.ts'
import { TEST_NOW, TEST_SEALER } from '../worlds/constants.ts'
import { seedProducts, seedUsers } from '../worlds/seed.ts'
import type { Answer, Request } from './commands.ts'
import { readWorld } from './read-world.ts'
import type { World } from './world.ts'

/** The start of each story. */
export interface ModelStore {
  /** By user. */
  usernames: readonly string[]
  /** By place: a product at a duration. */
  places: readonly { productName: string; duration: string; amount: number }[]
  /** By plan. */
  plans: readonly { amount: number; credit: number }[]
  referrals: readonly { code: string; maxUsage: number | null; reward: number }[]
  validityDays: number | null
  /** Redeem codes, those of a batch together. */
  vouchers: readonly { codes: readonly string[]; isGift: boolean }[]
}

export interface Seeded {
  userIds: string[]
  productIds: string[]
  priceIds: string[]
  planIds: string[]
}

export interface Cookies {
  device?: string | undefined
  session?: string | undefined
}

export interface TwoNodes {
  /** The first node's. */
  db: Database
  now(): Date
  /** A node's work each minute for the bank inbox. */
  settleLeft(node: number): Promise<void>
  /** A node's work each minute for what renews. */
  renewDue(node: number): Promise<void>
  /** A node's work each minute for invitations. */
  payInvites(node: number): Promise<void>
  /** A node's look at what buyers have ordered at a supplier. */
  lookForOrders(node: number): Promise<void>
  seed(wanted: ModelStore): Promise<Seeded>
  /** @returns the moment at which the clock then stands */
  advance(ms: number): Promise<number>
  send(
    node: number,
    request: Request,
    cookies: Cookies,
    headers?: Record<string, string>,
  ): Promise<Answer & { session: string | undefined }>
  /** @param textOf the text of a key by its fingerprint, and of a redeem code by its hash, in hexadecimal */
  read(textOf: ReadonlyMap<string, string>): Promise<World>
  /** Resolves when the nodes have finished what they had begun: one that got a 503 may still be done. */
  settled(): Promise<void>
  /** Lists broken invariants. */
  broken(): Promise<string[]>
  stop(): Promise<void>
}

const SETTLED_MS_MAX = 10_000
/** Looks in a row that must find nothing running, and the time between them. */
const QUIET_LOOKS = 3
const QUIET_MS = 50

const VOUCHERS_FOR_MS = 3 * DAY_MS

export const PASSWORD = 'a long buyer password'
export const voucherHashOf = (code: string): Buffer => createHash('sha256').update(code).digest()
export const fingerprintOf = (text: string): string => TEST_SEALER.fingerprint(text).toString('hex')

export async function startTwoNodes(engine: Engine): Promise<TwoNodes> {
  const name = `chaabi_model_${randomBytes(6).toString('hex')}`
  await clone(engine, name)
  const client = new pg.Client({ ...inDatabase(engine.connection, name), options: '-c timezone=UTC -c jit=off' })
  // The next query reports a lost connection
  client.on('error', () => {})
  await client.connect()
  const clock = manualClock(TEST_NOW)
  const databases = [connect(engine, name), connect(engine, name)] as const
  const nodes = await Promise.all(databases.map((db) => startNode(db, clock)))
  const [db] = databases
  const adminToken = await givenOwner(db, client, clock.now())
  const nodeOf = (node: number) => nodes[node % nodes.length] as App
  return {
    db,
    now: () => clock.now(),
    settleLeft: async (node) => void (await settleLeft(nodeOf(node).services)),
    renewDue: (node) => runAll(renewalJobs(nodeOf(node).services), clock),
    payInvites: (node) => runAll(inviteJobs(nodeOf(node).services), clock),
    async lookForOrders(node) {
      const { services } = nodeOf(node)
      await patiently(() => serveFromShelf(services, stockHooks(services), clock.now()))
      await patiently(() => endHopeless(services.db, clock.now()))
    },
    async advance(ms) {
      clock.advance(ms)
      await keepLoggedIn(client, clock.now())
      return clock.now().getTime()
    },
    seed: await seeder(db, client, clock),
    send: (node, request, cookies, headers) =>
      sendTo(nodeOf(node), request, { ...cookies, admin: adminToken }, headers),
    settled: () => untilQuiet(client),
    async read(textOf) {
      const now = clock.now()
      await settleLapsed(db, client, now)
      return readWorld(client, now.getTime(), textOf)
    },
    broken: await checker(client),
    async stop() {
      await Promise.all(nodes.map((node) => node.close()))
      await Promise.all(databases.map((each) => each.close()))
      await client.end()
      await administer(engine.connection, `drop database if exists ${name} with (force)`)
    },
  }
}

async function runAll(jobs: readonly Job[], clock: Clock): Promise<void> {
  for (const { run } of jobs) await patiently(async () => void (await run(clock.now(), new AbortController().signal)))
}

/** @returns the owner's session */
async function givenOwner(db: Database, client: pg.Client, now: Date): Promise<string> {
  await ensureFirstAdmin(db, { username: 'owner', password: 'a long owner password' }, now)
  const token = newToken()
  await client.query(
    `insert into admin_sessions (token_hash, admin_id, created_at, last_active_at, proven_at)
     select $1, id, $2, $2, $2 from admins`,
    [hashToken(token), now],
  )
  return token
}

/** The owner stays logged in and proven, however far the clock moves. */
async function keepLoggedIn(client: pg.Client, now: Date): Promise<void> {
  await client.query({
    name: 'stay',
    text: 'update admin_sessions set created_at = $1, last_active_at = $1, proven_at = $1',
    values: [now],
  })
}

async function seeder(
  db: Database,
  client: pg.Client,
  clock: ReturnType<typeof manualClock>,
): Promise<TwoNodes['seed']> {
  const passwordHash = await cheapHash(PASSWORD)
  const empty = await statementsThatEmpty(client)
  return async (wanted) => {
    clock.set(TEST_NOW)
    await keepLoggedIn(client, clock.now())
    return patiently(async () => {
      await client.query(empty)
      await client.query('update settings set topup_validity_days = $1', [wanted.validityDays])
      await client.query('insert into bank_rules default values')
      return seed(db, wanted, passwordHash, clock.now())
    })
  }
}

async function sendTo(
  node: App,
  { method, path, body, by }: Request,
  { admin, device, session }: Cookies & { admin: string },
  headers: Record<string, string> = {},
): ReturnType<TwoNodes['send']> {
  const cookie = {
    admin: `chaabi_admin=${admin}`,
    nobody: '',
    user: [
      ...(device === undefined ? [] : [`chaabi_device=${device}`]),
      ...(session === undefined ? [] : [`chaabi_session=${session}`]),
    ].join('; '),
  }[by]
  const response = await node.http.inject({
    method,
    url: `/api${path}`,
    headers: { ...headers, ...(cookie === '' ? {} : { cookie }) },
    ...(body === undefined ? {} : { payload: body }),
  })
  const set = response.cookies.find((each) => each.name === 'chaabi_session')
  const given = set === undefined || set.value === '' ? undefined : set.value
  return {
    status: response.statusCode,
    body: response.json<Record<string, unknown>>(),
    token: given === undefined ? undefined : hashToken(given).toString('hex'),
    session: given,
  }
}

async function untilQuiet(client: pg.Client): Promise<void> {
  const text = `
    select exists (select from pg_stat_activity
                    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle') as busy`
  const until = performance.now() + SETTLED_MS_MAX
  for (let quiet = 0; quiet < QUIET_LOOKS && performance.now() < until; await sleep(QUIET_MS)) {
    const { rows } = await client.query<{ busy: boolean }>(text)
    quiet = rows[0]?.busy ? 0 : quiet + 1
  }
}

/** Takes what has expired by now out of the wallets, as a node does when it reads one. */
async function settleLapsed(db: Database, client: pg.Client, now: Date): Promise<void> {
  const due = await client.query<{ id: string }>({
    name: 'due',
    text: 'select user_id as id from wallets where next_lapse_at <= $1',
    values: [now],
  })
  const ids = due.rows.map(({ id }) => id)
  await patiently(() => settleDue(db, ids, now))
}

async function checker(client: pg.Client): Promise<TwoNodes['broken']> {
  const text = invariantsAsOne(await readFile('server/migrations/invariants.sql', 'utf8'))
  return async () => {
    const { rows } = await client.query<{ invariant: string; broken: string }>({ name: 'broken', text })
    return rows.map(({ invariant, broken }) => `${invariant}: ${broken}`)
  }
}

/** No story comes near a limit. */
const RATE_LIMIT_SCALE = 1_000_000

function startNode(db: Database, clock: ReturnType<typeof manualClock>): Promise<App> {
  return createApp({
    db,
    clock,
    sealer: TEST_SEALER,
    log: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
    rateLimitScale: RATE_LIMIT_SCALE,
    secure: false,
    publicOrigin: undefined,
    trustProxy: false,
    strict: true,
  })
}

/** Right, and quick to compare with: the cost of a real hash would be most of a story's time. */
function cheapHash(password: string): Promise<string> {
  return hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
}

/** Tables that a story does not change, or that the next one needs. */
const KEPT = ['settings', 'admins', 'admin_sessions', 'audit_head', 'schema_migrations']

/** Not by `truncate`, which makes new files for each table and index; and without looking up who refers to what. */
async function statementsThatEmpty(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> all($1)`,
    [KEPT],
  )
  return [
    'set session_replication_role = replica',
    ...rows.map(({ name }) => `delete from ${name}`),
    'set session_replication_role = default',
  ].join(';')
}

async function seed(db: Database, wanted: ModelStore, passwordHash: string, now: Date): Promise<Seeded> {
  const users = wanted.usernames.map((username) => ({ id: newId(), username }))
  const products = wanted.places.map(({ productName: name, duration, amount }) => ({
    id: newId(),
    name,
    prices: [{ id: newId(), duration, listPrice: paise(amount) }],
  }))
  const planIds = wanted.plans.map(() => newId())
  await seedUsers(db, users, { now, passwordHash })
  await seedProducts(db, products, now)
  await db.transaction(async (tx) => {
    for (const [index, { code, maxUsage, reward }] of wanted.referrals.entries())
      await tx.run(sql`
        insert into referral_codes (id, code, description, max_usage, reward_paise, created_by, created_at)
        select ${newId()}, ${code}, ${`Code ${index}`}, ${maxUsage}, ${reward}, id, ${now} from admins`)
    for (const [index, { amount, credit }] of wanted.plans.entries())
      await tx.run(sql`
        insert into topup_plans (id, amount_paise, bonus_paise, created_at)
        values (${planIds[index]}, ${amount}, ${credit}, ${now})`)
    for (const { codes, isGift } of wanted.vouchers) {
      const batch = newId()
      const until = new Date(now.getTime() + VOUCHERS_FOR_MS)
      await tx.run(sql`
        insert into code_batches (id, name, count, amount_paise, is_sold, code_until, credit_days, admin_id, created_at)
        select ${batch}, 'Codes', ${codes.length}, ${isGift ? 777 : 1_234}, ${!isGift}, ${until}, ${isGift ? 7 : 60},
               id, ${now}
          from admins`)
      await tx.run(sql`
        insert into redeem_codes (hash, batch_id, one_each)
        select hash, ${batch}, ${isGift} from ${columns(
          codes.map((code) => ({ hash: voucherHashOf(code) })),
          'hash bytea',
        )} as code`)
    }
  })
  return {
    userIds: users.map(({ id }) => id),
    productIds: products.map(({ id }) => id),
    priceIds: products.flatMap(({ prices }) => prices.map(({ id }) => id)),
    planIds,
  }
}

/** The file's checks as one question, so that it can be put after each round. */
function invariantsAsOne(text: string): string {
  return [...text.matchAll(/^-- (I\d+\w?) .+\n([^;]+);/gm)]
    .map(([, name, query]) => `select '${name}' as invariant, broken from (${query}) as broken_${name}`)
    .join('\nunion all\n')
}

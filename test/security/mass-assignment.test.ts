/**
 * Members that no form has, in every body and query of every call (security.md: 8.3.1, 15.3.3): the whole walk over the
 * contract is done twice, once as it is and once with them, and the two stores must end up alike.
 */
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { prepared, sql } from '../../server/platform/database/database.ts'
import { endpoints } from '../contract/endpoints.ts'
import { openShop } from '../worlds/shop.ts'
import { overhearing, withStore, type TestStore } from '../store.ts'

const ID = 'abcdef00-0000-7000-8000-00000000dead'
/** Each would be worth something to somebody. Those with a value unlike any other are looked for in every column. */
const PLANTED: Record<string, unknown> = {
  _id: ID,
  userId: ID,
  user_id: ID,
  adminId: ID,
  createdBy: 'planted-9f31',
  assignedTo: ID,
  assigned_to: ID,
  orderId: ID,
  balance: 98_765_432.19,
  wallet: [{ amount: 98_765_432.19, expiresAt: null }],
  usdBalance: 98_765_432.19,
  usd_cents: 9_876_543_219,
  amount: 98_765_432.19,
  amountPaise: 9_876_543_219,
  amount_paise: 9_876_543_219,
  credit: 98_765_432.19,
  credit_paise: 9_876_543_219,
  bonus: 98_765_432.19,
  unitPrice: 0,
  price: 98_765_432.19,
  usageCount: 424_217_317,
  rewardAmount: 98_765_432.19,
  createdAt: '1999-12-31T00:00:00.000Z',
  decidedAt: '1999-12-31T00:00:00.000Z',
  expiresAt: '1999-12-31T00:00:00.000Z',
  deletedAt: '1999-12-31T00:00:00.000Z',
  role: 'owner',
  isAdmin: true,
  admin: true,
  status: 'approved',
  paid: true,
  disabled: false,
  deviceHash: 'planted-9f31',
  passwordHash: 'planted-9f31',
  totpSealed: 'planted-9f31',
  decidedBy: 'planted-9f31',
  now: '1999-12-31T00:00:00.000Z',
}
const TRACES = [ID, '9876543219', '98765432.19', '1999-12-31', 'planted-9f31', '424217317']

const forms = endpoints.map(({ endpoint }) => ({
  method: endpoint.method,
  path: new RegExp(`^/api${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  names: Object.keys((endpoint.input as unknown as { _zod: { def: { shape: object } } })._zod.def.shape),
}))

/** Planted fields that the form sent there doesn't have. */
function foreignTo(method: string, path: string): Record<string, unknown> {
  const own = forms.filter((form) => form.method === method && form.path.test(path)).flatMap(({ names }) => names)
  return Object.fromEntries(Object.entries(PLANTED).filter(([name]) => !own.includes(name)))
}

/** Adds all planted fields to a call. */
function withForeign(input: string, init: RequestInit = {}): [string, RequestInit] {
  const url = new URL(input)
  const method = init.method ?? 'GET'
  const foreign = foreignTo(method, url.pathname)
  for (const [name, value] of Object.entries(foreign)) url.searchParams.set(name, String(value))
  if (method === 'GET' || method === 'DELETE') return [url.href, init]
  const body = { ...foreign, ...(JSON.parse((init.body as string | undefined) ?? '{}') as object) }
  return [
    url.href,
    {
      ...init,
      headers: { ...(init.headers as object), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
  ]
}

/** A writer takes one of these counters' shards at random, so the number of rows is no fact. */
const COUNTED: Record<string, string> = { stock_counters: 'sum(available)', batch_counters: 'sum(sold)' }

/** How many rows each table has, and how many of each kind. */
async function shapeOf({ db }: TestStore): Promise<Record<string, unknown>> {
  const columns = await db.rows(sql(z.object({ table: z.string(), column: z.string() }))`
    select table_name as table, column_name as column
      from information_schema.columns
     where table_schema = 'public' and table_name not in ('rate_limits', 'schema_lock', 'audit_head')
       and (data_type = 'boolean' or column_name in ('role', 'status', 'kind', 'action', 'type', 'end_reason',
                                                     'amount_paise'))`)
  const shape: Record<string, unknown> = {}
  for (const { table, column } of columns)
    shape[`${table}.${column}`] = await db.rows(
      sql(
        z.object({ value: z.nullable(z.string()), count: z.number() }),
      )`${prepared(`select ${column}::text as value, count(*) as count from ${table} group by 1 order by 1`)}`,
    )
  const tables = await db.texts(sql`select tablename from pg_tables
     where schemaname = 'public' and tablename not in ('rate_limits', 'schema_lock')`)
  for (const name of tables)
    shape[name] = await db.one(
      sql(z.object({ count: z.number() }))`${prepared(`select ${COUNTED[name] ?? 'count(*)'} as count from ${name}`)}`,
    )
  return shape
}

async function tracesIn({ db }: TestStore): Promise<string[]> {
  const tables = await db.texts(sql`
    select tablename from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'`)
  const found: string[] = []
  for (const name of tables)
    for (const { row } of await db.rows(
      sql(z.object({ row: z.string() }))`${prepared(`select row::text from ${name} row`)}`,
    ))
      for (const trace of TRACES) if (row.includes(trace)) found.push(`${trace} in ${name}`)
  return found
}

/** Every call of the contract, once. @returns what the store looks like then, and what was found of what was planted */
const walk = (): Promise<{ shape: Record<string, unknown>; traces: string[] }> =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const traces: string[] = []
    const listen = ({ method, path, text }: { method: string; path: string; text: string }) =>
      traces.push(...TRACES.filter((trace) => text.includes(trace)).map((trace) => `${trace} from ${method} ${path}`))
    await overhearing(listen, async () => {
      for (const { name, endpoint, succeed } of endpoints) {
        const answer = await succeed(shop)
        expect(answer.status, `${name} ${JSON.stringify(answer.body)}`).toBe(endpoint.status ?? 200)
      }
    })
    return { shape: await shapeOf(store), traces: [...traces, ...(await tracesIn(store))] }
  })

afterEach(() => void vi.restoreAllMocks())

// Planted and found: unknown members that are passed on, and a request for money that takes its moment from one.
test('v5.0.0-15.3.3 v5.0.0-8.3.1 members that no form has change nothing, in any call of the contract', async () => {
  const plain = await walk()
  const real = globalThis.fetch
  let sent = 0
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    sent++
    // Calls of the tests give their address as a string
    return real(...withForeign(input as string, init))
  })

  const planted = await walk()

  expect(sent).toBeGreaterThan(endpoints.length)
  expect(planted.traces).toEqual([])
  expect(planted.shape).toEqual(plain.shape)
})

/** Bodies, queries and headers that no page would send, made from the contract, to every endpoint. */
import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { api } from '../contract/api.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { sql, type Database } from '../server/platform/database/database.ts'
import { findBroken } from '../server/platform/database/invariants.ts'
import { hashToken, newToken } from '../server/platform/ids.ts'
import { seededDice } from './dice.ts'
import { within, type Drill } from './drill.ts'
import { seedShop } from './seed.ts'
import { send } from './send.ts'
import { startStore } from './store-process.ts'

const AT_ONCE = 8
const HANG_MS = 2_000
const AT_THE_DOOR = [401, 403, 429]

export const drill: Drill = async ({ quick, directories, say }) => {
  const perEndpoint = quick ? 8 : 200
  const store = await startStore({ directories })
  const db = store.database()
  const shop = await seedShop(db, await store.sealer(), { buyers: 3, keys: 100, balancePaise: 100_000 })
  const [buyer, ...others] = shop.buyers
  if (!buyer) throw new Error('No buyer')
  const adminToken = newToken()
  await openAdminSession(db, adminToken)
  // Leaves out the buyer's own id, because a request that deletes the account would end its session
  const ids = [shop.productId, ...others.map((each) => each.id)]
  const dice = seededDice(20_261_121)
  const statuses = new Map<number, number>()
  const faults: string[] = []
  let [hangs, longestMs, sent] = [0, 0, 0]
  let slowest = ''
  /** Endpoints that let at least one caller past the check of the session. */
  const reached = new Set<string>()
  const asked: string[] = []

  for (const [feature, endpoints] of Object.entries(api)) {
    for (const [name, endpoint] of Object.entries(endpoints) as [string, Endpoint][]) {
      if (endpoint.stream === 'text/event-stream') continue
      asked.push(`${feature}.${name}`)
      await reviveSessions(db)
      const cookies = [buyer.cookie, `chaabi_admin=${adminToken}`, `${buyer.cookie}; chaabi_admin=${adminToken}`, '']
      const ask = async (n: number) => {
        const hostile = hostileRequest(endpoint, ids, dice, n)
        const began = performance.now()
        sent++
        const answer = await send({
          port: store.port,
          method: endpoint.method,
          path: `/api${hostile.path}`,
          cookie: hostile.cookie ?? cookies[endpoint.access === 'admin' ? 1 + dice(2) : dice(cookies.length)] ?? '',
          ...(hostile.body === undefined ? {} : { body: hostile.body }),
          ...(hostile.headers === undefined ? {} : { headers: hostile.headers }),
        }).catch((error: Error) => error)
        const tookMs = performance.now() - began
        if (tookMs > longestMs) [longestMs, slowest] = [tookMs, `${feature}.${name}`]
        if (tookMs > within(HANG_MS, { quick })) hangs++
        if (answer instanceof Error) {
          // The server may close on what is too large or no HTTP; it must not die of it
          statuses.set(0, (statuses.get(0) ?? 0) + 1)
          return
        }
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        if (!AT_THE_DOOR.includes(answer.status)) reached.add(`${feature}.${name}`)
        if (answer.status >= 500) {
          const sentText = `${hostile.path.slice(0, 150)} ${(hostile.body ?? '').slice(0, 300)}`
          faults.push(`${feature}.${name} ${answer.status} ${sentText} → ${answer.text.slice(0, 100)}`)
        }
      }
      for (let n = 0; n < perEndpoint; n += AT_ONCE)
        await Promise.all(Array.from({ length: Math.min(AT_ONCE, perEndpoint - n) }, (_, index) => ask(n + index)))
    }
  }
  const broken = await findBroken(db, 'server/migrations')
  await db.close()
  const lived = store.alive
  const unreached = asked.filter((each) => !reached.has(each))
  await store.stop()
  for (const fault of faults.slice(0, 20)) say(fault)
  const counted = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status || 'cut'}: ${count}`)
  return {
    passed: faults.length === 0 && hangs === 0 && lived && broken.length === 0 && (quick || unreached.length === 0),
    figures: [
      `${sent} hostile requests: 5xx ${faults.length}, longer than 2 s ${hangs} (longest ` +
        `${Math.round(longestMs)} ms, ${slowest}), the server process ${lived ? 'lived on' : 'DIED'}, broken ` +
        `invariants ${broken.length}`,
      `answers ${counted.join(', ')}; ${reached.size} of ${asked.length} endpoints let some of them past the door`,
      ...(unreached.length === 0 ? [] : [`kept at the door: ${unreached.join(', ')}`]),
      ...broken.map((each) => `BROKEN ${each.invariant}`),
    ],
    proved: 'no input of these kinds gets a 5xx, a hang or a wrong book out of any endpoint.',
    cannotProve:
      'the absence of a hostile input that it does not think of; the seed is fixed so that a finding can be had again.',
  }
}

async function openAdminSession(db: Database, token: string): Promise<void> {
  await db.run(sql`
    insert into admin_sessions (token_hash, admin_id, created_at, last_active_at, proven_at)
    select ${hashToken(token)}, id, now(), now(), now() from admins limit 1`)
}

/** Opens the sessions again, because a request that ended one would shield the next endpoints. */
async function reviveSessions(db: Database): Promise<void> {
  await db.run(sql`update admins set disabled_at = null`)
  await db.run(sql`update admin_sessions set ended_at = null, proven_at = now()`)
  await db.run(sql`update user_sessions set ended_at = null, end_reason = null`)
}

interface Hostile {
  path: string
  cookie?: string
  body?: string
  headers?: Record<string, string>
}

const LONG = 'x'.repeat(20_000)
const VALUES: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  -0,
  2 ** 53,
  0.1 + 0.2,
  99_999_999_999_999,
  '',
  ' ',
  '0',
  'NaN',
  '\u0000',
  'a\u0000b',
  '\uD800',
  '‮abc​',
  '🔑'.repeat(200),
  "' or 1=1; drop table users; --",
  '%_%\\',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '${7*7}{{7*7}}',
  LONG,
  [],
  {},
  [[[[[[]]]]]],
  { __proto__: { admin: true }, constructor: { prototype: {} } },
  { toString: 'x', valueOf: 1, length: -1 },
  '00000000-0000-0000-0000-000000000000',
  'not-a-uuid',
  '2026-02-31T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-19',
  'Infinity Days',
  '99999999999 Years',
  Array.from({ length: 3_000 }, () => 'k'),
  Array.from({ length: 10 }, () => null),
]

const RAW_BODIES = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '123',
  '{"a":1,"a":2}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  `${'['.repeat(1_000)}${']'.repeat(1_000)}`,
  `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`,
  '{"amount":NaN}',
  '{"amount":1e999}',
  '\uFEFF{}',
  '{"a":"\\ud800"}',
  `{"a":"${'y'.repeat(150_000)}"}`,
]

const HEADERS: Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-encoding': 'gzip' },
  { 'idempotency-key': 'k'.repeat(300) },
  { 'idempotency-key': '\u00e9\u00ff' },
  { origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site' },
  { 'x-forwarded-for': '::1, not an address' },
  { 'if-none-match': '"'.repeat(5_000) },
  { range: 'bytes=0-99999999999' },
  { accept: 'x'.repeat(3_000) },
]

const COOKIES = [
  'chaabi_session=',
  `chaabi_session=${'A'.repeat(5_000)}`,
  'chaabi_session=%00%ff; chaabi_device=%',
  'chaabi_admin="; chaabi_admin=x; chaabi_session',
  `chaabi_session=${randomBytes(32).toString('base64url')}; chaabi_device=${randomBytes(32).toString('base64url')}`,
]

type Json = Record<string, unknown>

function hostileRequest(
  endpoint: Endpoint,
  ids: readonly string[],
  dice: (sides: number) => number,
  n: number,
): Hostile {
  const schema = z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' }) as Json
  const input: Json = { ...(plausible(schema, ids, dice) as Json) }
  const pick = <T>(list: readonly T[]): T => list[dice(list.length)] as T
  const fields = Object.keys(input)
  const kind = n % 8
  // One field wrong among plausible ones gets further than nonsense does
  if (kind <= 3 && fields.length > 0) input[pick(fields)] = pick(VALUES)
  else if (kind === 4) for (const field of fields) input[field] = pick(VALUES)
  else if (kind === 5 && fields.length > 0) delete input[pick(fields)]
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name] ?? pick(ids)
    delete input[name]
    return encodePart(value)
  })
  const headers = kind === 6 ? pick(HEADERS) : undefined
  const cookie = kind === 7 && dice(3) === 0 ? pick(COOKIES) : undefined
  const extras = { ...(headers ? { headers } : {}), ...(cookie === undefined ? {} : { cookie }) }
  if (endpoint.method === 'GET' || endpoint.method === 'DELETE') {
    const query = Object.entries(input).map(([name, value]) => `${name}=${encodePart(value)}`)
    if (kind === 7) query.push(pick(['limit=1&limit=2', '%zz', 'a[b]=c', '__proto__=1', '&&&===', 'search=%00']))
    return { path: query.length > 0 ? `${path}?${query.join('&')}` : path, ...extras }
  }
  return { path, body: kind === 7 ? pick(RAW_BODIES) : JSON.stringify(input), ...extras }
}

function encodePart(value: unknown): string {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')).slice(0, 2_000)
  // A lone surrogate cannot be encoded
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?'))
}

/** Something that the schema may well accept. */
function plausible(schema: Json, ids: readonly string[], dice: (sides: number) => number): unknown {
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (choices) return plausible(choices[dice(choices.length)] ?? {}, ids, dice)
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[dice(schema.enum.length)]
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([name, inner]) => [
          name,
          plausible(inner, ids, dice),
        ]),
      )
    case 'array':
      return Array.from({ length: dice(3) }, () => plausible((schema.items ?? {}) as Json, ids, dice))
    case 'integer':
    case 'number':
      return 1 + dice(50)
    case 'boolean':
      return dice(2) === 0
    default:
      return [ids[dice(ids.length)], '1 Month', 'drill@example.in', '402611870001', 'WELCOME', '2026-11-21', 'A name'][
        dice(7)
      ]
  }
}

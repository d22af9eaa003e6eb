/** A whole store on real HTTP and a database of its own, and browsers with cookie jars to visit it. */
import path from 'node:path'
import { pino, type Logger } from 'pino'
import { inject } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { api, type Api } from '../contract/api.ts'
import { createClient, endpointTable, type Client } from '../contract/client.ts'
import { CANARIES } from '../scripts/canaries.ts'
import { createApp, type App } from '../server/app.ts'
import type { DemoExtras } from '../server/demo/pages.ts'
import { createLog } from '../server/platform/watching/log.ts'
import { manualClock } from '../server/platform/clock.ts'
import type { Call } from '../server/platform/http/call.ts'
import { prepared, sql, type Database } from '../server/platform/database/database.ts'
import { readSealed, SEALED_COLUMNS } from '../server/platform/secrets/sealed-columns.ts'
import { UnknownSecret, type Sealer } from '../server/platform/secrets/sealing.ts'
import { cloneDatabase } from './database.ts'
import { connect, type Engine } from './engine.ts'
import { TEST_NOW, TEST_SEALER } from './worlds/constants.ts'

export { TEST_NOW, TEST_SEALER, unique } from './worlds/constants.ts'

export interface Answer {
  status: number
  headers: Headers
  /** The parsed JSON body. */
  body: any // oxlint-disable-line typescript/no-explicit-any -- a test looks at answers of every shape
}

/** One browser profile: its cookies stay from call to call. */
export interface Browser {
  /** Calls below /api and answers whatever came back. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  delete(path: string): Promise<Answer>
  /** The typed client of the contract; throws the body of anything but a 2xx. */
  api: Client<Api>
  cookies: Map<string, string>
  /**
   * The password with which the admin at this browser proves who they are when the store asks, as the panel's dialog
   * does. The one place where tests prove themselves; absent where a test is about the asking.
   */
  provesWith?: string | undefined
}

export interface TestStore {
  url: string
  databaseName: string
  db: Database
  app: App
  clock: ReturnType<typeof manualClock>
  browser(): Browser
}

export interface StoreOptions {
  poolSize?: number
  now?: string
  rateLimitScale?: number
  /** As behind HTTPS. */
  secure?: boolean
  trustProxy?: string[] | boolean
  metricsToken?: string
  publicOrigin?: string
  /** Servers of the test that the store sends messages to. */
  testOrigins?: readonly string[]
  telegramUrl?: string
  /** As the demo of it. */
  demo?: DemoExtras
  /** The folder of the pages. Without it there is only the API. */
  webDirectory?: string
  log?: Logger
  /** Seals and opens; TEST_SEALER when absent. */
  sealer?: (db: Database) => Promise<Sealer>
}

/**
 * In a run of the whole suite every store logs all it can, and the logs are searched for secrets (scripts/test.mjs).
 */
function suiteLog(): Logger {
  const traces = process.env.TEST_TRACES
  if (traces === undefined) return pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' })
  return createLog('debug', pino.destination({ dest: path.join(traces, `vitest-${process.pid}.log`), append: true }))
}

export async function startStore(
  engine: Engine,
  options: StoreOptions = {},
): Promise<TestStore & { stop(): Promise<void> }> {
  const { db, name, drop } = await cloneDatabase(engine, { poolSize: options.poolSize ?? 16 })
  const clock = manualClock(options.now ?? TEST_NOW)
  const { app, url } = await startNode(db, clock, options)
  return {
    url,
    databaseName: name,
    db,
    app,
    clock,
    browser: () => openBrowser(url),
    async stop() {
      await app.close()
      const strays = await findStrays(db, app.services.sealer).catch((error: unknown) => {
        // A test of an outage has taken the database away
        if (error instanceof Refusal && error.code === 'SERVICE_UNAVAILABLE') return []
        throw error
      })
      await drop()
      if (strays.length > 0) throw new Error(`Encrypted for another row than its own: ${strays.join(', ')}`)
    },
  }
}

/** Each feature must bind a value to the row that the list of encrypted columns names. */
async function findStrays(db: Database, sealer: Sealer): Promise<string[]> {
  const strays: string[] = []
  for (const column of SEALED_COLUMNS)
    for (const { key, row, sealed } of await readSealed(
      db,
      column,
      sql`length(${prepared(column.column)}) > 0 limit 100`,
    ))
      try {
        sealer.open(column.purpose, row, sealed)
      } catch (error) {
        if (!(error instanceof UnknownSecret)) strays.push(`${column.table}.${column.column} of ${key}`)
      }
  return strays
}

async function startNode(
  db: Database,
  clock: TestStore['clock'],
  {
    rateLimitScale = 1_000,
    secure = false,
    trustProxy = false,
    log = suiteLog(),
    metricsToken,
    publicOrigin,
    testOrigins,
    telegramUrl,
    webDirectory,
    demo,
    sealer = () => Promise.resolve(TEST_SEALER),
  }: StoreOptions,
): Promise<{ app: App; url: string }> {
  const app = await createApp({
    db,
    clock,
    sealer: await sealer(db),
    log,
    rateLimitScale,
    secure,
    publicOrigin,
    telegramUrl,
    ...(testOrigins && { testOrigins }),
    trustProxy,
    metricsToken,
    ...(webDirectory !== undefined && { webDirectory }),
    ...(demo && { demo }),
    strict: true,
  })
  return { app, url: await app.http.listen({ port: 0, host: '127.0.0.1' }) }
}

/** A second node on the store's database, with connections and memory of its own. */
export async function withSecondNode<T>(
  store: TestStore,
  work: (node: { url: string }) => Promise<T>,
  options: StoreOptions = {},
): Promise<T> {
  const db = connect(inject('engine'), store.databaseName, options.poolSize ?? 16)
  const { app, url } = await startNode(db, store.clock, options)
  try {
    return await work({ url })
  } finally {
    await app.close()
    await db.close()
  }
}

/** A browser that shows the same cookies, as they are now: as a thief would, or by another node's address. */
export function copyOf(url: string, { cookies }: Browser): Browser {
  const copy = openBrowser(url)
  for (const [name, value] of cookies) copy.cookies.set(name, value)
  return copy
}

/** The cookies of a call that a test makes itself; those written are lost. */
export const showing = (cookies: ReadonlyMap<string, string> = new Map()): Call['cookies'] => ({
  read: (name) => cookies.get(name),
  all: (name) => [cookies.get(name) ?? []].flat(),
  plain: () => [],
  write: () => {},
  clear: () => {},
})

export async function withStore<T>(work: (store: TestStore) => Promise<T>, options: StoreOptions = {}): Promise<T> {
  const store = await startStore(inject('engine'), options)
  try {
    return await work(store)
  } finally {
    await store.stop()
  }
}

/** An answer that isn't JSON, such as a downloaded list, stays a text. */
function readBody(text: string, headers: Headers): unknown {
  if (text === '') return undefined
  return headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text
}

interface Overheard {
  method: string
  path: string
  status: number
  headers: Headers
  text: string
}
type Listener = (answer: Overheard, cookies: ReadonlyMap<string, string>) => void
const listeners = new Set<Listener>()

/** Tells of every answer to a browser of this process, while `work` goes on. */
export async function overhearing<T>(listener: Listener, work: () => Promise<T>): Promise<T> {
  listeners.add(listener)
  try {
    return await work()
  } finally {
    listeners.delete(listener)
  }
}

/** The value of every cookie that a store of this process has set. */
const issued = new Set<string>()

/** No answer to anyone holds a session's token or a password, whatever was asked (security.md: 16.2.5, 3.3.4). */
function refuseLeaks(text: string, call: string): void {
  const token = text.match(/(?<![\w-])[\w-]{43}(?![\w-])/g)?.find((word) => issued.has(word))
  if (token !== undefined || CANARIES.password.test(text))
    throw new Error(`The answer to ${call} holds a secret: ${text}`)
}

export function openBrowser(url: string): Browser {
  const cookies = new Map<string, string>()
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      const name = pair.slice(0, at)
      const value = pair.slice(at + 1)
      issued.add(value)
      if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const text = await response.text()
    refuseLeaks(text, `${method} ${path}`)
    for (const listener of listeners)
      listener({ method, path, status: response.status, headers: response.headers, text }, cookies)
    return { status: response.status, headers: response.headers, body: readBody(text, response.headers) }
  }
  let proving: Promise<Answer> | undefined
  const call: typeof send = async (...request) => {
    const answer = await send(...request)
    const { provesWith: password } = browser
    if (password === undefined || answer.body?.code !== 'STEP_UP_REQUIRED') return answer
    // One proof for calls of the same moment, because each gives the session another token
    proving ??= send('POST', '/admin/step-up', { password }).finally(() => (proving = undefined))
    await proving
    return send(...request)
  }
  const browser: Browser = {
    call,
    get: (path) => call('GET', path),
    post: (path, body, headers) => call('POST', path, body, headers),
    put: (path, body, headers) => call('PUT', path, body, headers),
    delete: (path) => call('DELETE', path),
    api: createClient<Api>(endpointTable(api), async ({ method, url: path, body, options }) => {
      const answer = await call(
        method,
        path,
        body,
        options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey },
      )
      if (answer.status >= 300)
        throw Object.assign(new Error(answer.body?.message), answer.body, { status: answer.status })
      return answer.body
    }),
    cookies,
  }
  return browser
}

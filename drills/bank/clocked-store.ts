/** A store in this process, with a clock that the drill moves, asked as over HTTP. */
import { pino } from 'pino'
import { Refusal } from '../../contract/errors.ts'
import { createApp, type App } from '../../server/app.ts'
import { ensureFirstAdmin } from '../../server/admins/first-admin.ts'
import { settleLeft } from '../../server/bank/matching/follow-payments.ts'
import { settle } from '../../server/bank/matching/settle.ts'
import { manualClock } from '../../server/platform/clock.ts'
import { sql, type Database, type Sql } from '../../server/platform/database/database.ts'
import { hashToken, newId, newToken } from '../../server/platform/ids.ts'
import { administer, clone, connect, type Engine } from '../../test/engine.ts'
import { TEST_SEALER, unique } from '../../test/worlds/constants.ts'
import { patiently } from '../../test/patiently.ts'
import { seedUsers } from '../../test/worlds/seed.ts'
import { HOUR } from './month.ts'

/** No month comes near a limit of calls. */
const RATE_LIMIT_SCALE = 1_000_000
const TAIL = '5678'
/** Less than an admin's session lasts without a call. */
const SESSIONS_LAST_MS = 6 * HOUR
const ADMINS = sql`admin_sessions`
const USERS = sql`user_sessions`

export interface Answer {
  status: number
  body: any // oxlint-disable-line typescript/no-explicit-any -- answers of every shape
}

/**
 * ICICI's rows hold the payer's note before the reference. Its store has no phone, so that only statements decide. The
 * alerts of `mixed` come from HDFC, but are read, proposed and hints as often as the samples of India's banks are. Some
 * come from a sender that the owner has added.
 */
export type Bank = 'HDFC' | 'ICICI' | 'mixed'

export interface ClockedStore {
  db: Database
  accountId: string
  bank: Bank
  now(): number
  /** Moves the clock, and keeps everybody logged in. */
  moveTo(at: number): Promise<void>
  /** The owner proves who they are where the store asks for it. */
  asOwner(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Answer>
  /** @throws Error for anything but a 2xx */
  sure(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Answer['body']>
  as(username: string, path: string, body: object): Promise<Answer>
  /** Sends an alert with the present phone's token. */
  say(body: object): Promise<Answer>
  /** Disconnects the phone and connects another. */
  newPhone(): Promise<void>
  /** Settles what has this reference; without one, what is left, as the store does each minute. */
  settle(ref?: string): Promise<void>
  stop(): Promise<void>
}

export async function openClockedStore(
  engine: Engine,
  { people, at, bank }: { people: readonly string[]; at: number; bank: Bank },
): Promise<ClockedStore> {
  const name = unique('chaabi_month_')
  await clone(engine, name)
  const db = connect(engine, name)
  const clock = manualClock(new Date(at))
  const app = await createApp({
    db,
    clock,
    sealer: TEST_SEALER,
    log: pino({ level: 'silent' }),
    rateLimitScale: RATE_LIMIT_SCALE,
    secure: false,
    publicOrigin: 'https://store.example',
    trustProxy: false,
    strict: true,
  })
  const ownerToken = newToken()
  const sessions = new Map(people.map((username) => [username, { token: newToken(), device: newToken() }]))
  await openSessions(db, { ownerToken, sessions, now: clock.now() })

  const ask = async (method: string, path: string, headers: Record<string, string>, body?: object): Promise<Answer> => {
    const sent = { method: method as 'GET', url: `/api${path}`, headers }
    return patiently(async () => {
      const response = await app.http.inject(body === undefined ? sent : { ...sent, payload: body })
      if (response.statusCode === 503) throw new Refusal('SERVICE_UNAVAILABLE')
      return { status: response.statusCode, body: response.json() }
    })
  }
  let keptAt = at
  let phoneToken = ''
  let phoneId: string | undefined
  const asOwner: ClockedStore['asOwner'] = async (method, path, body) => {
    const answer = await ask(method, path, { cookie: `chaabi_admin=${ownerToken}` }, body)
    if (answer.body.code !== 'STEP_UP_REQUIRED') return answer
    await patiently(() => keepSessions(db, clock.now(), [ADMINS]))
    return ask(method, path, { cookie: `chaabi_admin=${ownerToken}` }, body)
  }
  const sure: ClockedStore['sure'] = async (method, path, body) => {
    const answer = await asOwner(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  await sure('PUT', '/settings/upi', { upiId: 'shop@okaxis', paymentEnabled: true })
  const account = { bank: bank === 'ICICI' ? bank : 'HDFC', label: 'Shop', tail: TAIL, feedsStore: true }
  const { _id: accountId } = (await sure('POST', '/bank/accounts', account)) as { _id: string }
  return {
    db,
    accountId,
    bank,
    now: () => clock.now().getTime(),
    async moveTo(to) {
      clock.set(new Date(to))
      if (to - keptAt < SESSIONS_LAST_MS) return
      keptAt = to
      await patiently(() => keepSessions(db, clock.now(), [ADMINS, USERS]))
    },
    asOwner,
    sure,
    as(username, path, body) {
      const { token = '', device = '' } = sessions.get(username) ?? {}
      return ask('POST', path, { cookie: `chaabi_session=${token}; chaabi_device=${device}` }, body)
    },
    say: (body) => ask('POST', '/bank/alerts', { authorization: `Bearer ${phoneToken}` }, body),
    async newPhone() {
      if (phoneId !== undefined) await sure('PUT', `/bank/devices/${phoneId}`, { ended: true })
      const { code } = await sure('POST', '/bank/devices', { name: 'Till', accountIds: [accountId] })
      const { body } = await ask('POST', '/bank/devices/pair', {}, { code })
      phoneToken = body.token
      phoneId = body.device._id
    },
    async settle(ref) {
      await patiently(() => (ref === undefined ? settleLeft(app.services) : settle(app.services, [ref])))
    },
    stop: () => close(app, db, () => administer(engine.connection, `drop database if exists ${name} with (force)`)),
  }
}

interface Opened {
  ownerToken: string
  sessions: ReadonlyMap<string, { token: string; device: string }>
  now: Date
}

async function openSessions(db: Database, { ownerToken, sessions, now }: Opened): Promise<void> {
  await ensureFirstAdmin(db, { username: 'owner', password: 'a long owner password' }, now)
  await db.run(sql`
    insert into admin_sessions (token_hash, admin_id, created_at, last_active_at, proven_at)
    select ${hashToken(ownerToken)}, id, ${now}, ${now}, ${now} from admins`)
  const users = [...sessions].map(([username, session]) => ({ id: newId(), username, session }))
  await seedUsers(db, users, { now })
}

async function keepSessions(db: Database, now: Date, tables: readonly Sql[]): Promise<void> {
  for (const table of tables) await db.run(sql`update ${table} set created_at = ${now}, last_active_at = ${now}`)
  await db.run(sql`update admin_sessions set proven_at = ${now}`)
}

async function close(app: App, db: Database, drop: () => Promise<void>): Promise<void> {
  await app.close()
  await db.close()
  await drop()
}

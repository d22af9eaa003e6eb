/** The device rule, over HTTP, against a short state machine. */
import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { HOUR_MS, MINUTE_MS } from '../../contract/time.ts'
import { withStore, type TestStore } from '../../test/store.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { sql } from '../platform/database/database.ts'
import { hashToken, newId, newToken } from '../platform/ids.ts'

/** Minutes of the events: a reset may be too early or not, and a dead session may log out under a new lock. */
const AT_MINUTES = [0, 25, 38, 51, 64, 77].map((hours) => hours * 60)
/** With pauses within and beyond the two minutes of a lock whose device has shown nothing. */
const SOON_AT_MINUTES = [0, 1, 2, 25 * 60, 25 * 60 + 1, 38 * 60]

type Device = 'A' | 'B'
type Event = `${'login' | 'logout' | 'reset' | 'me'} ${Device}`
const EVENTS: readonly Event[] = ['login A', 'login B', 'logout A', 'reset B', 'me A', 'me B']

/** A browser's session: none, an open one, or one that a reset or a newer login has ended. */
type Held = 'none' | 'standing' | 'ended'

/** The rule in a few lines. */
class Rule {
  readonly held: Record<Device, Held> = { A: 'none', B: 'none' }
  /** A lock without a shown cookie holds for two minutes from its login. */
  lock: { device: Device; atMs: number; unshownMs: number | undefined } | undefined

  /** @param known the devices whose browser has the device cookie */
  constructor(readonly known: Set<Device>) {}

  copy(): Rule {
    const copy = new Rule(new Set(this.known))
    Object.assign(copy.held, this.held)
    copy.lock = this.lock && { ...this.lock }
    return copy
  }

  /** @returns the code of a refusal, or "ok" */
  answer(event: Event, atMs: number): string {
    const { held, lock, known } = this
    const [what, device] = event.split(' ') as [string, Device]
    switch (what) {
      case 'login':
        if (lock?.device === device && known.has(device)) lock.unshownMs = undefined
        else if (lock && !this.isLapsed(atMs)) return 'DEVICE_ALREADY_LOGGED_IN'
        else {
          const isShown = known.has(device)
          // Taken from a device that showed nothing, whose session ends
          if (lock && held[lock.device] === 'standing') held[lock.device] = 'ended'
          this.lock = { device, atMs: isShown ? atMs : (lock?.atMs ?? atMs), unshownMs: isShown ? undefined : atMs }
        }
        held[device] = 'standing'
        known.add(device)
        return 'ok'
      case 'logout':
        if (held[device] === 'standing') this.lock = undefined
        held[device] = 'none'
        return 'ok'
      case 'reset':
        if (!lock) return 'NO_DEVICE_LOCK'
        if (!this.isLapsed(atMs) && atMs - lock.atMs < 24 * HOUR_MS) return 'RESET_COOLDOWN'
        if (held[lock.device] === 'standing') held[lock.device] = 'ended'
        this.lock = undefined
        return 'ok'
      default:
        if (held[device] === 'none') return 'NO_SESSION'
        if (held[device] === 'standing') {
          if (lock) lock.unshownMs = undefined
          return 'ok'
        }
        return lock && lock.device !== device ? 'DEVICE_MISMATCH' : 'SESSION_EXPIRED'
    }
  }

  isLapsed(atMs: number): boolean {
    return this.lock?.unshownMs !== undefined && atMs - this.lock.unshownMs >= 2 * MINUTE_MS
  }
}

/** An account and its two browsers after some events, with the number of orders that lead there. */
interface World {
  username: string
  /** One of the orders. */
  events: readonly Event[]
  orders: number
  rule: Rule
  jars: Record<Device, Map<string, string>>
}

/**
 * Goes through every order of the six events, without starting each from its beginning. After each step, it joins
 * the worlds that no request can tell apart: the account's row, the sessions with a cookie in a browser, the
 * cookies, and the rule's answer. Their later answers can't differ, because all of it happens within a session's
 * idle time. Each world tries each event on its own account, a copy of its rows.
 */
// Found three planted bugs: a login that ignores the lock, a logout that frees the lock of a dead session, and a
// reset that leaves the session open.
for (const [who, hasCookie, minutes] of [
  ['browsers that opened a page', true, AT_MINUTES],
  ['clients without cookies until a login', false, SOON_AT_MINUTES],
] as const)
  test(`v5.0.0-7.1.2 every order of up to six events of ${who} is answered as the rule says`, () =>
    withStore(async (store) => {
      // Uses the cheapest hash, because the test logs in thousands of times
      const passwordHash = await hash('correct', { memoryCost: 8, timeCost: 1, parallelism: 1 })
      const jar = () => new Map(hasCookie ? [['chaabi_device', newToken()]] : [])
      const rule = new Rule(new Set(hasCookie ? ['A', 'B'] : []))
      let worlds: World[] = [{ username: 'beginning', events: [], orders: 1, rule, jars: { A: jar(), B: jar() } }]
      await givenUser(store, 'beginning', passwordHash)
      const wrong: string[] = []
      const orders: number[] = []

      for (const minute of minutes) {
        const atMs = new Date(TEST_NOW).getTime() + minute * MINUTE_MS
        store.clock.set(new Date(atMs))
        const next = await branch(store, worlds)
        await inParallel(next, async ({ events, username, rule, jars }) => {
          const event = events.at(-1) ?? 'me A'
          const answer = await act(store, event, username, event.endsWith('A') ? jars.A : jars.B)
          const expected = rule.answer(event, atMs)
          if (answer !== expected) wrong.push(`${events.join(', ')}: ${answer}, not ${expected}`)
        })
        worlds = await merge(store, next, wrong)
        orders.push(worlds.reduce((sum, world) => sum + world.orders, 0))
        if (wrong.length > 0) break
      }

      expect(wrong.slice(0, 10)).toEqual([])
      expect(orders).toEqual(minutes.map((_, length) => EVENTS.length ** (length + 1)))
    }))

let accounts = 0

/** Copies each world once for each event that may come next, each on its own account. */
async function branch({ db }: TestStore, worlds: readonly World[]): Promise<World[]> {
  const users: { id: string; name: string; from: string }[] = []
  const sessions: { userId: string; before: Buffer; hash: Buffer }[] = []
  const next = worlds.flatMap((world) =>
    EVENTS.map((event) => {
      const id = newId()
      const username = `user${++accounts}`
      users.push({ id, name: username, from: world.username })
      const copy = (jar: Map<string, string>) => {
        const own = new Map(jar)
        const token = jar.get('chaabi_session')
        if (token !== undefined) {
          const another = newToken()
          own.set('chaabi_session', another)
          sessions.push({ userId: id, before: hashToken(token), hash: hashToken(another) })
        }
        return own
      }
      const jars = { A: copy(world.jars.A), B: copy(world.jars.B) }
      return { ...world, username, events: [...world.events, event], rule: world.rule.copy(), jars }
    }),
  )
  await db.run(sql`
    insert into users (id, email, username, password_hash, referral_code, device_hash, locked_at, unshown_since,
                       terms_accepted_at, created_at)
    select copy.id, copy.name || '@example.in', copy.name, password_hash, referral_code, device_hash, locked_at,
           unshown_since, terms_accepted_at, created_at
      from unnest(${users.map((each) => each.id)}::uuid[], ${users.map((each) => each.name)}::text[],
                  ${users.map((each) => each.from)}::text[]) as copy (id, name, origin)
      join users on users.username = copy.origin`)
  await db.run(sql`
    insert into user_sessions (token_hash, user_id, device_hash, created_at, last_active_at, ended_at, end_reason)
    select copy.hash, copy.user_id, device_hash, created_at, last_active_at, ended_at, end_reason
      from unnest(${sessions.map((each) => each.hash)}::bytea[], ${sessions.map((each) => each.userId)}::uuid[],
                  ${sessions.map((each) => each.before)}::bytea[]) as copy (hash, user_id, origin)
      join user_sessions on user_sessions.token_hash = copy.origin`)
  return next
}

const StoredUser = z.object({
  username: z.string(),
  deviceHash: z.nullable(z.instanceof(Buffer)),
  lockedAt: z.nullable(z.date()),
  unshownSince: z.nullable(z.date()),
  /** Open sessions. */
  open: z.number(),
})
const StoredSession = z.object({
  hash: z.instanceof(Buffer),
  deviceHash: z.instanceof(Buffer),
  endReason: z.nullable(z.string()),
})

/** Joins the worlds that no request can tell apart, and checks that each is stored as the rule says. */
async function merge({ db }: TestStore, worlds: readonly World[], wrong: string[]): Promise<World[]> {
  const names = worlds.map((world) => world.username)
  const users = new Map(
    (
      await db.rows(sql(StoredUser)`
        select username, device_hash as "deviceHash", locked_at as "lockedAt", unshown_since as "unshownSince",
               (select count(*) from user_sessions where user_id = users.id and ended_at is null) as open
          from users where username = any(${names})`)
    ).map((user) => [user.username, user]),
  )
  const sessions = new Map(
    (
      await db.rows(sql(StoredSession)`
        select token_hash as hash, session.device_hash as "deviceHash", end_reason as "endReason"
          from user_sessions session join users on users.id = session.user_id where username = any(${names})`)
    ).map((session) => [session.hash.toString('hex'), session]),
  )
  const merged = new Map<string, World>()
  for (const world of worlds) {
    const { jars, rule, events } = world
    const user = users.get(world.username)
    const nameOf = (deviceHash: Buffer | null | undefined) =>
      (['A', 'B'] as const).find((device) => {
        const token = jars[device].get('chaabi_device')
        return token !== undefined && deviceHash && hashToken(token).equals(deviceHash)
      }) ?? (deviceHash ? 'unknown' : 'free')
    const held = (device: Device) => {
      const token = jars[device].get('chaabi_session')
      const session = token === undefined ? undefined : sessions.get(hashToken(token).toString('hex'))
      return [
        jars[device].has('chaabi_device'),
        session && { ...session, hash: 0, deviceHash: nameOf(session.deviceHash) },
      ]
    }
    const lock = nameOf(user?.deviceHash)
    if (lock !== (rule.lock?.device ?? 'free')) wrong.push(`${events.join(', ')}: the lock is ${lock}`)
    const standing = (['A', 'B'] as const).filter((device) => rule.held[device] === 'standing').length
    if (user?.open !== standing) wrong.push(`${events.join(', ')}: ${user?.open} sessions stand, not ${standing}`)
    const state = JSON.stringify([
      lock,
      user?.lockedAt,
      user?.unshownSince,
      held('A'),
      held('B'),
      rule.held,
      rule.lock,
      [...rule.known].sort(),
    ])
    const same = merged.get(state)
    if (same) same.orders += world.orders
    else merged.set(state, world)
  }
  return [...merged.values()]
}

async function givenUser({ db }: TestStore, username: string, passwordHash: string): Promise<void> {
  await db.run(sql`
    insert into users (id, email, username, password_hash, referral_code, terms_accepted_at, created_at)
    values (${newId()}, ${`${username}@example.in`}, ${username}, ${passwordHash}, 'WELCOME', ${TEST_NOW},
            ${TEST_NOW})`)
}

async function act(store: TestStore, event: Event, username: string, jar: Map<string, string>): Promise<string> {
  const [what] = event.split(' ')
  const credentials = { username, password: 'correct' }
  const [method, path, body] =
    what === 'login'
      ? (['POST', 'login', credentials] as const)
      : what === 'logout'
        ? (['POST', 'logout', undefined] as const)
        : what === 'reset'
          ? (['POST', 'reset-device-lock', credentials] as const)
          : (['GET', 'me', undefined] as const)
  const answer = await store.app.http.inject({
    method,
    url: `/api/auth/${path}`,
    headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    ...(body ? { payload: body } : {}),
  })
  for (const { name, value } of answer.cookies) {
    if (value === '') jar.delete(name)
    else jar.set(name, value)
  }
  return answer.statusCode === 200 ? 'ok' : answer.json<{ code: string }>().code
}

async function inParallel<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const waiting = all[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      for (const each of waiting) await work(each)
    }),
  )
}

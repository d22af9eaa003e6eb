/** The device rule, over HTTP, against a state machine that fits on one screen. */
import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { withStore, type TestStore } from '../../test/store.ts'
import { TEST_NOW } from '../../test/world.ts'
import { sql } from '../platform/database.ts'
import { hashToken } from '../platform/ids.ts'

const HOUR_MS = 3_600_000
/** When the events happen: a reset may come too early or not, and a dead session may log out under a new lock. */
const AT_HOURS = [0, 25, 38, 51, 64, 77, 90, 103, 116] as const

type Device = 'A' | 'B'
type Event = `${'login' | 'logout' | 'reset' | 'me'} ${Device}`
const EVENTS: readonly Event[] = ['login A', 'login B', 'logout A', 'reset B', 'me A', 'me B']

/** What a browser holds: no session, one that stands, or one that a reset or a newer login has ended. */
type Held = 'none' | 'standing' | 'ended'

/** The rule as one would tell it. */
class Rule {
  readonly held: Record<Device, Held> = { A: 'none', B: 'none' }
  lock: { device: Device; atMs: number } | undefined

  /** @returns the code of a refusal, or "ok" */
  answer(event: Event, atMs: number): string {
    const { held, lock } = this
    const [what, device] = event.split(' ') as [string, Device]
    switch (what) {
      case 'login':
        if (lock && lock.device !== device) return 'DEVICE_ALREADY_LOGGED_IN'
        this.lock ??= { device, atMs }
        held[device] = 'standing'
        return 'ok'
      case 'logout':
        if (held[device] === 'standing') this.lock = undefined
        held[device] = 'none'
        return 'ok'
      case 'reset':
        if (!lock) return 'NO_DEVICE_LOCK'
        if (atMs - lock.atMs < 24 * HOUR_MS) return 'RESET_COOLDOWN'
        if (held[lock.device] === 'standing') held[lock.device] = 'ended'
        this.lock = undefined
        return 'ok'
      default:
        if (held[device] === 'none') return 'NO_SESSION'
        if (held[device] === 'standing') return 'ok'
        return lock && lock.device !== device ? 'DEVICE_MISMATCH' : 'SESSION_EXPIRED'
    }
  }
}

function everyOrder(length: number): Event[][] {
  if (length === 0) return [[]]
  return everyOrder(length - 1).flatMap((before) => EVENTS.map((event) => [...before, event]))
}

/** The same ones in every run. */
function longOrders(count: number): Event[][] {
  let state = 7
  const dice = () => (state = (state * 48_271) % 2_147_483_647)
  return Array.from({ length: count }, () =>
    AT_HOURS.map(() => EVENTS[dice() % EVENTS.length]).filter((event) => event !== undefined),
  )
}

// Planted once and found, each of them: a login that looks at no lock, a logout that frees the lock of a dead
// session, a reset that leaves the session standing.
test('every order of four events, and many of nine, is answered as the rule says', { timeout: 120_000 }, () =>
  withStore(async (store) => {
    // The cheapest hash that there is: it is the rule that is tried, 6,000 times
    const passwordHash = await hash('correct', { memoryCost: 8, timeCost: 1, parallelism: 1 })
    const worlds = [...everyOrder(4), ...longOrders(100)].map((events, index) => ({
      events,
      username: `user${index}`,
      rule: new Rule(),
      jars: { A: new Map<string, string>(), B: new Map<string, string>() },
    }))
    await givenUsers(
      store,
      worlds.map((world) => world.username),
      passwordHash,
    )
    const wrong: string[] = []

    for (const [step, hours] of AT_HOURS.entries()) {
      const atMs = new Date(TEST_NOW).getTime() + hours * HOUR_MS
      store.clock.set(new Date(atMs))
      await inParallel(worlds, async ({ events, username, rule, jars }) => {
        const event = events[step]
        if (!event) return
        const answer = await act(store, event, username, event.endsWith('A') ? jars.A : jars.B)
        const expected = rule.answer(event, atMs)
        if (answer !== expected) wrong.push(`${events.slice(0, step + 1).join(', ')}: ${answer}, not ${expected}`)
      })
    }
    const locks = await readLocks(store)
    for (const { events, username, rule, jars } of worlds) {
      const token = rule.lock && jars[rule.lock.device].get('chaabi_device')
      const expected = token === undefined ? null : hashToken(token)
      const stored = locks.get(username) ?? null
      if (stored === null ? expected !== null : !expected?.equals(stored))
        wrong.push(`${events.join(', ')}: the lock is not ${rule.lock?.device ?? 'free'}`)
    }

    expect(wrong.slice(0, 10)).toEqual([])
  }),
)

async function readLocks(store: TestStore): Promise<Map<string, Buffer | null>> {
  const rows = await store.db.rows(
    z.object({ username: z.string(), deviceHash: z.nullable(z.instanceof(Buffer)) }),
    sql`select username, device_hash as "deviceHash" from users`,
  )
  return new Map(rows.map(({ username, deviceHash }) => [username, deviceHash]))
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

async function givenUsers(store: TestStore, usernames: readonly string[], passwordHash: string): Promise<void> {
  await store.db.run(sql`
    insert into users (id, email, username, password_hash, referral_code, terms_accepted_at, created_at)
    select gen_random_uuid(), name || '@example.in', name, ${passwordHash}, 'WELCOME', ${TEST_NOW}, ${TEST_NOW}
      from unnest(${usernames}::text[]) as name`)
}

async function inParallel<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const waiting = all[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      for (const each of waiting) await work(each)
    }),
  )
}

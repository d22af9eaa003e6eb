import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { USER_SESSION_IDLE_MS } from '../../contract/limits.ts'
import { api } from '../../contract/api.ts'
import { withDatabase } from '../../test/database.ts'
import { OWNER_STANDING } from '../../test/services.ts'
import { givenUser } from '../../test/worlds/given.ts'
import { TEST_NOW, TEST_SEALER } from '../../test/worlds/constants.ts'
import { manualClock } from '../platform/clock.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { createEvents, type Events } from '../platform/events.ts'
import { createHttp, type Call } from '../platform/http/http.ts'
import { hashToken, newId, newToken } from '../platform/ids.ts'
import { createSnapshotCache } from '../platform/database/snapshot-cache.ts'
import { createMetrics } from '../platform/watching/metrics.ts'
import { rateLimits } from '../platform/rate-limits.ts'
import type { Services } from '../platform/services.ts'
import { countStreams, hubOf } from './events-route.ts'

const NOW = new Date(TEST_NOW)

test('a page hears what is its own and what is everyone’s, and nothing of others', () =>
  withStreams(async ({ db, events, open }) => {
    const [ravi, asha] = [await givenUser(db), await givenUser(db)]
    const [hers, his] = [await open(await givenSession(db, asha)), await open(await givenSession(db, ravi))]
    const admins = await open({ admin: await givenAdminSession(db) })

    events.publish({ to: { user: ravi }, name: 'balance', data: { balance: 5 } })
    events.publish({ to: 'admins', name: 'payment', data: { id: 'x' } })
    events.publish({ to: 'everyone', name: 'stock', data: { productId: 'p' } })

    await his.until('stock')
    await hers.until('stock')
    await admins.until('stock')
    expect(his.told()).toEqual(['balance {"balance":5}', 'stock {"productId":"p"}'])
    expect(hers.told()).toEqual(['stock {"productId":"p"}'])
    expect(admins.told()).toEqual(['payment {"id":"x"}', 'stock {"productId":"p"}'])
  }))

test('a page that has just been served is told what came before its stream opened, and nothing of others', () =>
  withStreams(async ({ db, events, open }) => {
    const [ravi, asha] = [await givenUser(db), await givenUser(db)]
    const [hers, his] = [await givenSession(db, asha), await givenSession(db, ravi)]

    const delivered = new Promise<void>((resolve) => events.subscribe(({ name }) => name === 'stock' && resolve()))
    events.publish({ to: { user: ravi }, name: 'balance', data: { balance: 5 } })
    events.publish({ to: 'admins', name: 'bank' })
    events.publish({ to: 'everyone', name: 'stock', data: { productId: 'p' } })
    await delivered
    const [page, other] = [await open(his), await open(hers)]

    await page.until('stock')
    await other.until('stock')
    expect(page.told()).toEqual(['balance {}', 'stock {}'])
    expect(other.told()).toEqual(['stock {}'])
  }))

test('the answer is an event stream that begins with a time to reconnect, and each event has its own id', () =>
  withStreams(async ({ db, events, open }) => {
    const user = await givenUser(db)
    const page = await open(await givenSession(db, user))

    events.publish({ to: { user }, name: 'payment' })
    events.publish({ to: { user }, name: 'balance' })

    await page.until('balance')
    expect(page.response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(page.response.headers['cache-control']).toContain('no-store')
    expect(page.response.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.response.headers['x-content-type-options']).toBe('nosniff')
    expect(page.response.headers['transfer-encoding']).toBeUndefined()
    expect(page.text()).toMatch(/^retry: [1-5]\d{3}\nid: \S+\n\n/)
    const ids = [...page.text().matchAll(/^id: (\S+)$/gm)].map((match) => match[1])
    expect(new Set(ids).size).toBe(3)
    expect(page.told()).toEqual(['payment {}', 'balance {}'])
  }))

test('a look at the headers alone is answered and holds nothing', () =>
  withStreams(async ({ db, open }) => {
    const page = await open(await givenSession(db, await givenUser(db)), {}, 'HEAD')

    await page.ended
    expect(page.response.statusCode).toBe(200)
  }))

test('where news may have been missed, a page is told of every kind by the names that clients know', () =>
  withStreams(async ({ db, events, open }) => {
    const every = ['balance {}', 'stock {}', 'bank {}', 'payment {}', 'claim {}', 'settings {}']
    const token = await givenSession(db, await givenUser(db))

    const comeBack = await open(token, { 'last-event-id': 'abc-7' })
    await comeBack.until('settings')
    expect(comeBack.told()).toEqual(every)

    const page = await open(token)
    events.publish({ to: 'everyone', name: 'sync' })
    await page.until('settings')
    expect(page.told()).toEqual(every)
  }))

test('the same news told many times in a moment are told once, and too many news by their name alone', () =>
  withStreams(async ({ db, events, open }) => {
    const page = await open(await givenSession(db, await givenUser(db)))

    for (let i = 0; i < 200; i++) events.publish({ to: 'everyone', name: 'stock', data: { productId: `p${i % 3}` } })
    await page.until('p2')
    expect(page.told()).toHaveLength(3)

    for (let i = 0; i < 200; i++) events.publish({ to: 'everyone', name: 'stock', data: { productId: `q${i}` } })
    await page.until('event: stock\ndata: {}')
    expect(page.told().at(-1)).toBe('stock {}')
  }))

test('events of another process arrive, and strange messages on the channel do no harm', () =>
  withStreams(async ({ db, open }) => {
    const user = await givenUser(db)
    const page = await open(await givenSession(db, user))
    const ended = new AbortController()
    const elsewhere = createEvents(db, ended.signal)

    for (const strange of ['', '{', 'null', '[]', '{"from":1,"events":[]}', '{"from":"x","events":[null]}'])
      await db.run(sql`select pg_notify('chaabi_events', ${strange})`)
    elsewhere.publish({ to: { user }, name: 'stock', data: { productId: 'a'.repeat(9_000) } })
    elsewhere.publish({ to: { user }, name: 'payment' })

    await page.until('payment')
    // What does not fit a notification is sent without its details
    expect(page.told()).toEqual(['stock {}', 'payment {}'])
    ended.abort()
  }))

test('a session that ends with a word ends its streams at once, and those of no other session', () =>
  withStreams(async ({ db, events, open }) => {
    const user = await givenUser(db)
    const [old, current] = [await givenSession(db, user), await givenSession(db, user)]
    const [oldPage, currentPage] = [await open(old), await open(current)]

    await endSession(db, old, 'reset')
    events.publish({ to: { user }, name: 'session-ended' })

    await oldPage.ended
    expect(oldPage.told()).toEqual(['session-ended {}'])
    await sleep(100)
    expect(currentPage.told()).toEqual([])
    expect(currentPage.isOpen()).toBe(true)
  }))

// These two wait for several seconds, so they do it together
test.concurrent('a session that ends silently ends its streams within five seconds, and so does a closed account', () =>
  withStreams(async ({ db, open }) => {
    const [user, closed] = [await givenUser(db), await givenUser(db)]
    const token = await givenSession(db, user)
    const pages = [
      await open(token),
      await open(await givenSession(db, closed)),
      await open({ admin: await givenAdminSession(db, 'disabled') }),
    ]
    const admin = await open({ admin: await givenAdminSession(db) })
    const started = performance.now()

    await endSession(db, token, 'logout')
    await db.run(sql`update users set deleted_at = ${NOW} where id = ${closed}`)
    await db.run(sql`update admins set disabled_at = ${NOW} where username = 'disabled'`)

    await Promise.all(pages.map((page) => page.ended))
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(admin.isOpen()).toBe(true)
  }))

test.concurrent('a session that grows too old ends its streams', () =>
  withStreams(async ({ db, clock, open }) => {
    const page = await open(await givenSession(db, await givenUser(db)))

    clock.advance(USER_SESSION_IDLE_MS)

    await page.ended
    expect(page.told()).toEqual(['session-ended {}'])
  }))

test('who has no session, or comes from another site, gets no stream', () =>
  withStreams(async ({ db, open }) => {
    const token = await givenSession(db, await givenUser(db))

    const visitor = await open('nobody')
    const stranger = await open(token, { 'sec-fetch-site': 'cross-site' })
    const foreigner = await open(token, { origin: 'https://elsewhere.example' })

    expect(visitor.response.statusCode).toBe(401)
    expect(stranger.response.statusCode).toBe(403)
    expect(foreigner.response.statusCode).toBe(403)
  }))

test('a session holds twenty streams and no more', () =>
  withStreams(async ({ db, open }) => {
    const token = await givenSession(db, await givenUser(db))
    const pages = await Promise.all(Array.from({ length: 20 }, () => open(token)))

    const refused = await open(token)
    expect(refused.response.statusCode).toBe(429)
    expect(Number(refused.response.headers['retry-after'])).toBeGreaterThan(0)

    pages[0]?.leave()
    await expect.poll(async () => (await open(token)).response.statusCode).toBe(200)
  }))

test('the store’s end ends every stream, and does not wait for them', () =>
  withStreams(async ({ db, open, close }) => {
    const page = await open(await givenSession(db, await givenUser(db)))
    const started = performance.now()

    await close()

    await page.ended
    expect(performance.now() - started).toBeLessThan(2_000)
  }))

test('opening a stream and holding it leaves the session as it was', () =>
  withStreams(async ({ db, open, asked }) => {
    await open(await givenSession(db, await givenUser(db)))

    expect(asked()).toEqual([{ active: false }])
  }))

test('who leaves while the session is looked at leaves no stream behind', () =>
  withStreams(async ({ db, events, port, open }) => {
    const token = await givenSession(db, await givenUser(db))

    for (let n = 0; n < 25; n++) {
      const socket = connect(port, '127.0.0.1')
      socket.write(requestOf(token), () => socket.destroy())
    }
    await sleep(500)

    expect(countStreams(events)).toBe(0)
    expect((await open(token)).response.statusCode).toBe(200)
  }))

test('a stream that is asked for behind another request on one connection begins after its answer', () =>
  withStreams(async ({ db, port }) => {
    const token = await givenSession(db, await givenUser(db))
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setEncoding('utf8').on('data', (part: string) => (text += part))

    socket.write(requestOf(SLOW) + requestOf(token))

    await expect.poll(() => text).toMatch(/^HTTP\/1.1 401 .*HTTP\/1.1 200 .*\r\n\r\nretry: \d{4}\n/s)
    socket.destroy()
  }))

/** A session that takes its time to be looked up, and doesn't exist. */
const SLOW = 'slow'

function requestOf(token: string): string {
  return `GET /api/events HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: chaabi_session=${token}\r\n\r\n`
}

interface Page {
  response: IncomingMessage
  text(): string
  /** What has been sent, as "name data". */
  told(): string[]
  /** Until the text holds this. */
  until(text: string): Promise<void>
  ended: Promise<void>
  isOpen(): boolean
  leave(): void
}

interface World {
  db: Database
  clock: ReturnType<typeof manualClock>
  events: Events
  open(who: string | { admin: string }, headers?: Record<string, string>, method?: 'GET' | 'HEAD'): Promise<Page>
  port: number
  close(): Promise<void>
  asked(): { active: boolean }[]
}

/** A server with nothing but streams, on sessions that are rows. */
async function withStreams(work: (world: World) => Promise<void>): Promise<void> {
  await withDatabase(async (db) => {
    const ended = new AbortController()
    const events = createEvents(db, ended.signal)
    await untilListening(events)
    const clock = manualClock(TEST_NOW)
    const services: Services = {
      db,
      clock,
      sealer: TEST_SEALER,
      events,
      metrics: createMetrics(),
      limits: rateLimits(db, 1_000, clock),
      ended: ended.signal,
    }
    const hub = hubOf(services)
    const asked: { active: boolean }[] = []
    const http: FastifyInstance = await createHttp({
      api: { reports: { events: api.reports.events } },
      handlers: { reports: { events: (_: unknown, call: Call) => hub.open(call) } },
      clock,
      log: pino({ level: 'silent' }),
      cache: createSnapshotCache(db),
      async authenticate(cookies, _now, active) {
        asked.push({ active })
        const [user, admin] = [cookies.read('chaabi_session'), cookies.read('chaabi_admin')]
        if (user === SLOW) await sleep(200)
        return {
          user: user === undefined ? null : await findUser(db, hashToken(user)),
          admin:
            admin === undefined ? null : { id: '', username: '', sessionHash: hashToken(admin), ...OWNER_STANDING },
        }
      },
      limit: async () => ({ settle: async () => {}, isKnown: false }),
      secure: false,
      trustProxy: false,
      strict: true,
    })
    const url = await http.listen({ port: 0, host: '127.0.0.1' })
    const pages: Page[] = []
    const close = async () => {
      ended.abort()
      await http.close()
    }
    try {
      await work({
        db,
        clock,
        events,
        port: Number(new URL(url).port),
        close,
        asked: () => asked,
        async open(who, headers = {}, method = 'GET') {
          const cookie = typeof who === 'string' ? `chaabi_session=${who}` : `chaabi_admin=${who.admin}`
          const page = await openPage(`${url}/api/events`, method, { cookie, ...headers })
          pages.push(page)
          return page
        },
      })
    } finally {
      for (const page of pages) page.leave()
      await close()
    }
  })
}

function untilListening(events: Events): Promise<void> {
  return new Promise((resolve) => {
    const stop = events.subscribe(({ name }) => {
      if (name !== 'sync') return
      stop()
      resolve()
    })
  })
}

function openPage(url: string, method: string, headers: Record<string, string>): Promise<Page> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      let text = ''
      let open = true
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('error', () => {})
      const ended = new Promise<void>((done) => {
        response.on('close', () => {
          open = false
          done()
        })
      })
      resolve({
        response,
        text: () => text,
        told: () => [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, name, data]) => `${name} ${data}`),
        until: (wanted) => expect.poll(() => text, { timeout: 5_000, interval: 10 }).toContain(wanted),
        ended,
        isOpen: () => open,
        leave: () => void request.destroy(),
      })
    })
    request.on('error', reject)
    request.end()
  })
}

async function findUser(db: Database, hash: Buffer) {
  const user = await db.maybe(sql(z.object({ id: z.string(), username: z.string() }))`
    select users.id, users.username
      from user_sessions join users on users.id = user_sessions.user_id
     where token_hash = ${hash} and ended_at is null`)
  return user ? { ...user, sessionHash: hash } : null
}

/** @returns the token of the cookie */
async function givenSession(db: Database, userId: string): Promise<string> {
  const token = newToken()
  await db.run(sql`
    insert into user_sessions (token_hash, user_id, device_hash, created_at, last_active_at)
    values (${hashToken(token)}, ${userId}, ${hashToken('device')}, ${NOW}, ${NOW})`)
  return token
}

async function givenAdminSession(db: Database, username = 'owner'): Promise<string> {
  const token = newToken()
  await db.run(sql`
    with admin as (
      insert into admins (id, username, password_hash, created_at) values (${newId()}, ${username}, 'none', ${NOW})
      returning id
    )
    insert into admin_sessions (token_hash, admin_id, created_at, last_active_at)
    select ${hashToken(token)}, id, ${NOW}, ${NOW} from admin`)
  return token
}

async function endSession(db: Database, token: string, reason: string): Promise<void> {
  await db.run(
    sql`update user_sessions set ended_at = ${NOW}, end_reason = ${reason} where token_hash = ${hashToken(token)}`,
  )
}

/**
 * Sends live updates: one server-sent event stream for each open page.
 *
 * A process keeps thousands of streams, so each must be cheap. Events reach a stream by one look-up of its user, each
 * event is written out once for all, and heartbeats and session checks are shared. Nothing is kept for a page that is
 * away. When it comes back, it is told to refetch everything.
 */
import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import {
  ADMIN_SESSION_IDLE_MS,
  ADMIN_SESSION_LONGEST_MS,
  USER_SESSION_IDLE_MS,
  USER_SESSION_LONGEST_MS,
} from '../../contract/limits.ts'
import { NEWS } from '../../contract/live.ts'
import { sql } from '../platform/database/database.ts'
import type { EventName, Events, StoreEvent } from '../platform/events.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'

const TICK_MS = 1_000
const HEARTBEAT_TICKS = 15
const HEARTBEAT = Buffer.from(':\n\n')
/** Ends the streams of a session within 5 s if it ends silently: by its age, or on an unreachable node. */
const SESSION_CHECK_TICKS = 4
/** Pages reconnect after 1 to 5 s, so that they don't all come at once after a restart. */
const RETRY_MIN_MS = 1_000
const RETRY_SPREAD_MS = 4_000
/** More tabs than one person opens. */
const STREAMS_PER_SESSION_MAX = 20
/** A page that leaves more unread bytes than this is disconnected. */
const UNREAD_BYTES_MAX = 64 * 1024
/** Events to everyone gather longer if there are more streams: 10,000 streams get them once a second. */
const STREAMS_PER_GATHERED_MS = 10
/** Streams written to before other work gets a turn (about 5 ms). */
const STREAMS_PER_TURN = 500
/** More different news than this at once are sent by name only, and pages refetch. */
const GATHERED_MAX = 20
interface Stream {
  response: ServerResponse
  /** The response's socket, which the events are written to. */
  socket: Socket
  userId: string | undefined
  admin: boolean
  /** Hashes of the stream's sessions. It ends when one of them ends. */
  sessions: string[]
  /** Decides on which ticks its heartbeats and session checks come. */
  slot: number
}

interface Hub {
  count(): number
  open(call: Pick<Call, 'user' | 'admin' | 'takeOver'>): void
}

/** One hub for each store, because tests make stores of their own. Made with the first stream. */
const hubs = new WeakMap<Events, Hub>()

/** Counts the open streams of this node. */
export function countStreams(events: Events): number {
  return hubs.get(events)?.count() ?? 0
}

/**
 * Answers with the caller's event stream, which stays open until the caller goes, the session ends or the store closes.
 * It does not keep the session alive.
 * @throws Refusal RATE_LIMITED for too many streams of one session, SERVICE_UNAVAILABLE when the store closes
 */
export function streamEvents(services: Services, call: Pick<Call, 'user' | 'admin' | 'takeOver'>): void {
  let hub = hubs.get(services.events)
  if (!hub) {
    hub = createHub(services)
    hubs.set(services.events, hub)
  }
  hub.open(call)
}

function createHub({ db, clock, events, ended }: Services): Hub {
  const streams = new Set<Stream>()
  const byUser = new Map<string, Set<Stream>>()
  const bySession = new Map<string, Set<Stream>>()
  const ofAdmins = new Set<Stream>()
  /** Events for everyone, by their text. */
  let gathered = new Map<string, { name: EventName; bytes: Buffer }>()
  let telling: NodeJS.Timeout | undefined
  let ticking: NodeJS.Timeout | undefined
  let ticks = 0
  let opened = 0
  let framed = 0
  const origin = randomBytes(4).toString('hex')

  events.subscribe(deliver)
  ended.addEventListener('abort', () => {
    for (const stream of streams) close(stream)
  })

  function open({ user, admin, takeOver }: Pick<Call, 'user' | 'admin' | 'takeOver'>): void {
    if (ended.aborted) throw new Refusal('SERVICE_UNAVAILABLE')
    const sessions = [user, admin].flatMap((who) => (who ? [who.sessionHash.toString('hex')] : []))
    if (sessions.some((hash) => (bySession.get(hash)?.size ?? 0) >= STREAMS_PER_SESSION_MAX))
      throw new Refusal('RATE_LIMITED', { retryAfterMs: RETRY_MIN_MS + RETRY_SPREAD_MS })

    const response = takeOver()
    const { socket } = response
    // The caller went while the session was checked, and no later event would tell that
    if (response.destroyed || socket?.destroyed) return
    // The body ends with its connection, so that each event is written as it is and not as a chunk of four parts
    response.removeHeader('transfer-encoding')
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      // Nothing follows a stream, and an open connection would delay the store's end
      connection: 'close',
    })
    const retry = Buffer.from(
      `retry: ${Math.round(RETRY_MIN_MS + Math.random() * RETRY_SPREAD_MS)}\nid: ${origin}-${framed++}\n\n`,
    )
    // The socket is gone when the peer has left by now
    if (response.req.method === 'HEAD' || !socket) {
      response.end(retry)
      return
    }
    response.flushHeaders()
    const slot = opened++
    const stream = { response, socket, userId: user?.id, admin: admin !== null, sessions, slot }
    response.on('close', () => forget(stream))
    remember(stream)
    write(stream, retry)
    if (response.req.headers['last-event-id'] !== undefined) write(stream, framesOf(NEWS))
  }

  function remember(stream: Stream): void {
    streams.add(stream)
    if (stream.userId !== undefined) enter(byUser, stream.userId, stream)
    for (const hash of stream.sessions) enter(bySession, hash, stream)
    if (stream.admin) ofAdmins.add(stream)
    ticking ??= setInterval(tick, TICK_MS)
    ticking.unref()
  }

  function forget(stream: Stream): void {
    streams.delete(stream)
    if (stream.userId !== undefined) leave(byUser, stream.userId, stream)
    for (const hash of stream.sessions) leave(bySession, hash, stream)
    ofAdmins.delete(stream)
    if (streams.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }

  function close(stream: Stream): void {
    forget(stream)
    stream.response.end()
  }

  function frame(name: EventName, data: object = {}): Buffer {
    return Buffer.from(`id: ${origin}-${framed++}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  function framesOf(names: Iterable<EventName>): Buffer {
    return Buffer.concat([...names].map((name) => frame(name)))
  }

  function write({ socket }: Stream, bytes: Buffer): void {
    if (socket.writableLength > UNREAD_BYTES_MAX) socket.destroy()
    else socket.write(bytes)
  }

  function deliver({ to, name, data }: StoreEvent): void {
    if (streams.size === 0) return
    const meant = to === 'everyone' ? streams : to === 'admins' ? ofAdmins : byUser.get(to.user)
    if (!meant || meant.size === 0) return
    if (name === 'session-replaced') {
      for (const stream of bySession.get(data?.session ?? '') ?? []) close(stream)
      return
    }
    if (name === 'session-ended') {
      // The sessions themselves tell which streams this ends
      void endDead(meant, data)
      return
    }
    if (to === 'everyone') {
      for (const each of name === 'sync' ? NEWS : [name])
        gathered.set(`${each} ${JSON.stringify(data)}`, { name: each, bytes: frame(each, data) })
      tellSoon()
      return
    }
    const bytes = frame(name, data)
    for (const stream of meant) write(stream, bytes)
  }

  function tellSoon(): void {
    telling ??= setTimeout(() => void tellEveryone(), streams.size / STREAMS_PER_GATHERED_MS)
    telling.unref()
  }

  async function tellEveryone(): Promise<void> {
    const news = [...gathered.values()]
    const bytes =
      news.length > GATHERED_MAX
        ? framesOf(new Set(news.map(({ name }) => name)))
        : Buffer.concat(news.map((each) => each.bytes))
    gathered = new Map()
    let told = 0
    for (const stream of streams) {
      write(stream, bytes)
      if (++told % STREAMS_PER_TURN === 0) await nextTurn()
    }
    telling = undefined
    if (gathered.size > 0) tellSoon()
  }

  function tick(): void {
    ticks++
    const checked: Stream[] = []
    for (const stream of streams) {
      if (stream.slot % HEARTBEAT_TICKS === ticks % HEARTBEAT_TICKS) write(stream, HEARTBEAT)
      if (stream.slot % SESSION_CHECK_TICKS === ticks % SESSION_CHECK_TICKS) checked.push(stream)
    }
    if (checked.length > 0) void endDead(checked)
  }

  /** Ends the streams of ended sessions. Keeps all while the database is away, because it cannot tell. */
  async function endDead(candidates: Iterable<Stream>, data?: object): Promise<void> {
    const hashes = new Set([...candidates].flatMap((stream) => stream.sessions))
    const dead = await findDead([...hashes]).catch(() => [])
    for (const hash of dead) {
      for (const stream of bySession.get(hash) ?? []) {
        write(stream, frame('session-ended', data))
        close(stream)
      }
    }
  }

  async function findDead(hashes: readonly string[]): Promise<string[]> {
    const now = clock.now().getTime()
    const since = (ageMs: number) => new Date(now - ageMs)
    const rows = await db.rows(
      z.object({ hash: z.string() }),
      sql`
      select offered.hash
        from unnest(${hashes}::text[]) as offered (hash)
       where not exists (select from user_sessions session
                           join users on users.id = session.user_id and users.deleted_at is null
                          where session.token_hash = decode(offered.hash, 'hex') and session.ended_at is null
                            and session.last_active_at > ${since(USER_SESSION_IDLE_MS)}
                            and session.created_at > ${since(USER_SESSION_LONGEST_MS)})
         and not exists (select from admin_sessions session
                           join admins on admins.id = session.admin_id and admins.disabled_at is null
                          where session.token_hash = decode(offered.hash, 'hex') and session.ended_at is null
                            and session.last_active_at > ${since(ADMIN_SESSION_IDLE_MS)}
                            and session.created_at > ${since(ADMIN_SESSION_LONGEST_MS)})`,
    )
    return rows.map((row) => row.hash)
  }

  return { open, count: () => streams.size }
}

function enter<K>(groups: Map<K, Set<Stream>>, key: K, stream: Stream): void {
  const group = groups.get(key)
  if (group) group.add(stream)
  else groups.set(key, new Set([stream]))
}

function leave<K>(groups: Map<K, Set<Stream>>, key: K, stream: Stream): void {
  const group = groups.get(key)
  group?.delete(stream)
  if (group?.size === 0) groups.delete(key)
}

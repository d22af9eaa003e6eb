/**
 * The open streams of one process, and what is written to them.
 *
 * A process keeps thousands of streams, so each must be cheap. Events reach a stream by one look-up of its user, each
 * event is written out once for all, and heartbeats and session checks are shared. Nothing is kept for a page that is
 * away. When it comes back, it has to refetch everything. A page that has just been served gets what it missed
 * before its stream opened.
 */
import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Refusal } from '../../contract/errors.ts'
import {
  ADMIN_SESSION_IDLE_MS,
  ADMIN_SESSION_LONGEST_MS,
  USER_SESSION_IDLE_MS,
  USER_SESSION_LONGEST_MS,
} from '../../contract/limits.ts'
import { NEWS } from '../../contract/live.ts'
import { sql } from '../platform/database/database.ts'
import type { EventName, StoreEvent } from '../platform/events.ts'
import type { Call } from '../platform/http/http.ts'
import { overloaded } from '../platform/load/overload.ts'
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
/** A page that opens its stream later than 1 s asks for all again (event-stream.ts). Twice that, in ms. */
const RECENT_MS = 2_000

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

export class Hub {
  readonly #services: Services
  readonly #streams = new Set<Stream>()
  readonly #byUser = new Map<string, Set<Stream>>()
  readonly #bySession = new Map<string, Set<Stream>>()
  readonly #ofAdmins = new Set<Stream>()
  /** Events for everyone, by their text. */
  #gathered = new Map<string, { name: EventName; bytes: Buffer }>()
  /** When each kind of event last came, by performance.now(): for everyone, for admins, and for each buyer. */
  readonly #recent = new Map<string, { to: StoreEvent['to']; name: EventName; at: number }>()
  #telling: NodeJS.Timeout | undefined
  #ticking: NodeJS.Timeout | undefined
  #ticks = 0
  #opened = 0
  #framed = 0
  readonly #origin = randomBytes(4).toString('hex')

  constructor(services: Services) {
    this.#services = services
    services.events.subscribe((event) => this.#deliver(event))
    services.ended.addEventListener('abort', () => {
      for (const stream of this.#streams) this.#close(stream)
    })
  }

  count(): number {
    return this.#streams.size
  }

  /**
   * Answers with the caller's event stream, which stays open until the caller goes, the session ends or the store
   * closes. It does not keep the session alive.
   * @throws Refusal RATE_LIMITED for too many streams of one session, SERVICE_UNAVAILABLE when the store closes
   */
  open({ user, admin, takeOver }: Pick<Call, 'user' | 'admin' | 'takeOver'>): void {
    if (this.#services.ended.aborted) throw overloaded('this node ends')
    const sessions = [user, admin].flatMap((who) => (who ? [who.sessionHash.toString('hex')] : []))
    if (sessions.some((hash) => (this.#bySession.get(hash)?.size ?? 0) >= STREAMS_PER_SESSION_MAX))
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
      `retry: ${Math.round(RETRY_MIN_MS + Math.random() * RETRY_SPREAD_MS)}\nid: ${this.#origin}-${this.#framed++}\n\n`,
    )
    // The socket is gone when the peer has left by now
    if (response.req.method === 'HEAD' || !socket) {
      response.end(retry)
      return
    }
    response.flushHeaders()
    const slot = this.#opened++
    const stream = { response, socket, userId: user?.id, admin: admin !== null, sessions, slot }
    response.on('close', () => this.#forget(stream))
    this.#remember(stream)
    this.#write(stream, retry)
    const isBack = response.req.headers['last-event-id'] !== undefined
    this.#write(stream, this.#framesOf(isBack ? NEWS : this.#missedBy(stream)))
  }

  #missedBy({ userId, admin }: Stream): Set<EventName> {
    this.#forgetOld()
    const missed = [...this.#recent.values()].filter(
      ({ to }) => to === 'everyone' || (to === 'admins' ? admin : to.user === userId),
    )
    return new Set(missed.map(({ name }) => name))
  }

  #note(to: StoreEvent['to'], name: EventName): void {
    const key = `${typeof to === 'string' ? to : to.user} ${name}`
    this.#forgetOld()
    // The oldest stay in front
    this.#recent.delete(key)
    this.#recent.set(key, { to, name, at: performance.now() })
  }

  #forgetOld(): void {
    for (const [key, { at }] of this.#recent) {
      if (performance.now() - at < RECENT_MS) return
      this.#recent.delete(key)
    }
  }

  #remember(stream: Stream): void {
    this.#streams.add(stream)
    if (stream.userId !== undefined) enter(this.#byUser, stream.userId, stream)
    for (const hash of stream.sessions) enter(this.#bySession, hash, stream)
    if (stream.admin) this.#ofAdmins.add(stream)
    this.#ticking ??= setInterval(() => this.#tick(), TICK_MS)
    this.#ticking.unref()
  }

  #forget(stream: Stream): void {
    this.#streams.delete(stream)
    if (stream.userId !== undefined) leave(this.#byUser, stream.userId, stream)
    for (const hash of stream.sessions) leave(this.#bySession, hash, stream)
    this.#ofAdmins.delete(stream)
    if (this.#streams.size > 0) return
    clearInterval(this.#ticking)
    this.#ticking = undefined
  }

  #close(stream: Stream): void {
    this.#forget(stream)
    stream.response.end()
  }

  #frame(name: EventName, data: object = {}): Buffer {
    return Buffer.from(`id: ${this.#origin}-${this.#framed++}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  #framesOf(names: Iterable<EventName>): Buffer {
    return Buffer.concat([...names].map((name) => this.#frame(name)))
  }

  #write({ socket }: Stream, bytes: Buffer): void {
    if (socket.writableLength > UNREAD_BYTES_MAX) socket.destroy()
    else socket.write(bytes)
  }

  #deliver({ to, name, data }: StoreEvent): void {
    // For the store alone
    if (name === 'wanted') return
    // What ends a session needs no telling later: its streams are refused
    if (name !== 'session-replaced' && name !== 'session-ended')
      for (const each of name === 'sync' ? NEWS : [name]) this.#note(to, each)
    if (this.#streams.size === 0) return
    const meant = to === 'everyone' ? this.#streams : to === 'admins' ? this.#ofAdmins : this.#byUser.get(to.user)
    if (!meant || meant.size === 0) return
    if (name === 'session-replaced') {
      for (const stream of this.#bySession.get(data?.session ?? '') ?? []) this.#close(stream)
      return
    }
    if (name === 'session-ended') {
      // The sessions themselves tell which streams this ends
      void this.#endDead(meant, data)
      return
    }
    if (to === 'everyone') {
      for (const each of name === 'sync' ? NEWS : [name])
        this.#gathered.set(`${each} ${JSON.stringify(data)}`, { name: each, bytes: this.#frame(each, data) })
      this.#tellSoon()
      return
    }
    const bytes = this.#frame(name, data)
    for (const stream of meant) this.#write(stream, bytes)
  }

  #tellSoon(): void {
    this.#telling ??= setTimeout(() => void this.#tellEveryone(), this.#streams.size / STREAMS_PER_GATHERED_MS)
    this.#telling.unref()
  }

  async #tellEveryone(): Promise<void> {
    const news = [...this.#gathered.values()]
    const bytes =
      news.length > GATHERED_MAX
        ? this.#framesOf(new Set(news.map(({ name }) => name)))
        : Buffer.concat(news.map((each) => each.bytes))
    this.#gathered = new Map()
    let told = 0
    for (const stream of this.#streams) {
      this.#write(stream, bytes)
      if (++told % STREAMS_PER_TURN === 0) await nextTurn()
    }
    this.#telling = undefined
    if (this.#gathered.size > 0) this.#tellSoon()
  }

  #tick(): void {
    this.#ticks++
    const checked: Stream[] = []
    for (const stream of this.#streams) {
      if (stream.slot % HEARTBEAT_TICKS === this.#ticks % HEARTBEAT_TICKS) this.#write(stream, HEARTBEAT)
      if (stream.slot % SESSION_CHECK_TICKS === this.#ticks % SESSION_CHECK_TICKS) checked.push(stream)
    }
    if (checked.length > 0) void this.#endDead(checked)
  }

  /** Ends the streams of ended sessions. Keeps all while the database is away, because it cannot tell. */
  async #endDead(candidates: Iterable<Stream>, data?: object): Promise<void> {
    const hashes = new Set([...candidates].flatMap((stream) => stream.sessions))
    const dead = await findDead(this.#services, [...hashes]).catch(() => [])
    for (const hash of dead) {
      for (const stream of this.#bySession.get(hash) ?? []) {
        this.#write(stream, this.#frame('session-ended', data))
        this.#close(stream)
      }
    }
  }
}

/** @returns the hashes that are no open session's */
function findDead({ db, clock }: Pick<Services, 'db' | 'clock'>, hashes: readonly string[]): Promise<string[]> {
  const now = clock.now().getTime()
  const since = (ageMs: number) => new Date(now - ageMs)
  return db.texts(sql`
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
                          and session.created_at > ${since(ADMIN_SESSION_LONGEST_MS)})`)
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

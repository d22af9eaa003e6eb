/**
 * Sends live updates to the open pages that they concern, on every node. Messages are hints sent after the commit. A
 * page that misses one finds out by polling.
 *
 * This process tells its own listeners directly. So without notifications, or while the database is away, only events
 * of other nodes are lost. One message carries all events of a moment, so that a busy hour brings few notifications.
 */
import { randomUUID } from 'node:crypto'
import type { LiveData } from '../../contract/live.ts'
import { sql, type Database } from './database/database.ts'

/** Events that the store keeps to itself, with what they carry. */
interface InternalData {
  /** Closes the streams of a session whose token was replaced. Their pages come back with the new cookie. */
  'session-replaced': { session: string }
  /** A buyer waits for keys that are to be ordered now, or a supplier was connected or changed. */
  wanted: never
  /** Events of other nodes may have been missed, so pages ask for everything. */
  sync: never
}
type EventData = LiveData & InternalData
export type EventName = keyof EventData

/** An event for one user (by id), for everyone or for the admins. */
export type StoreEvent = {
  [Name in EventName]: { to: { user: string } | 'everyone' | 'admins'; name: Name; data?: EventData[Name] }
}[EventName]

type Listener = (event: StoreEvent, isOwn: boolean) => void

export interface Events {
  /** Call it after the commit, never inside a transaction. */
  publish(event: StoreEvent): void
  /**
   * @param listener hears the events of every node, and which are of this one
   * @returns the way to stop listening
   */
  subscribe(listener: Listener): () => void
}

interface Message {
  /** The process that sent it, whose own listeners have had it already. */
  from: string
  events: StoreEvent[]
}

const CHANNEL = 'chaabi_events'
const GATHER_MS = 40
/** PostgreSQL takes messages below 8,000 bytes. */
const MESSAGE_BYTES_MAX = 7_000

/** @param onError gets the error of a listener that throws. The others still get the event */
export function createEvents(db: Database, signal: AbortSignal, onError: (error: unknown) => void = () => {}): Events {
  const self = randomUUID()
  const listeners = new Set<Listener>()
  /** By their text, so that equal events of one moment are sent once. */
  let gathered = new Map<string, StoreEvent>()
  let timer: NodeJS.Timeout | undefined

  function tell(events: Iterable<StoreEvent>, isOwn: boolean): void {
    for (const event of events) {
      for (const listener of listeners) {
        try {
          listener(event, isOwn)
        } catch (error) {
          onError(error)
        }
      }
    }
  }

  function receive(payload: string): void {
    const message = read(payload)
    if (message && message.from !== self) tell(message.events, false)
  }

  function flush(): void {
    const events = [...gathered.values()]
    gathered = new Map()
    timer = undefined
    tell(events, true)
    // The event is lost while the database is away, but pages that poll find out
    for (const batch of batches(events))
      void db.run(sql`select pg_notify(${CHANNEL}, ${JSON.stringify({ from: self, events: batch })})`).catch(() => {})
  }

  db.listen(CHANNEL, receive, signal, () => tell([{ to: 'everyone', name: 'sync' }], false))

  return {
    publish(event) {
      gathered.set(JSON.stringify(event), event)
      timer ??= setTimeout(flush, GATHER_MS)
      timer.unref()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Ignores foreign messages, because anyone who may connect to the database may notify. */
function read(payload: string): Message | undefined {
  try {
    const message = JSON.parse(payload) as Partial<Message> | null
    if (typeof message?.from === 'string' && Array.isArray(message.events)) return message as Message
  } catch {}
  return undefined
}

function batches(events: readonly StoreEvent[]): StoreEvent[][] {
  const all: StoreEvent[][] = []
  let bytes = Infinity
  for (const event of events) {
    const size = Buffer.byteLength(JSON.stringify(event)) + 1
    // Too large for a message, so only its name is sent, and the page asks for the rest
    const fitting = size > MESSAGE_BYTES_MAX ? { to: event.to, name: event.name } : event
    const fittingSize = Math.min(size, Buffer.byteLength(JSON.stringify(fitting)) + 1)
    if (bytes + fittingSize > MESSAGE_BYTES_MAX) {
      all.push([])
      bytes = 0
    }
    all.at(-1)?.push(fitting)
    bytes += fittingSize
  }
  return all
}

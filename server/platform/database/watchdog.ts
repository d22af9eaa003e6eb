/**
 * Tells a slow engine from a silent one. A slow engine still answers other callers or a probe, so callers wait for it.
 * A silent one answers nobody, so waiting callers get an error. New callers get it at once until the engine answers.
 *
 * One connection can die silently while others work. So the watchdog asks about a long wait on another connection. If
 * the engine is idle for that session, it has answered already or never got the question.
 */

const LOOK_INTERVAL_MS = 250
/** After this long without an answer, the watchdog probes. */
const PROBE_AFTER_MS = 750
/** After this long without an answer to a probe, the engine counts as silent. */
const SILENT_AFTER_MS = 1_000

/** How long to wait before checking a busy session again, in ms. */
const BUSY_AGAIN_MS = 1_000
/** How long to wait before asking on another connection, because the first one can die too, in ms. */
const INQUIRE_AGAIN_MS = 500
const INQUIRIES_MAX = 3

export class DatabaseTimeout extends Error {
  constructor(message = 'The database says nothing') {
    super(message)
  }
}

/** The connection that a query was sent on. */
export interface Connection {
  /** The engine's process for this connection. */
  readonly processId: number
  /** Counts the received bytes. While the count grows, an answer is on its way. */
  bytesRead(): number
}

/** Asks about connections on another connection. */
export interface Inquiry {
  /** Returns the idle ones of these processes; undefined if the engine does not answer. Never rejects. */
  findIdle(processIds: readonly number[]): Promise<ReadonlySet<number> | undefined>
  /** Is called after callers on dead connections got an error. Unused connections may be dead too. */
  foundDead(): void
}

export interface Watchdog {
  readonly isSilent: boolean
  /**
   * Runs a query and waits until it is answered or the engine is silent.
   * @throws DatabaseTimeout; then the outcome of the query is unknown
   */
  run<T>(ask: () => Promise<T>, line?: Connection): Promise<T>
  close(): void
}

interface Waiting {
  /** Its index in the list; -1 when it is answered or given up. */
  at: number
  since: number
  line: Connection | undefined
  /** When to ask about it next. */
  inquireAt: number
  /** When the engine was idle for it, and the bytes received by then. */
  idle: { at: number; bytes: number } | undefined
  abandon(error: DatabaseTimeout): void
}

/** @param probe resolves when the engine answers in any way; never rejects */
export function createWatchdog(probe: () => Promise<void>, inquiry?: Inquiry): Watchdog {
  /**
   * In no order. Not a Set, because a Set that changes with each query is copied all the time. Its old copies point to
   * each other and keep nearly every query and its rows until the next full garbage collection.
   */
  const waiting: Waiting[] = []
  /** @returns true if it still waited */
  const leave = (entry: Waiting): boolean => {
    if (entry.at < 0) return false
    const last = waiting.pop()
    if (last && last !== entry) {
      waiting[entry.at] = last
      last.at = entry.at
    }
    entry.at = -1
    return true
  }
  let inquiries = 0
  let inquiredAt = -Infinity
  let silent = false
  let answeredAt = 0
  let lookedAt = performance.now()
  let probedAt: number | undefined

  const noteAnswer = () => {
    answeredAt = performance.now()
    const wasDown = silent
    silent = false
    // A new connection may have ended the silence, and the old ones may be dead
    if (wasDown) inquiry?.foundDead()
  }
  const awaitProbe = async () => {
    await probe()
    probedAt = undefined
    noteAnswer()
  }
  /** Gives up queries whose connection was idle in two checks, one after the other, with no bytes between. */
  const inquire = async (about: readonly (Waiting & { line: Connection })[], askedAt: number) => {
    inquiries++
    inquiredAt = askedAt
    const idle = await inquiry?.findIdle(about.map(({ line }) => line.processId))
    inquiries--
    if (!idle) return
    noteAnswer()
    const now = performance.now()
    const dead = new Set<number>()
    for (const each of about) {
      if (each.at < 0) continue
      const bytes = each.line.bytesRead()
      const isIdle = idle.has(each.line.processId)
      if (isIdle && each.idle && each.idle.at <= askedAt && each.idle.bytes === bytes) dead.add(each.line.processId)
      each.idle = isIdle ? { at: now, bytes } : undefined
      each.inquireAt = now + (isIdle ? 0 : BUSY_AGAIN_MS)
    }
    if (dead.size === 0) return
    for (const each of waiting.filter(({ line }) => line && dead.has(line.processId)))
      each.abandon(new DatabaseTimeout('The connection is dead'))
    inquiry?.foundDead()
  }
  const inquireWhereDue = (now: number) => {
    if (silent || !inquiry) return
    if (inquiries >= INQUIRIES_MAX || (inquiries > 0 && now - inquiredAt < INQUIRE_AGAIN_MS)) return
    const due = waiting.flatMap((each) =>
      each.line && each.inquireAt <= now ? [each as Waiting & { line: Connection }] : [],
    )
    if (due.length > 0) void inquire(due, now)
  }
  const look = () => {
    const now = performance.now()
    // If this process itself was blocked, answers may be unread
    const stoodStill = now - lookedAt > LOOK_INTERVAL_MS + PROBE_AFTER_MS
    lookedAt = now
    if (stoodStill) {
      answeredAt = now
      for (const each of waiting) each.idle = undefined
    }
    inquireWhereDue(now)
    if (waiting.length === 0 && !silent) return
    if (probedAt === undefined) {
      const since = Math.min(...waiting.map((each) => each.since))
      if (!silent && now - Math.max(since, answeredAt) < PROBE_AFTER_MS) return
      probedAt = now
      void awaitProbe()
    } else if (!silent && now - Math.max(probedAt, answeredAt) > SILENT_AFTER_MS) {
      silent = true
      while (waiting[0]) waiting[0].abandon(new DatabaseTimeout())
    }
  }
  const timer = setInterval(look, LOOK_INTERVAL_MS)
  timer.unref()

  return {
    get isSilent() {
      return silent
    },
    run(ask, line) {
      if (silent) return Promise.reject(new DatabaseTimeout())
      return new Promise((resolve, reject) => {
        const since = performance.now()
        const inquireAt = since + PROBE_AFTER_MS
        const abandon = (error: DatabaseTimeout) => {
          leave(entry)
          reject(error)
        }
        const entry: Waiting = { at: waiting.length, since, line, inquireAt, idle: undefined, abandon }
        waiting.push(entry)
        ask()
          .then(resolve, reject)
          .finally(() => {
            // Closing the connection of a timed-out caller doesn't prove that the database is alive
            if (leave(entry)) noteAnswer()
          })
      })
    },
    close: () => clearInterval(timer),
  }
}

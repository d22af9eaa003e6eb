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
interface Inquiry {
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
  return new EngineWatch(probe, inquiry)
}

class EngineWatch implements Watchdog {
  readonly #probe: () => Promise<void>
  readonly #inquiry: Inquiry | undefined
  /**
   * In no order. Not a Set, because a Set that changes with each query is copied all the time. Its old copies point to
   * each other and keep nearly every query and its rows until the next full garbage collection.
   */
  readonly #waiting: Waiting[] = []
  readonly #timer = setInterval(() => this.#look(), LOOK_INTERVAL_MS)
  #inquiries = 0
  #inquiredAt = -Infinity
  #silent = false
  #answeredAt = 0
  #lookedAt = performance.now()
  #probedAt: number | undefined

  constructor(probe: () => Promise<void>, inquiry: Inquiry | undefined) {
    this.#probe = probe
    this.#inquiry = inquiry
    this.#timer.unref()
  }

  get isSilent(): boolean {
    return this.#silent
  }

  run<T>(ask: () => Promise<T>, line?: Connection): Promise<T> {
    if (this.#silent) return Promise.reject(new DatabaseTimeout())
    return new Promise((resolve, reject) => {
      const since = performance.now()
      const inquireAt = since + PROBE_AFTER_MS
      const abandon = (error: DatabaseTimeout) => {
        this.#leave(entry)
        reject(error)
      }
      const entry: Waiting = { at: this.#waiting.length, since, line, inquireAt, idle: undefined, abandon }
      this.#waiting.push(entry)
      ask()
        .then(resolve, reject)
        .finally(() => {
          // Closing the connection of a timed-out caller doesn't prove that the database is alive
          if (this.#leave(entry)) this.#noteAnswer()
        })
    })
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** @returns true if it still waited */
  #leave(entry: Waiting): boolean {
    if (entry.at < 0) return false
    const last = this.#waiting.pop()
    if (last && last !== entry) {
      this.#waiting[entry.at] = last
      last.at = entry.at
    }
    entry.at = -1
    return true
  }

  #noteAnswer(): void {
    this.#answeredAt = performance.now()
    const wasDown = this.#silent
    this.#silent = false
    // A new connection may have ended the silence, and the old ones may be dead
    if (wasDown) this.#inquiry?.foundDead()
  }

  async #awaitProbe(): Promise<void> {
    await this.#probe()
    this.#probedAt = undefined
    this.#noteAnswer()
  }

  /** Gives up queries whose connection was idle in two checks, one after the other, with no bytes between. */
  async #inquire(about: readonly (Waiting & { line: Connection })[], askedAt: number): Promise<void> {
    this.#inquiries++
    this.#inquiredAt = askedAt
    const idle = await this.#inquiry?.findIdle(about.map(({ line }) => line.processId))
    this.#inquiries--
    if (!idle) return
    this.#noteAnswer()
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
    for (const each of this.#waiting.filter(({ line }) => line && dead.has(line.processId)))
      each.abandon(new DatabaseTimeout('The connection is dead'))
    this.#inquiry?.foundDead()
  }

  #inquireWhereDue(now: number): void {
    if (this.#silent || !this.#inquiry) return
    if (this.#inquiries >= INQUIRIES_MAX || (this.#inquiries > 0 && now - this.#inquiredAt < INQUIRE_AGAIN_MS)) return
    const due = this.#waiting.flatMap((each) =>
      each.line && each.inquireAt <= now ? [each as Waiting & { line: Connection }] : [],
    )
    if (due.length > 0) void this.#inquire(due, now)
  }

  #look(): void {
    const now = performance.now()
    // If this process itself was blocked, answers may be unread
    const stoodStill = now - this.#lookedAt > LOOK_INTERVAL_MS + PROBE_AFTER_MS
    this.#lookedAt = now
    if (stoodStill) {
      this.#answeredAt = now
      for (const each of this.#waiting) each.idle = undefined
    }
    this.#inquireWhereDue(now)
    if (this.#waiting.length === 0 && !this.#silent) return
    if (this.#probedAt === undefined) {
      const since = Math.min(...this.#waiting.map((each) => each.since))
      if (!this.#silent && now - Math.max(since, this.#answeredAt) < PROBE_AFTER_MS) return
      this.#probedAt = now
      void this.#awaitProbe()
    } else if (!this.#silent && now - Math.max(this.#probedAt, this.#answeredAt) > SILENT_AFTER_MS) {
      this.#silent = true
      while (this.#waiting[0]) this.#waiting[0].abandon(new DatabaseTimeout())
    }
  }
}

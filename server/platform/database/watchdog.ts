/**
 * Tells a slow engine from a silent one. A slow one answers others, or at least a probe at its door, and is given its
 * time; one that says nothing to anybody stands still, or is out of reach, and those who wait for it are let go.
 * While it is silent nobody is made to wait; the first word from it ends that.
 *
 * One connection can die without a word while others work. So who waits long on a line is asked about on another one:
 * an engine that has nothing to do for that line has answered already, or was never asked.
 */

const LOOK_INTERVAL_MS = 250
/** After so long without a word, somebody probes. */
const PROBE_AFTER_MS = 750
/** A probe that nobody answers for so long is silence. */
const SILENT_AFTER_MS = 1_000

/** An engine that is still at work for somebody is asked about him again after so long. */
const BUSY_AGAIN_MS = 1_000
/** The line that is asked on can die too: then another one is asked on, and not its end waited for. */
const INQUIRE_AGAIN_MS = 500
const INQUIRIES_MAX = 3

export class DatabaseTimeout extends Error {
  constructor(message = 'The database says nothing') {
    super(message)
  }
}

/** The connection that a question went out on. */
export interface Connection {
  /** What the engine knows it by. */
  readonly processId: number
  /** How much has come in; while that grows, an answer is on its way. */
  bytesRead(): number
}

/** Who else can be asked about lines. */
export interface Inquiry {
  /** Which of these the engine has nothing to do for; undefined, when it does not say. Never rejects. */
  findIdle(processIds: readonly number[]): Promise<ReadonlySet<number> | undefined>
  /** Those who waited in vain have been let go; the lines that nobody waited on may be dead as well. */
  foundDead(): void
}

export interface Watchdog {
  readonly isSilent: boolean
  /**
   * Asks, and waits for the answer or for silence.
   * @throws DatabaseTimeout; what became of the question is then not known
   */
  run<T>(ask: () => Promise<T>, line?: Connection): Promise<T>
  close(): void
}

interface Waiting {
  /** Its place among those who wait; -1 when it is answered or let go. */
  at: number
  since: number
  line: Connection | undefined
  /** When it is next asked about. */
  inquireAt: number
  /** When the engine was found to have nothing to do for it, and what had come in by then. */
  idle: { at: number; bytes: number } | undefined
  abandon(error: DatabaseTimeout): void
}

/** @param probe resolves when the engine answers in any way; never rejects */
export function createWatchdog(probe: () => Promise<void>, inquiry?: Inquiry): Watchdog {
  /**
   * In no order. Not a Set: one that changes with each query is copied all the time, and its dead copies, each of which
   * points to the next, keep what they hold until the next full collection, which is nearly every query with all it read.
   */
  const waiting: Waiting[] = []
  /** @returns whether it still waited */
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
    // What ended the silence may have been a new line; those of before may be dead
    if (wasDown) inquiry?.foundDead()
  }
  const awaitProbe = async () => {
    await probe()
    probedAt = undefined
    noteAnswer()
  }
  /** Lets those go whose line was found idle twice, the second time asked after the first, with nothing come in between. */
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
    // When this process itself stood still, answers may lie unread
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
            // That the line of one who was let go is closed is no word from the engine
            if (leave(entry)) noteAnswer()
          })
      })
    },
    close: () => clearInterval(timer),
  }
}

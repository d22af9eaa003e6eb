/**
 * Tells a slow engine from a silent one. A slow one answers others, or at least a knock at its door, and is given its
 * time; one that says nothing to anybody stands still, or is out of reach, and those who wait for it are let go.
 * While it is silent nobody is made to wait; the first word from it ends that.
 *
 * One connection can die without a word while others work. So who waits long on a line is asked about on another one:
 * an engine that has nothing to do for that line has answered already, or was never asked.
 */

const LOOK_INTERVAL_MS = 250
/** After so long without a word, somebody knocks. */
const KNOCK_AFTER_MS = 750
/** A knock that nobody answers for so long is silence. */
const SILENT_AFTER_MS = 1_000

/** An engine that is still at work for somebody is asked about him again after so long. */
const BUSY_AGAIN_MS = 1_000

export class EngineSilent extends Error {
  constructor(message = 'The database says nothing') {
    super(message)
  }
}

/** The connection that a question went out on. */
export interface Line {
  /** What the engine knows it by. */
  readonly processId: number
  /** How much has come in; while that grows, an answer is on its way. */
  bytesRead(): number
}

/** Who else can be asked about lines. */
export interface Inquiry {
  /** Which of these the engine has nothing to do for; none, when it cannot say. Never rejects. */
  findIdle(processIds: readonly number[]): Promise<ReadonlySet<number>>
  /** Has the engine give up what it holds for these. @param since when the first of them was asked and heard nothing */
  hangUp(processIds: readonly number[], since: number): void
}

export interface SilenceWatch {
  readonly isSilent: boolean
  /**
   * Asks, and waits for the answer or for silence.
   * @throws EngineSilent; what became of the question is then not known
   */
  hear<T>(ask: () => Promise<T>, line?: Line): Promise<T>
  close(): void
}

interface Waiting {
  since: number
  line: Line | undefined
  /** When it is next asked about. */
  inquireAt: number
  /** What had come in when the engine had nothing to do for it. */
  bytesWhenIdle: number | undefined
  letGo(error: EngineSilent): void
}

/** @param knock resolves when the engine answers in any way; never rejects */
export function watchForSilence(knock: () => Promise<void>, inquiry?: Inquiry): SilenceWatch {
  const waiting = new Set<Waiting>()
  let inquiring = false
  let silent = false
  let heardAt = 0
  let lookedAt = performance.now()
  let knockedAt: number | undefined

  const heard = () => {
    heardAt = performance.now()
    silent = false
  }
  const awaitKnock = async () => {
    await knock()
    knockedAt = undefined
    heard()
  }
  /** Lets those go whose line was found idle twice in a row, with nothing come in between. */
  const inquire = async (about: readonly (Waiting & { line: Line })[]) => {
    inquiring = true
    const idle = (await inquiry?.findIdle(about.map(({ line }) => line.processId))) ?? new Set()
    inquiring = false
    const now = performance.now()
    const dead = new Set<number>()
    let deadSince = Infinity
    for (const each of about) {
      if (!waiting.has(each)) continue
      const bytes = each.line.bytesRead()
      const isIdle = idle.has(each.line.processId)
      if (isIdle && each.bytesWhenIdle === bytes) {
        dead.add(each.line.processId)
        deadSince = Math.min(deadSince, each.since)
      }
      each.bytesWhenIdle = isIdle ? bytes : undefined
      each.inquireAt = now + (isIdle ? 0 : BUSY_AGAIN_MS)
    }
    if (dead.size === 0) return
    for (const each of waiting)
      if (each.line && dead.has(each.line.processId)) each.letGo(new EngineSilent('The connection is dead'))
    inquiry?.hangUp([...dead], deadSince)
  }
  const inquireWhereDue = (now: number) => {
    if (inquiring || silent || !inquiry) return
    const due = [...waiting].flatMap((each) =>
      each.line && each.inquireAt <= now ? [each as Waiting & { line: Line }] : [],
    )
    if (due.length > 0) void inquire(due)
  }
  const look = () => {
    const now = performance.now()
    // When this process itself stood still, answers may lie unread
    const stoodStill = now - lookedAt > LOOK_INTERVAL_MS + KNOCK_AFTER_MS
    lookedAt = now
    if (stoodStill) {
      heardAt = now
      for (const each of waiting) each.bytesWhenIdle = undefined
    }
    inquireWhereDue(now)
    const [oldest] = waiting
    if (oldest === undefined && !silent) return
    if (knockedAt === undefined) {
      if (!silent && now - Math.max(oldest?.since ?? 0, heardAt) < KNOCK_AFTER_MS) return
      knockedAt = now
      void awaitKnock()
    } else if (!silent && now - Math.max(knockedAt, heardAt) > SILENT_AFTER_MS) {
      silent = true
      for (const each of waiting) each.letGo(new EngineSilent())
    }
  }
  const timer = setInterval(look, LOOK_INTERVAL_MS)
  timer.unref()

  return {
    get isSilent() {
      return silent
    },
    hear(ask, line) {
      if (silent) return Promise.reject(new EngineSilent())
      return new Promise((resolve, reject) => {
        const since = performance.now()
        const inquireAt = since + KNOCK_AFTER_MS
        const entry = { since, line, inquireAt, bytesWhenIdle: undefined, letGo: reject }
        waiting.add(entry)
        ask()
          .then(resolve, reject)
          .finally(() => {
            waiting.delete(entry)
            heard()
          })
      })
    },
    close: () => clearInterval(timer),
  }
}

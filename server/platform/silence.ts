/**
 * Tells a slow engine from a silent one. A slow one answers others, or at least a knock at its door, and is given its
 * time; one that says nothing to anybody stands still, or is out of reach, and those who wait for it are let go.
 * While it is silent nobody is made to wait; the first word from it ends that.
 */

const LOOK_INTERVAL_MS = 250
/** After so long without a word, somebody knocks. */
const KNOCK_AFTER_MS = 750
/** A knock that nobody answers for so long is silence. */
const SILENT_AFTER_MS = 1_000

export class EngineSilent extends Error {
  constructor() {
    super('The database says nothing')
  }
}

export interface SilenceWatch {
  readonly isSilent: boolean
  /**
   * Asks, and waits for the answer or for silence.
   * @throws EngineSilent; what became of the question is then not known
   */
  hear<T>(ask: () => Promise<T>): Promise<T>
  close(): void
}

/** @param knock resolves when the engine answers in any way; never rejects */
export function watchForSilence(knock: () => Promise<void>): SilenceWatch {
  const waiting = new Set<{ since: number; letGo: (error: EngineSilent) => void }>()
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
  const look = () => {
    const now = performance.now()
    // When this process itself stood still, answers may lie unread
    const stoodStill = now - lookedAt > LOOK_INTERVAL_MS + KNOCK_AFTER_MS
    lookedAt = now
    if (stoodStill) heardAt = now
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
    hear(ask) {
      if (silent) return Promise.reject(new EngineSilent())
      return new Promise((resolve, reject) => {
        const entry = { since: performance.now(), letGo: reject }
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

/**
 * Group commit: while one transaction runs, works that arrive gather and share the next one. Under load they split
 * the cost of a commit, and without load nobody waits.
 *
 * One work never harms its neighbours. If another transaction holds a row that it needs, it is served in isolation,
 * in a transaction that waits for it. If a transaction fails, each of its works is tried alone, so that only the
 * faulty one fails. All get an answer in time, even when the database doesn't respond.
 */
import { Refusal } from '../../../contract/errors.ts'
import { overloaded } from '../overload.ts'
import { wasRolledBack } from './database.ts'

interface Waiting<Work, Outcome> {
  work: Work
  now: Date
  isAnswered: boolean
  /** True after a failed transaction, which this work may have caused. */
  isSuspect: boolean
  timesContended: number
  resolve(outcome: Outcome): void
  reject(error: Error): void
}

export interface GroupCommitOptions<Work, Outcome> {
  /** Works of one owner never run in two transactions at once: the second could only wait for the first. */
  ownerOf(work: Work): string
  /**
   * Does works in one transaction, in their order.
   * @returns an outcome for each; 'contended' where another transaction holds what it needs
   */
  commit(works: readonly Work[], how: CommitHow): Promise<(Outcome | 'contended')[]>
  /** What the log says when a work is refused because too many wait. */
  tooMany: string
  /** How long a work may wait for its answer, in ms. */
  answerMsMax?: number | undefined
}

export interface CommitHow {
  /** The latest moment of the works, so that none is decided by a time before its own. */
  now: Date
  /** From 0 below `WRITERS_MAX`. No other running transaction has this number. */
  writer: number
  /** True to wait for rows that others hold, instead of leaving such works out as 'contended'. */
  wait: boolean
  lockTimeoutMs: number
}

export interface GroupCommit<Work, Outcome> {
  /** Works that wait for a transaction. */
  readonly waiting: number
  /**
   * @returns the outcome once it is committed
   * @throws Refusal SERVICE_UNAVAILABLE when there is none in time. The work may still be done.
   */
  place(work: Work, now: Date): Promise<Outcome>
}

/**
 * Shared transactions at once. The second serves when the first is full or held up, because two half-full ones cost
 * the engine half as much again (docs/decisions/0016).
 */
const WRITERS = 2
const HELD_UP_MS = 15
const WRITERS_ISOLATED = 4
export const WRITERS_MAX = WRITERS + WRITERS_ISOLATED
const PER_TRANSACTION_MAX = 64
/** A longer queue would outlast a person's patience, so a work beyond it gets "busy" right away. */
const QUEUE_MAX = 2_000
const CONTENDED_TIMES_MAX = 20
/** Leaves time for the network, because a person gets an answer within three seconds. */
const ANSWER_MS_MAX = 2_500
/** Shorter than the answer's time, so that a work that waited for a lock in vain has surely done nothing. */
const LOCK_MS_MAX = 2_000

export function openGroupCommit<Work, Outcome>({
  ownerOf,
  commit,
  tooMany,
  answerMsMax = ANSWER_MS_MAX,
}: GroupCommitOptions<Work, Outcome>): GroupCommit<Work, Outcome> {
  const queue: Waiting<Work, Outcome>[] = []
  const isolated: Waiting<Work, Outcome>[] = []
  /** Owners with a running transaction of this queue. */
  const busyOwners = new Set<string>()
  let soon: NodeJS.Immediate | undefined
  /** Running shared transactions that take long. */
  let heldUp = 0
  const writers = Array.from({ length: WRITERS_MAX }, (_, index) => index)
  const shared = { idle: writers.slice(0, WRITERS), from: queue, isIsolated: false }
  const beside = { idle: writers.slice(WRITERS), from: isolated, isIsolated: true }

  /** Gathers works that arrive in one turn of the event loop, even without load. */
  function dispatchSoon(): void {
    soon ??= setImmediate(() => {
      soon = undefined
      dispatch()
    })
  }

  function dispatch(): void {
    for (const { idle, from, isIsolated } of [shared, beside]) {
      while (idle.length > 0) {
        if (!isIsolated && !needsAnother()) break
        const batch = take(from, busyOwners, ownerOf, isIsolated)
        const writer = batch.length > 0 ? idle.pop() : undefined
        if (writer === undefined) break
        for (const { work } of batch) busyOwners.add(ownerOf(work))
        const released = isIsolated ? () => {} : watchShared()
        void serve(commit, batch, isolated, { writer, wait: isIsolated }).finally(() => {
          released()
          for (const { work } of batch) busyOwners.delete(ownerOf(work))
          idle.push(writer)
          dispatchSoon()
        })
      }
    }
  }

  /** True if works need another shared transaction: there is none, all take long, or the next would be full. */
  function needsAnother(): boolean {
    return queue.length >= PER_TRANSACTION_MAX || heldUp >= WRITERS - shared.idle.length
  }

  /** @returns a function to call when the transaction has ended */
  function watchShared(): () => void {
    let isHeldUp = false
    const timer = setTimeout(() => {
      isHeldUp = true
      heldUp++
      dispatchSoon()
    }, HELD_UP_MS)
    return () => {
      clearTimeout(timer)
      if (isHeldUp) heldUp--
    }
  }

  return {
    get waiting() {
      return queue.length + isolated.length
    },
    place(work, now) {
      if (queue.length + isolated.length >= QUEUE_MAX) return Promise.reject(overloaded(tooMany, 1_000))
      return answerInTime<Work, Outcome>(work, now, answerMsMax, (waiting) => {
        queue.push(waiting)
        dispatchSoon()
      })
    },
  }
}

/** Hands a work to `enqueue` and waits for its answer, at most `answerMsMax`. */
function answerInTime<Work, Outcome>(
  work: Work,
  now: Date,
  answerMsMax: number,
  enqueue: (waiting: Waiting<Work, Outcome>) => void,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const answer = (settle: () => void) => {
      clearTimeout(timer)
      waiting.isAnswered = true
      settle()
    }
    const waiting: Waiting<Work, Outcome> = {
      work,
      now,
      isAnswered: false,
      isSuspect: false,
      timesContended: 0,
      resolve: (outcome) => answer(() => resolve(outcome)),
      reject: (error) => answer(() => reject(error)),
    }
    const timer = setTimeout(() => waiting.reject(busy()), answerMsMax)
    enqueue(waiting)
  })
}

/** Takes the first works still due an answer whose owners are not busy; if isolated, those of one owner. */
function take<Work, Outcome>(
  from: Waiting<Work, Outcome>[],
  busyOwners: ReadonlySet<string>,
  ownerOf: (work: Work) => string,
  isIsolated: boolean,
): Waiting<Work, Outcome>[] {
  const batch: Waiting<Work, Outcome>[] = []
  const left: Waiting<Work, Outcome>[] = []
  for (const waiting of from) {
    const [first] = batch
    const fits =
      batch.length < PER_TRANSACTION_MAX &&
      !busyOwners.has(ownerOf(waiting.work)) &&
      (!first ||
        !isIsolated ||
        (ownerOf(first.work) === ownerOf(waiting.work) && !first.isSuspect && !waiting.isSuspect))
    if (fits && !waiting.isAnswered) batch.push(waiting)
    else if (!waiting.isAnswered) left.push(waiting)
  }
  from.splice(0, from.length, ...left)
  return batch
}

/** Settles a batch, or moves its works to `isolated` to be served again. */
async function serve<Work, Outcome>(
  commit: GroupCommitOptions<Work, Outcome>['commit'],
  batch: readonly Waiting<Work, Outcome>[],
  isolated: Waiting<Work, Outcome>[],
  how: Pick<CommitHow, 'writer' | 'wait'>,
): Promise<void> {
  try {
    const now = new Date(Math.max(...batch.map((waiting) => waiting.now.getTime())))
    const works = batch.map((waiting) => waiting.work)
    const outcomes = await commit(works, { now, lockTimeoutMs: LOCK_MS_MAX, ...how })
    for (const [index, waiting] of batch.entries()) {
      const outcome = outcomes[index]
      if (outcome !== undefined && outcome !== 'contended') waiting.resolve(outcome)
      else if (++waiting.timesContended > CONTENDED_TIMES_MAX) waiting.reject(busy())
      else isolated.push(waiting)
    }
  } catch (error) {
    // Tries again only after a sure rollback, because after a connection lost at the commit a repeat could do it
    // twice
    const triedAgain = batch.length > 1 && wasRolledBack(error)
    for (const waiting of batch) {
      waiting.isSuspect = true
      if (triedAgain) isolated.push(waiting)
      else waiting.reject(error as Error)
    }
  }
}

function busy(): Refusal {
  return new Refusal('SERVICE_UNAVAILABLE', { retryAfterMs: 1_000 })
}

/**
 * Group commit: while one transaction runs, tasks that arrive gather and share the next one. Under load they split
 * the cost of a commit, and without load nobody waits.
 *
 * One task never harms its neighbours. If another transaction holds a row that it needs, it is served in isolation,
 * in a transaction that waits for it. If a transaction fails, each of its tasks is tried alone, so that only the
 * faulty one fails. All get an answer in time, even when the database doesn't respond.
 */
import { Refusal } from '../../../contract/errors.ts'
import { overloaded } from '../load/overload.ts'
import { wasRolledBack } from './database.ts'

interface Waiting<Task, Outcome> {
  task: Task
  now: Date
  isAnswered: boolean
  /** True after a failed transaction, which this task may have caused. */
  isSuspect: boolean
  timesContended: number
  resolve(outcome: Outcome): void
  reject(error: Error): void
}

interface GroupCommitOptions<Task, Outcome> {
  /** Tasks of one owner never run in two transactions at once: the second could only wait for the first. */
  ownerOf(task: Task): string
  /**
   * Does tasks in one transaction, in their order.
   * @returns an outcome for each; 'contended' where another transaction holds what it needs
   */
  commit(tasks: readonly Task[], how: CommitHow): Promise<(Outcome | 'contended')[]>
  /** The log's text when a task is refused because too many wait. */
  tooMany: string
  /** How long a task may wait for its answer, in ms. */
  answerMsMax?: number | undefined
}

interface CommitHow {
  /** The latest moment of the tasks, so that none is decided by a time before its own. */
  now: Date
  /** From 0 below `WRITERS_MAX`. No other running transaction has this number. */
  writer: number
  /** True to wait for rows that others hold, instead of leaving such tasks out as 'contended'. */
  wait: boolean
}

export interface GroupCommit<Task, Outcome> {
  /** Tasks that wait for a transaction. */
  readonly waiting: number
  /**
   * @returns the outcome once it is committed
   * @throws Refusal SERVICE_UNAVAILABLE when there is none in time. The task may still be done.
   */
  place(task: Task, now: Date): Promise<Outcome>
}

/**
 * Shared transactions at once. The second serves when the first is full or held up, because two half-full ones cost
 * the engine half as much again (docs/decisions/0016).
 */
const WRITERS = 2
const HELD_UP_MS = 15
const WRITERS_ISOLATED = 4
const WRITERS_MAX = WRITERS + WRITERS_ISOLATED
const PER_TRANSACTION_MAX = 64
/** A longer queue would outlast a person's patience, so a task beyond it gets "busy" right away. */
const QUEUE_MAX = 2_000
const CONTENDED_TIMES_MAX = 20
/**
 * Leaves time for the network, because a person gets an answer within three seconds. Longer than a lock is waited for,
 * so that a task that waited in vain has surely done nothing.
 */
const ANSWER_MS_MAX = 2_500

export function openGroupCommit<Task, Outcome>({
  ownerOf,
  commit,
  tooMany,
  answerMsMax = ANSWER_MS_MAX,
}: GroupCommitOptions<Task, Outcome>): GroupCommit<Task, Outcome> {
  const queue: Waiting<Task, Outcome>[] = []
  const isolated: Waiting<Task, Outcome>[] = []
  /** Owners with a running transaction of this queue. */
  const busyOwners = new Set<string>()
  let soon: NodeJS.Immediate | undefined
  /** Running shared transactions that take long. */
  let heldUp = 0
  const writers = Array.from({ length: WRITERS_MAX }, (_, index) => index)
  const shared = { idle: writers.slice(0, WRITERS), from: queue, isIsolated: false }
  const beside = { idle: writers.slice(WRITERS), from: isolated, isIsolated: true }

  /** Gathers tasks that arrive in one turn of the event loop, even without load. */
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
        for (const { task } of batch) busyOwners.add(ownerOf(task))
        const released = isIsolated ? () => {} : watchShared()
        void serve(commit, batch, isolated, { writer, wait: isIsolated }).finally(() => {
          released()
          for (const { task } of batch) busyOwners.delete(ownerOf(task))
          idle.push(writer)
          dispatchSoon()
        })
      }
    }
  }

  /** True if tasks need another shared transaction: there is none, all take long, or the next would be full. */
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
    place(task, now) {
      if (queue.length + isolated.length >= QUEUE_MAX) return Promise.reject(overloaded(tooMany, 1_000))
      return answerInTime<Task, Outcome>(task, now, answerMsMax, (waiting) => {
        queue.push(waiting)
        dispatchSoon()
      })
    },
  }
}

/** Hands a task to `enqueue` and waits for its answer, at most `answerMsMax`. */
function answerInTime<Task, Outcome>(
  task: Task,
  now: Date,
  answerMsMax: number,
  enqueue: (waiting: Waiting<Task, Outcome>) => void,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const answer = (settle: () => void) => {
      clearTimeout(timer)
      waiting.isAnswered = true
      settle()
    }
    const waiting: Waiting<Task, Outcome> = {
      task,
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

/** Takes the first tasks still due an answer whose owners are not busy; if isolated, those of one owner. */
function take<Task, Outcome>(
  from: Waiting<Task, Outcome>[],
  busyOwners: ReadonlySet<string>,
  ownerOf: (task: Task) => string,
  isIsolated: boolean,
): Waiting<Task, Outcome>[] {
  const batch: Waiting<Task, Outcome>[] = []
  const left: Waiting<Task, Outcome>[] = []
  for (const waiting of from) {
    const [first] = batch
    const fits =
      batch.length < PER_TRANSACTION_MAX &&
      !busyOwners.has(ownerOf(waiting.task)) &&
      (!first ||
        !isIsolated ||
        (ownerOf(first.task) === ownerOf(waiting.task) && !first.isSuspect && !waiting.isSuspect))
    if (fits && !waiting.isAnswered) batch.push(waiting)
    else if (!waiting.isAnswered) left.push(waiting)
  }
  from.splice(0, from.length, ...left)
  return batch
}

/** Settles a batch, or moves its tasks to `isolated` to be served again. */
async function serve<Task, Outcome>(
  commit: GroupCommitOptions<Task, Outcome>['commit'],
  batch: readonly Waiting<Task, Outcome>[],
  isolated: Waiting<Task, Outcome>[],
  how: Pick<CommitHow, 'writer' | 'wait'>,
): Promise<void> {
  try {
    const now = new Date(Math.max(...batch.map((waiting) => waiting.now.getTime())))
    const tasks = batch.map((waiting) => waiting.task)
    const outcomes = await commit(tasks, { now, ...how })
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

/**
 * Shares turns at something scarce fairly: first among lanes, then among the networks of a lane, then among the
 * accounts of a network. A caller with many calls waits behind its own calls. Another caller's single call comes soon.
 * The accounts behind a phone network's gateway each get a turn.
 */
import { overloaded } from '../overload.ts'

/** A caller's place in the queue. */
export interface Turn {
  lane: string
  network: string
  account: string
  /** True if the caller has hung up. Its work is then skipped. */
  isGone(): boolean
}

interface Waiting {
  turn: Turn
  begin(): void
  /** True if the caller has gone or was refused. */
  isOver(): boolean
}

interface Options {
  atOnce: number
  /** The most calls of one account at once. Its other calls wait, even if there is room. */
  ofAccountMax: number
  /** A caller that waits longer is refused and told when to come back. */
  waitMsMax: number
}

export class Turns {
  private readonly options: Options
  private readonly root = new Branch()
  private readonly running = new Map<string, number>()
  private count = 0

  constructor(options: Options) {
    this.options = options
  }

  /** @throws Refusal SERVICE_UNAVAILABLE when the turn does not come in time, or the caller has hung up */
  async take<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve, reject) => {
      let isLate = false
      const refuse = (why: string) => reject(overloaded(why, this.options.waitMsMax))
      const timer = setTimeout(() => {
        isLate = true
        refuse('too many password checks wait')
      }, this.options.waitMsMax)
      const isOver = () => {
        if (!isLate && turn.isGone()) {
          clearTimeout(timer)
          refuse('a caller hung up before its password check')
        }
        return isLate || turn.isGone()
      }
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      this.root.add([turn.lane, turn.network, turn.account], { turn, begin, isOver })
      this.beginNext()
    })
    try {
      return await work()
    } finally {
      this.count--
      const left = this.runningOf(turn) - 1
      if (left === 0) this.running.delete(turn.account)
      else this.running.set(turn.account, left)
      this.beginNext()
    }
  }

  private beginNext(): void {
    const mayBegin = ({ turn }: Waiting) => this.runningOf(turn) < this.options.ofAccountMax
    while (this.count < this.options.atOnce) {
      const next = this.root.next(mayBegin)
      if (!next) return
      this.count++
      this.running.set(next.turn.account, this.runningOf(next.turn) + 1)
      next.begin()
    }
  }

  private runningOf({ account }: Turn): number {
    return this.running.get(account) ?? 0
  }
}

/** A queue of queues. Each queue below has its turn and then goes to the end. */
class Branch {
  private readonly below = new Map<string, Branch>()
  private readonly waiting: Waiting[] = []

  add([name, ...rest]: readonly string[], one: Waiting): void {
    if (name === undefined) {
      this.waiting.push(one)
      return
    }
    let branch = this.below.get(name)
    if (!branch) this.below.set(name, (branch = new Branch()))
    branch.add(rest, one)
  }

  next(mayBegin: (one: Waiting) => boolean): Waiting | undefined {
    for (const [name, branch] of this.below) {
      const found = branch.next(mayBegin)
      if (found || branch.isEmpty) this.below.delete(name)
      if (!found) continue
      if (!branch.isEmpty) this.below.set(name, branch)
      return found
    }
    while (this.waiting[0]?.isOver()) this.waiting.shift()
    return this.waiting[0] && mayBegin(this.waiting[0]) ? this.waiting.shift() : undefined
  }

  private get isEmpty(): boolean {
    return this.below.size === 0 && this.waiting.length === 0
  }
}

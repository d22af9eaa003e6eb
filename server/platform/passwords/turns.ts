/**
 * Shares turns at something scarce fairly: first among lanes, then among the networks of a lane, then among the
 * accounts of a network. A caller with many calls waits behind its own calls. Another caller's single call comes soon.
 * The accounts behind a phone network's gateway each get a turn. A network without a turn lately does not wait behind
 * those that had one, however many they are.
 */
import { overloaded } from '../load/overload.ts'

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
  refuse(why: string): void
  /** True if the caller has gone or was refused. */
  isOver(): boolean
}

interface Options {
  atOnce: number
  /** The most calls of one account at once. Its other calls wait, even if there is room. */
  ofAccountMax: number
  /** A caller that waits longer is refused, with the time to come back. */
  waitMsMax: number
  /** When more callers wait, the last one of the network with the most is refused. */
  waitingMax: number
}

const LATELY_MS = 60_000
const TOO_MANY = 'too many password checks wait'

export class Turns {
  private readonly options: Options
  private readonly root = new Branch()
  private readonly running = new Map<string, number>()
  private count = 0
  /** All that wait, by network. */
  private readonly waiting = new Map<string, Set<Waiting>>()
  private waitingCount = 0
  /** When each network had its last turn, the oldest first. */
  private readonly lately = new Map<string, number>()

  constructor(options: Options) {
    this.options = options
  }

  /** @throws Refusal SERVICE_UNAVAILABLE when the turn does not come in time, or the caller has hung up */
  async take<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve, reject) => {
      let isOver = false
      const end = () => {
        isOver = true
        clearTimeout(timer)
        this.leave(one)
      }
      const one: Waiting = {
        turn,
        begin() {
          end()
          resolve()
        },
        refuse: (why) => {
          if (!isOver) reject(overloaded(why, this.options.waitMsMax))
          end()
        },
        isOver() {
          if (!isOver && turn.isGone()) one.refuse('a caller hung up before its password check')
          return isOver
        },
      }
      const timer = setTimeout(() => one.refuse(TOO_MANY), this.options.waitMsMax)
      this.enter(one)
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

  private enter(one: Waiting): void {
    const { lane, network, account } = one.turn
    this.root.add([this.lately.has(network) ? `${lane} again` : lane, network, account], one)
    const ofNetwork = this.waiting.get(network) ?? new Set()
    this.waiting.set(network, ofNetwork.add(one))
    if (++this.waitingCount <= this.options.waitingMax) return
    let most = ofNetwork
    for (const each of this.waiting.values()) if (each.size > most.size) most = each
    ;[...most].at(-1)?.refuse(TOO_MANY)
  }

  private leave(one: Waiting): void {
    const ofNetwork = this.waiting.get(one.turn.network)
    if (!ofNetwork?.delete(one)) return
    this.waitingCount--
    if (ofNetwork.size === 0) this.waiting.delete(one.turn.network)
  }

  private remember(network: string): void {
    const now = performance.now()
    this.lately.delete(network)
    this.lately.set(network, now)
    for (const [oldest, at] of this.lately) {
      if (now - at < LATELY_MS) return
      this.lately.delete(oldest)
    }
  }

  private beginNext(): void {
    const mayBegin = ({ turn }: Waiting) => this.runningOf(turn) < this.options.ofAccountMax
    while (this.count < this.options.atOnce) {
      const next = this.root.next(mayBegin)
      if (!next) return
      this.count++
      this.running.set(next.turn.account, this.runningOf(next.turn) + 1)
      this.remember(next.turn.network)
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

/**
 * How long to wait before a server that has ended is started again. A death now and then is answered at once: every
 * moment of pause is one in which nobody can buy. Only one that keeps dying soon after its start is given time.
 */

/** A server that ran this long was healthy: its end is a new story. */
const HEALTHY_MS = 5_000
/** So many early deaths in a row are bad luck, or somebody who kills. */
const IMMEDIATE_RESTARTS = 3
const PAUSE_MS_MIN = 100
/** One that gets ready each time may well serve between two deaths. */
const PAUSE_AFTER_DEATH_MS_MAX = 2_000
/** One that does not start needs somebody to do something, such as emptying the disk. */
const PAUSE_AFTER_FAILURE_MS_MAX = 30_000

export class RestartPause {
  private early = 0
  private failures = 0

  /** It was ready, and has ended after `ranMs`. @returns milliseconds to wait */
  afterDeath(ranMs: number): number {
    this.failures = 0
    this.early = ranMs >= HEALTHY_MS ? 0 : this.early + 1
    return doubled(this.early - IMMEDIATE_RESTARTS, PAUSE_AFTER_DEATH_MS_MAX)
  }

  /** It did not get ready. @returns milliseconds to wait */
  afterFailure(): number {
    this.failures += 1
    return doubled(this.failures, PAUSE_AFTER_FAILURE_MS_MAX)
  }
}

/** 0, then 100, 200, 400 … */
const doubled = (times: number, maxMs: number): number =>
  times <= 0 ? 0 : Math.min(maxMs, PAUSE_MS_MIN * 2 ** Math.min(times - 1, 20))

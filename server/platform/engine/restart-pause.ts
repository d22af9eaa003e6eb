/**
 * Decides how long to wait before a dead server is started again. A rare death gets no pause, because nobody can buy
 * during it. Only a server that keeps dying soon after its start gets one.
 */

/** A server that ran this long was healthy, so its death starts a new count. */
const HEALTHY_MS = 5_000
/** This many early deaths in a row may be bad luck or kills by hand. */
const IMMEDIATE_RESTARTS = 3
const PAUSE_MS_MIN = 100
/** Short, because a server that gets ready each time can serve between two deaths. */
const PAUSE_AFTER_DEATH_MS_MAX = 2_000
/** Long, because a server that does not start needs help, such as more disk space. */
const PAUSE_AFTER_FAILURE_MS_MAX = 30_000

export class RestartPause {
  private early = 0
  private failures = 0

  /** Counts the end of a server that was ready and ran for `ranMs`. @returns milliseconds to wait */
  afterDeath(ranMs: number): number {
    this.failures = 0
    this.early = ranMs >= HEALTHY_MS ? 0 : this.early + 1
    return doubled(this.early - IMMEDIATE_RESTARTS, PAUSE_AFTER_DEATH_MS_MAX)
  }

  /** Counts a start that did not get ready. @returns milliseconds to wait */
  afterFailure(): number {
    this.failures += 1
    return doubled(this.failures, PAUSE_AFTER_FAILURE_MS_MAX)
  }
}

/** 0, then 100, 200, 400 … */
const doubled = (times: number, maxMs: number): number =>
  times <= 0 ? 0 : Math.min(maxMs, PAUSE_MS_MIN * 2 ** Math.min(times - 1, 20))

/** A clock that a drill moves on for all nodes at once: the machine's, and what a file says that it is ahead. */
import { openSync, readSync, writeFileSync } from 'node:fs'
import type { Clock } from '../../server/platform/clock.ts'

const DIGITS = 16

export function movedClock(file: string): Clock & { aheadMs(): number } {
  const opened = openSync(file, 'r')
  const text = Buffer.alloc(DIGITS)
  const aheadMs = () => {
    readSync(opened, text, 0, DIGITS, 0)
    return Number(text.toString())
  }
  return { aheadMs, now: () => new Date(Date.now() + aheadMs()) }
}

/** Moves the clocks that read this file. Always of one length, so nobody reads a half-written number. */
export const moveClock = (file: string, aheadMs: number): void =>
  writeFileSync(file, String(aheadMs).padStart(DIGITS, '0'), { flag: 'r+' })

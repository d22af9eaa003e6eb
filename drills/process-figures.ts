/** The kernel's figures of a process; Linux alone. */
import { readFileSync } from 'node:fs'

/** A tick in /proc, fixed at 100 a second for programs on every platform of Linux. */
const TICK_MS = 10

/** Returns resident memory; 0 when the process is gone. */
export function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Returns the CPU time of all threads since the process began, in steps of 10 ms. @throws when the process is gone */
export function cpuMs(pid: number): number {
  // Cuts after the last parenthesis, because the name before it may have spaces. Fields 12 and 13 after it are user
  // and system time
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

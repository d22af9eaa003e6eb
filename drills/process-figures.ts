/** What the kernel says of a process; Linux alone. */
import { readFileSync } from 'node:fs'

/** Of a tick in /proc: fixed for programs at 100 a second on every platform that Linux runs on. */
const TICK_MS = 10

/** Resident memory; 0 when the process is gone. */
export function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** CPU time of all threads since the process began, in steps of 10 ms. @throws when the process is gone */
export function cpuMs(pid: number): number {
  // The name before the last parenthesis may hold spaces. Of what follows it, fields 12 and 13 are user and system time
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

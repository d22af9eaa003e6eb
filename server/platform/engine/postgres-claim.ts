/**
 * Who may start a server on a data directory: one process at a time, because two servers would destroy it.
 *
 * Node has no file locks, and "remove the stale lock, make a new one" lets two processes each remove
 * the other's. So a claim is a numbered file, and the highest number counts. Whoever finds that its
 * holder is gone makes the next number, which the file system grants to one process only. The highest
 * is never removed, only marked as given up; so nobody can mistake an old state for the present one.
 *
 * A process id says nothing about another container or machine that shares the directory. A claim from
 * there counts as held until its holder, which touches it every few seconds, was seen to be silent.
 */
import {
  linkSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { birthOf, bootId } from './postgres-processes.ts'

const BEAT_INTERVAL_MS = 3_000
export const SILENCE_MS = 10_000
/** So old by the clock that it need not be watched; clocks of two machines differ by less. */
const ABANDONED_MS = 60_000

/** What the holder of a claim says of itself. */
interface Holder {
  pid: number
  birth: string
  /** Processes of one place can see each other. */
  place: string
  host: string
  /** The server that takes connections; 0 while there is none. */
  serverPid: number
}

const NOBODY: Holder = { pid: 0, birth: '', place: '', host: '', serverPid: 0 }

export type Ownership =
  /** `serverPid` is 0 until the owner's server is ready. */
  | { by: 'process'; pid: number; serverPid: number }
  /** Another container or machine; `beat` changes while it lives. */
  | { by: 'elsewhere'; host: string; beat: number }

export class Claim {
  private readonly heart: NodeJS.Timeout

  private constructor(
    private readonly dataDir: string,
    private readonly number: number,
  ) {
    this.heart = setInterval(() => this.beat(), BEAT_INTERVAL_MS).unref()
  }

  /**
   * Becomes the owner, or answers who is. An owner elsewhere whose beat is still `silentBeat` counts as gone:
   * the caller has watched it for SILENCE_MS.
   */
  static take(dataDir: string, silentBeat?: number): Claim | Ownership {
    for (;;) {
      const last = highestNumber(dataDir)
      const owner = ownership(dataDir, last)
      if (owner !== undefined && !(owner.by === 'elsewhere' && owner.beat === silentBeat)) return owner

      const mine = last + 1
      if (!writeOnce(dataDir, mine, thisProcess(0))) continue
      if (highestNumber(dataDir) !== mine) {
        // While this process slept, others came and went and tidied the number away.
        rmSync(fileOf(dataDir, mine), { force: true })
        continue
      }
      for (const old of numbers(dataDir)) if (old < mine) rmSync(fileOf(dataDir, old), { force: true })
      return new Claim(dataDir, mine)
    }
  }

  /** Tells the processes that wait for it that this server takes connections. */
  announce(serverPid: number): void {
    replace(this.dataDir, this.number, thisProcess(serverPid))
  }

  /** Lets the next process have it. */
  giveUp(): void {
    clearInterval(this.heart)
    replace(this.dataDir, this.number, NOBODY)
  }

  private beat(): void {
    try {
      utimesSync(fileOf(this.dataDir, this.number), new Date(), new Date())
    } catch {
      // The directory is gone or read-only; the server will say so in plainer words.
    }
  }
}

/** Who owns the server on this directory now; undefined when nobody does. */
export const ownerOf = (dataDir: string): Ownership | undefined => ownership(dataDir, highestNumber(dataDir))

function ownership(dataDir: string, number: number): Ownership | undefined {
  const { pid, birth, place, host, serverPid } = readHolder(dataDir, number)
  if (pid === 0) return undefined
  if (place === thisPlace()) return birthOf(pid) === birth ? { by: 'process', pid, serverPid } : undefined
  const beat = statSync(fileOf(dataDir, number), { throwIfNoEntry: false })?.mtimeMs
  if (beat === undefined || Math.abs(Date.now() - beat) > ABANDONED_MS) return undefined
  return { by: 'elsewhere', host, beat }
}

function readHolder(dataDir: string, number: number): Holder {
  try {
    return { ...NOBODY, ...(JSON.parse(readFileSync(fileOf(dataDir, number), 'utf8')) as Partial<Holder>) }
  } catch {
    // Number 0, which is no file, or an empty file after a power cut, whose writer cannot be alive.
    return NOBODY
  }
}

const thisProcess = (serverPid: number): Holder => ({
  pid: process.pid,
  birth: birthOf(process.pid) ?? '',
  place: thisPlace(),
  host: hostname(),
  serverPid,
})

function thisPlace(): string {
  try {
    return `${bootId()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** Makes the claim with its content in one step; false when another process has this number already. */
function writeOnce(dataDir: string, number: number, holder: Holder): boolean {
  const draft = writeDraft(dataDir, holder)
  try {
    linkSync(draft, fileOf(dataDir, number))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function replace(dataDir: string, number: number, holder: Holder): void {
  renameSync(writeDraft(dataDir, holder), fileOf(dataDir, number))
}

function writeDraft(dataDir: string, holder: Holder): string {
  const draft = `${dataDir}.claim-draft-${hostname()}-${process.pid}`
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 })
  return draft
}

function numbers(dataDir: string): number[] {
  const prefix = `${path.basename(dataDir)}.claim-`
  return readdirSync(path.dirname(dataDir))
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
}

const highestNumber = (dataDir: string): number => Math.max(0, ...numbers(dataDir))
const fileOf = (dataDir: string, number: number): string => `${dataDir}.claim-${number}`

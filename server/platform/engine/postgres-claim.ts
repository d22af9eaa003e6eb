/**
 * Lets one process at a time start a server on a data directory, because two servers would destroy it.
 *
 * Node has no file locks. Two processes that each remove a stale lock and make a new one could remove each other's. So
 * a claim is a numbered file, and the highest number counts. A process that finds the holder gone makes the next
 * number, and the file system grants that to one process only. The highest file is never removed, only marked as given
 * up, so that nobody mistakes an old state for the present one.
 *
 * A process id means nothing in another container or on another machine that shares the directory. A claim from there
 * counts as held until its holder, which touches it every few seconds, was watched and stayed silent.
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
/** A claim of this age need not be watched, because the clocks of two machines differ by less. */
const ABANDONED_MS = 60_000

/** The holder of a claim, as written in its file. */
interface Holder {
  pid: number
  birth: string
  /** Processes of one place can see each other. */
  place: string
  host: string
  /** The server's process id; 0 until it takes connections. */
  serverPid: number
}

const NOBODY: Holder = { pid: 0, birth: '', place: '', host: '', serverPid: 0 }

type Ownership =
  /** `serverPid` is 0 until the owner's server is ready. */
  | { by: 'process'; pid: number; serverPid: number }
  /** Another container or machine. `beat` changes while it lives. */
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
   * Becomes the owner, or returns the present one. An owner elsewhere whose beat is still `silentBeat` counts as gone,
   * because the caller has watched it for SILENCE_MS.
   */
  static take(dataDir: string, silentBeat?: number): Claim | Ownership {
    for (;;) {
      const last = highestNumber(dataDir)
      const owner = ownership(dataDir, last)
      if (owner !== undefined && !(owner.by === 'elsewhere' && owner.beat === silentBeat)) return owner

      const mine = last + 1
      if (!writeOnce(dataDir, mine, thisProcess(0))) continue
      if (highestNumber(dataDir) !== mine) {
        // While this process slept, other owners came and went and removed the number.
        rmSync(fileOf(dataDir, mine), { force: true })
        continue
      }
      for (const old of numbers(dataDir)) if (old < mine) rmSync(fileOf(dataDir, old), { force: true })
      return new Claim(dataDir, mine)
    }
  }

  /** Tells waiting processes that this server takes connections. */
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
      // The directory is gone or read-only. The server reports that more clearly.
    }
  }
}

/** Returns the present owner of the server on this directory; undefined if there is none. */
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
    // Number 0 has no file. After a power cut a file may be empty, and its writer cannot be alive.
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

/** Creates the claim with its content in one step. @returns false if another process has this number */
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

export const inWords = (owner: Ownership): string =>
  owner.by === 'process'
    ? `process ${owner.pid} is starting it`
    : `another container or machine (${owner.host}) used it a moment ago`

export const inUseElsewhere = (dataDir: string, host: string): Error =>
  new Error(
    `The database in ${dataDir} is in use by another container or machine (${host}). Only one can use it at a time. ` +
      'Stop the other one, or set the same DATABASE_URL for both.',
  )

/** A drill and its result. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface DrillOptions {
  /** A shorter cut, for the test command. */
  quick: boolean
  /** How often it is done, in place of the drill's own number. */
  count: number | undefined
  /** Does what the drill must notice. */
  control: boolean
  /** Only those of them with this in their name. */
  plant: string | undefined
  /** Loses half of what was done and goes on from a backup. */
  restore: boolean
  /** Patroni decides which database is the primary. */
  patroni: boolean
  /** How large a store is made where its size is the question. */
  gigabytes: number
  say(line: string): void
  /** Directories to remove when the drill is over. */
  directories: string[]
}

export interface Finding {
  passed: boolean
  /** True where this machine can't run it. Then it has neither passed nor failed. */
  skipped?: true
  /** The counts, one line each. */
  figures: string[]
  proved: string
  cannotProve: string
}

export type Drill = (options: DrillOptions) => Promise<Finding>

/**
 * What a time may be in this run. The short cuts are part of the test command, on whatever machine and beside whatever
 * else: there they only find what is out of all proportion; the figures are those of the whole drill.
 */
export const within = (ms: number, { quick }: Pick<DrillOptions, 'quick'>): number => ms * (quick ? 10 : 1)

/** Makes a directory that is removed when the drill is over. */
export function newDirectory(directories: string[]): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'chaabi-drill-'))
  directories.push(directory)
  return directory
}

/** @returns the least value that this share of them does not exceed */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0
}

export const ms = (value: number): string => `${Math.round(value)} ms`

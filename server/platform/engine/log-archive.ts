/**
 * Archives the log of the embedded database (ARCHIVE_WAL). With a base copy it restores any later moment. The engine
 * copies each full segment, and once a minute an unfinished one, into a spool that only its own account can enter. The
 * store encrypts the segments of the spool into the archive, which only the owner can read.
 *
 * `DATA_DIR/archive/SYSTEM/` belongs to one cluster. It holds base copies, `chaabi-TIME-SEGMENT.base`, which need the
 * log from SEGMENT on, and the archived log, `SEGMENT.wal`. A segment that no base copy needs is not kept.
 */
import { constants, existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { endianness } from 'node:os'
import path from 'node:path'
import { machineClock } from '../clock.ts'
import { newId } from '../ids.ts'
import { newSalt, writeSealed, type SealingKey } from '../secrets/sealed-file.ts'

const SEGMENT = /^[0-9A-F]{24}$/
const SEALED = /^([0-9A-F]{24})\.wal$/
const BASE = /^chaabi-(\d{8}T\d{6}Z)-([0-9A-F]{24})\.base$/
/** The name's end of an unfinished base copy, which needs the log already. */
export const UNPROVEN = '.base.unproven'
/** Parts of files, copies that were not proved, and copies that were being read back. */
const UNFINISHED = /\.part$|\.unproven$|^\.copy-/
/** A copy takes minutes. An unfinished one of this age was left by a kill. */
const UNPROVEN_MS_MAX = 24 * 3_600_000
/** The place of the cluster's number in the long header of a segment's first page. */
const SYSTEM_AT_BYTE = 24
const BASES_KEPT = 2
const LOOK_INTERVAL_MS = 1_000
/** Low, because most segments are nearly empty and compress well anyway. */
const GZIP_LEVEL = 1

/** The engine hands over an unfinished segment after this time if it has changes, in seconds. */
export const ARCHIVE_TIMEOUT_S = 60

export const archiveDirectory = (dataDir: string): string => path.join(dataDir, 'archive')
/** @param cluster the cluster's directory */
export const spoolOf = (cluster: string): string => `${cluster}.archive`
const spoolIn = (dataDir: string): string => spoolOf(path.join(dataDir, 'postgres'))

/** Returns settings to archive into a spool. A segment counts as archived when it is on the disk there. */
export function archiveSettings(spool: string): Record<string, string> {
  const quoted = (name: string) =>
    `'${path
      .join(spool, name)
      .replaceAll('%', '%%')
      .replaceAll("'", String.raw`'\''`)}'`
  const to = (suffix: string) => `${quoted('')}/%f${suffix}`
  return {
    archive_mode: 'on',
    archive_timeout: String(ARCHIVE_TIMEOUT_S),
    archive_command: [
      `cp "%p" ${to('.part')}`,
      `sync ${to('.part')}`,
      `mv ${to('.part')} ${to('')}`,
      `sync ${quoted('')}`,
    ].join(' && '),
  }
}

interface Base {
  file: string
  madeAt: Date
  /** The first segment of the log that it needs. */
  from: string
}

/** Lists the base copies of one cluster, newest first by their log, because a clock may have been wrong. */
export async function listBases(directory: string): Promise<Base[]> {
  return (await namesIn(directory))
    .flatMap((name) => {
      const [, time, from] = BASE.exec(name) ?? []
      if (time === undefined || from === undefined) return []
      return [{ file: path.join(directory, name), madeAt: fromStamp(time), from }]
    })
    .toSorted((a, b) => (b.from > a.from ? 1 : -1))
}

/** Lists the archived segments of one cluster, oldest first. */
export async function listSegments(directory: string): Promise<string[]> {
  return (await namesIn(directory)).flatMap((name) => SEALED.exec(name)?.[1] ?? []).toSorted()
}

export const segmentFile = (directory: string, segment: string): string => path.join(directory, `${segment}.wal`)

/** "20261121T120000Z" */
export const toStamp = (at: Date): string => at.toISOString().replaceAll(/[-:]|\.\d+/g, '')
export const fromStamp = (stamp: string): Date =>
  new Date(stamp.replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'))

/** Returns the next segment's name. Its last eight digits count to 255, then the eight before them go on. */
export function nextSegment(segment: string): string {
  const low = Number.parseInt(segment.slice(16), 16) + 1
  const high = Number.parseInt(segment.slice(8, 16), 16) + (low > 0xff ? 1 : 0)
  const digits = (value: number) => value.toString(16).toUpperCase().padStart(8, '0')
  return segment.slice(0, 8) + digits(high) + digits(low & 0xff)
}

/** Returns the first missing segment from `from` on, if there is a gap. */
export function findGap(segments: readonly string[], from: string): string | undefined {
  let expected = from
  for (const segment of segments.filter((each) => each >= from)) {
    if (segment !== expected) return expected
    expected = nextSegment(segment)
  }
  return undefined
}

/**
 * Encrypts the segments of the spool into the archive and removes them from the spool. Several processes may do it at
 * once, and it may be interrupted at any moment.
 * @returns the number of archived segments
 */
export async function sealSpool(dataDir: string, key: SealingKey, salt = newSalt()): Promise<number> {
  const spool = spoolIn(dataDir)
  let sealed = 0
  for (const name of (await namesIn(spool)).toSorted()) {
    if (name.endsWith('.part')) continue
    const file = path.join(spool, name)
    if (SEGMENT.test(name) && (await sealSegment(dataDir, file, key, salt))) sealed++
    await rm(file, { force: true })
  }
  return sealed
}

async function sealSegment(dataDir: string, file: string, key: SealingKey, salt: Buffer): Promise<boolean> {
  // Follows no link, because the database account could plant one and this may run as root
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (handle === undefined) return false
  try {
    const { buffer } = await handle.read(Buffer.alloc(8), 0, 8, SYSTEM_AT_BYTE)
    const system = endianness() === 'LE' ? buffer.readBigUInt64LE() : buffer.readBigUInt64BE()
    const directory = path.join(archiveDirectory(dataDir), String(system))
    const needed = (await namesIn(directory)).some((name) => BASE.test(name) || name.endsWith(UNPROVEN))
    if (!needed) return false
    const place = segmentFile(directory, path.basename(file))
    const beside = `${place}.${newId()}.part`
    try {
      await writeSealed(beside, 'WALSEG', key, handle.createReadStream({ start: 0, autoClose: false }), {
        level: GZIP_LEVEL,
        salt,
      })
      await rename(beside, place)
    } catch (error) {
      await rm(beside, { force: true })
      throw error
    }
    await syncDirectory(directory)
    return true
  } finally {
    await handle.close()
  }
}

/** Deletes what killed commands left unfinished. */
export async function forgetUnfinished(directory: string): Promise<void> {
  for (const name of await namesIn(directory)) {
    if (!UNFINISHED.test(name)) continue
    const file = path.join(directory, name)
    if (machineClock.now().getTime() - (await changedMs(file)) > UNPROVEN_MS_MAX)
      await rm(file, { recursive: true, force: true })
  }
}

const changedMs = async (file: string): Promise<number> =>
  (await stat(file).catch(() => ({ mtimeMs: Infinity }))).mtimeMs

/** Deletes all but the newest two base copies, old unfinished files, and segments that no copy needs. */
export async function pruneArchive(directory: string): Promise<void> {
  const bases = await listBases(directory)
  for (const { file } of bases.slice(BASES_KEPT)) await rm(file)
  await forgetUnfinished(directory)
  const oldest = bases.slice(0, BASES_KEPT).at(-1)
  if (oldest === undefined) return
  for (const segment of await listSegments(directory))
    if (segment < oldest.from) await rm(segmentFile(directory, segment), { force: true })
}

/** True if an embedded engine has archived here. */
export const isSpooled = (dataDir: string): boolean => existsSync(spoolIn(dataDir))

/** Returns the time when the oldest segment in the spool arrived there, by the machine's clock. */
export async function oldestInSpool(dataDir: string): Promise<Date | undefined> {
  const spool = spoolIn(dataDir)
  const names = (await namesIn(spool)).filter((name) => !name.endsWith('.part'))
  const oldest = Math.min(...(await Promise.all(names.map((name) => changedMs(path.join(spool, name))))))
  return Number.isFinite(oldest) ? new Date(oldest) : undefined
}

/** Archives while the store runs. Call `stop` after the engine's end, because it archives the last segments. */
export function startArchiver(
  dataDir: string,
  keyNow: () => Promise<SealingKey>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const salt = newSalt()
  let complaint = ''
  let sealing: Promise<void> = Promise.resolve()
  const seal = async () => {
    try {
      if ((await oldestInSpool(dataDir)) !== undefined) await sealSpool(dataDir, await keyNow(), salt)
      complaint = ''
    } catch (error) {
      const { message } = error as Error
      if (message !== complaint) onError(error)
      complaint = message
    }
  }
  let timer: NodeJS.Timeout | undefined
  const again = () => {
    timer = setTimeout(() => {
      sealing = seal().then(again)
    }, LOOK_INTERVAL_MS)
    timer.unref()
  }
  let stopped = false
  sealing = seal().then(again)
  return {
    async stop() {
      if (stopped) return
      stopped = true
      await sealing
      clearTimeout(timer)
      await seal()
    },
  }
}

/** Creates the archive's directory for one cluster. @param system the cluster's number */
export async function archiveOf(dataDir: string, system: string): Promise<string> {
  const directory = path.join(archiveDirectory(dataDir), system)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  return directory
}

export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const namesIn = (directory: string): Promise<string[]> =>
  readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })

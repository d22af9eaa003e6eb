/**
 * The log of the embedded database, kept (ARCHIVE_WAL): with a copy of the cluster's files it gives back any moment
 * since. The engine copies each full segment, and once a minute a part of one, into a spool beside the cluster that
 * only its own account can enter; the store seals what is there into the archive, which is the owner's alone.
 *
 * `DATA_DIR/archive/SYSTEM/` holds one cluster's: `chaabi-TIME-SEGMENT.base`, a copy that needs the log from SEGMENT
 * on, and `SEGMENT.wal`. A segment that no copy needs is not kept.
 */
import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { endianness } from 'node:os'
import path from 'node:path'
import { newId } from '../ids.ts'
import { newSalt, writeSealed, type SealingKey } from '../sealed-file.ts'

const SEGMENT = /^[0-9A-F]{24}$/
const SEALED = /^([0-9A-F]{24})\.wal$/
const BASE = /^chaabi-(\d{8}T\d{6}Z)-([0-9A-F]{24})\.base$/
/** A copy that is being made, and needs the log already. */
export const UNPROVEN = '.base.unproven'
/** A copy takes minutes; one that is so old was given up by a kill. */
const UNPROVEN_MS_MAX = 24 * 3_600_000
/** In the long header of a segment's first page: the number of the cluster that wrote it. */
const SYSTEM_AT_BYTE = 24
const BASES_KEPT = 2
const LOOK_INTERVAL_MS = 1_000
/** Mostly empty segments: the least effort packs them well. */
const GZIP_LEVEL = 1

/** How old what is not in the archive yet may get, while something happens; seconds. */
export const ARCHIVE_TIMEOUT_S = 60

export const archiveDirectory = (dataDir: string): string => path.join(dataDir, 'archive')
/** @param cluster the cluster's directory */
export const spoolOf = (cluster: string): string => `${cluster}.archive`
const spoolIn = (dataDir: string): string => spoolOf(path.join(dataDir, 'postgres'))

/** What makes an engine archive into a spool. A segment counts as archived when it is on the disk there. */
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
    archive_command: `cp "%p" ${to('.part')} && sync ${to('.part')} && mv ${to('.part')} ${to('')} && sync ${quoted('')}`,
  }
}

export interface Base {
  file: string
  madeAt: Date
  /** The first segment of the log that it needs. */
  from: string
}

/** The copies of one cluster, newest first. */
export async function listBases(directory: string): Promise<Base[]> {
  const names = await namesIn(directory)
  return names
    .flatMap((name) => {
      const [, time, from] = BASE.exec(name) ?? []
      if (time === undefined || from === undefined) return []
      return [{ file: path.join(directory, name), madeAt: fromStamp(time), from }]
    })
    .toSorted((a, b) => b.madeAt.getTime() - a.madeAt.getTime())
}

/** The segments of one cluster that are in the archive, oldest first. */
export async function listSegments(directory: string): Promise<string[]> {
  return (await namesIn(directory)).flatMap((name) => SEALED.exec(name)?.[1] ?? []).toSorted()
}

export const segmentFile = (directory: string, segment: string): string => path.join(directory, `${segment}.wal`)

/** "20261121T120000Z" */
export const toStamp = (at: Date): string => at.toISOString().replaceAll(/[-:]|\.\d+/g, '')
const fromStamp = (stamp: string): Date => new Date(stamp.replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'))

/** Segments of 16 MB count to 255 in their last eight digits, then the eight before go on. */
export function nextSegment(segment: string): string {
  const low = Number.parseInt(segment.slice(16), 16) + 1
  const high = Number.parseInt(segment.slice(8, 16), 16) + (low > 0xff ? 1 : 0)
  const digits = (value: number) => value.toString(16).toUpperCase().padStart(8, '0')
  return segment.slice(0, 8) + digits(high) + digits(low & 0xff)
}

/** The first segment that is missing between the first and the last, if one is. */
export function findGap(segments: readonly string[], from: string): string | undefined {
  let expected = from
  for (const segment of segments.filter((each) => each >= from)) {
    if (segment !== expected) return expected
    expected = nextSegment(segment)
  }
  return undefined
}

/**
 * Seals what the engine has put into the spool and takes it away there. May be done by several processes at once,
 * and cut off at any moment.
 * @returns how many segments
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
  // The database's account could lay a link there, and this may run as root
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

/** Lets the copies beyond the newest two go, what was given up, and the log that none of the others needs. */
export async function pruneArchive(directory: string, now: Date): Promise<void> {
  const bases = await listBases(directory)
  for (const { file } of bases.slice(BASES_KEPT)) await rm(file)
  for (const name of await namesIn(directory)) {
    if (!name.endsWith('.part') && !name.endsWith(UNPROVEN)) continue
    const file = path.join(directory, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }))
    if (now.getTime() - mtimeMs > UNPROVEN_MS_MAX) await rm(file, { force: true })
  }
  const oldest = bases.slice(0, BASES_KEPT).at(-1)
  if (oldest === undefined) return
  for (const segment of await listSegments(directory))
    if (segment < oldest.from) await rm(segmentFile(directory, segment), { force: true })
}

/** Whether an embedded engine has archived here. */
export const isSpooled = (dataDir: string): Promise<boolean> =>
  stat(spoolIn(dataDir)).then(
    () => true,
    () => false,
  )

/** When the oldest segment that waits in the spool came there. */
export async function oldestInSpool(dataDir: string): Promise<Date | undefined> {
  const spool = spoolIn(dataDir)
  const times = await Promise.all(
    (await namesIn(spool))
      .filter((name) => !name.endsWith('.part'))
      .map((name) =>
        stat(path.join(spool, name)).then(
          ({ mtime }) => mtime.getTime(),
          () => Infinity,
        ),
      ),
  )
  const oldest = Math.min(...times)
  return Number.isFinite(oldest) ? new Date(oldest) : undefined
}

/** Seals while the store runs. `stop` seals what the engine leaves when it ends: call it after that. */
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

/** Makes the directory of one cluster. @param system its number */
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

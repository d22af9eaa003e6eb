/**
 * A copy of the embedded cluster's files, made while the store sells, and what turns it and the archived log back
 * into a database as it was at one moment. The programs that come with the embedded engine have no pg_basebackup, so
 * this does what the manual calls the low-level way: pg_backup_start, the files, pg_backup_stop.
 *
 * Inside of the sealed file: a line of JSON as a header; for each file or directory a line that names it, and a
 * file's bytes in pieces, each after its length in four bytes, up to a length of zero; a line that says it is the end.
 */
import { chownSync, constants, createWriteStream, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { access, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { sql, type Database, type DatabaseOptions } from './database.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'
import { listSegments, nextSegment, segmentFile } from './log-archive.ts'
import { findPrograms, majorVersion, privateDirectory } from './postgres-cluster.ts'
import { chooseAccount, type Account } from './postgres-identity.ts'
import { birthOf } from './postgres-processes.ts'
import { newId } from './ids.ts'
import { openSealed, writeSealed, type SealingKey } from './sealed-file.ts'

const Header = z.object({
  /** When the copying began, by the database's clock: what was there then is in it, whatever moment is asked for. */
  madeAt: z.string(),
  major: z.string(),
  /** The first segment of the log that it needs. */
  from: z.string(),
  /** The store's secrets, in base64, where a passphrase guards the file. */
  secrets: z.optional(z.array(z.string())),
})
export type BaseHeader = z.output<typeof Header>
const Entry = z.union([
  z.object({ file: z.string() }),
  z.object({ directory: z.string() }),
  z.object({ end: z.literal(true) }),
])

/** What a running server keeps for itself: made anew, or only true of this run (the manual, "Making a base backup"). */
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|current_logfiles|backup_(label|manifest)(\.old)?|tablespace_map(\.old)?|(recovery|standby)\.signal)$|(^|\/)(pgsql_tmp[^/]*|pg_internal\.init[^/]*)$/
/** Directories that have to be there, and are filled anew. */
const EMPTIED = new Set(
  'pg_wal pg_replslot pg_dynshmem pg_notify pg_serial pg_snapshots pg_stat_tmp pg_subtrans'.split(' '),
)
/** Read in pieces of so many bytes. */
const PIECE_BYTES = 64 * 1024
const COPY_TIMEOUT_MS = 4 * 3_600_000

/**
 * Copies the cluster into `file`, with the log that makes a whole of it archived when this resolves.
 * @param db as the engine's superuser, on the same machine
 * @returns the first segment of the log that the copy needs
 */
export async function writeBase(
  db: Database,
  cluster: string,
  file: string,
  key: SealingKey,
  header: Pick<BaseHeader, 'secrets'>,
): Promise<{ from: string; bytes: number }> {
  let from = ''
  const bytes = await db.transaction(
    async (tx) => {
      // The session waits while the files are copied
      await tx.run(sql`set local idle_in_transaction_session_timeout = 0`)
      const { tablespaces } = await tx.one(
        z.object({ tablespaces: z.number() }),
        sql`select count(*) as tablespaces from pg_tablespace where spcname not in ('pg_default', 'pg_global')`,
      )
      if (tablespaces > 0) throw new Error('A database with tablespaces of its own is not copied')
      async function* content(): AsyncGenerator<string | Buffer> {
        const start = await tx.one(
          z.object({ from: z.string(), major: z.string(), madeAt: z.string() }),
          sql`
          select pg_walfile_name(pg_backup_start('chaabi', true)) as from, to_json(clock_timestamp()) #>> '{}' as "madeAt",
                 (current_setting('server_version_num')::int / 10000)::text as major`,
        )
        from = start.from
        yield `${JSON.stringify({ ...header, ...start } satisfies BaseHeader)}\n`
        yield* filesOf(cluster, '')
        const { label } = await tx.one(
          z.object({ label: z.string() }),
          sql`select labelfile as label from pg_backup_stop(true)`,
        )
        yield* oneFile('backup_label', [Buffer.from(label)])
        yield `${JSON.stringify({ end: true })}\n`
      }
      return writeSealed(file, 'BASECP', key, content())
    },
    { statementTimeoutMs: COPY_TIMEOUT_MS },
  )
  return { from, bytes }
}

async function* filesOf(cluster: string, within: string): AsyncGenerator<string | Buffer> {
  const entries = await readdir(path.join(cluster, within), { withFileTypes: true }).catch(ifGone)
  for (const entry of entries ?? []) {
    const name = path.posix.join(within, entry.name)
    if (LEFT_OUT.test(name)) continue
    const [top = ''] = name.split('/')
    if (EMPTIED.has(top) && name !== top && !(top === 'pg_wal' && entry.isDirectory())) continue
    // The log may lie elsewhere, behind a link
    if (entry.isDirectory() || name === 'pg_wal') {
      yield `${JSON.stringify({ directory: name })}\n`
      yield* filesOf(cluster, name)
    } else if (entry.isFile()) {
      // A table that is dropped meanwhile is gone; the log says so too
      const handle = await open(path.join(cluster, name), constants.O_RDONLY | constants.O_NOFOLLOW).catch(ifGone)
      if (handle) yield* oneFile(name, handle.createReadStream({ highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>)
    }
  }
}

async function* oneFile(
  name: string,
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<string | Buffer> {
  yield `${JSON.stringify({ file: name })}\n`
  for await (const piece of pieces) {
    yield lengthOf(piece.length)
    yield piece
  }
  yield lengthOf(0)
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return length
}

function ifGone(cause: NodeJS.ErrnoException): undefined {
  if (cause.code !== 'ENOENT') throw cause
}

/** The first line. Read before the rest has proved to be unaltered: good for choosing what to do, no more. */
export async function readBaseHeader(file: string, key: SealingKey): Promise<BaseHeader> {
  const { plain, close } = await openSealed(file, 'BASECP', key)
  let line: string | undefined
  try {
    line = await new Pieces(plain).line()
  } catch {
    // Whatever it is, closing says it better
  }
  if (line === undefined) {
    await close()
    throw new Error(`${file} is empty`)
  }
  plain.destroy()
  return z.parse(Header, JSON.parse(line))
}

/** Bytes that come in chunks, taken in lines and in lengths. */
class Pieces {
  private rest: Buffer = Buffer.alloc(0)
  private readonly chunks: AsyncIterator<Buffer>

  constructor(source: AsyncIterable<Buffer>) {
    this.chunks = source[Symbol.asyncIterator]()
  }

  async line(): Promise<string> {
    for (let end = this.rest.indexOf(10); ; end = this.rest.indexOf(10)) {
      if (end >= 0) return this.take(end + 1).toString('utf8', 0, end)
      await this.more()
    }
  }

  async bytes(count: number): Promise<Buffer> {
    while (this.rest.length < count) await this.more()
    return this.take(count)
  }

  /** The tag that proves everything stands at the end. */
  async toEnd(): Promise<void> {
    while ((await this.chunks.next()).done !== true);
  }

  private take(count: number): Buffer {
    const taken = this.rest.subarray(0, count)
    this.rest = this.rest.subarray(count)
    return taken
  }

  private async more(): Promise<void> {
    const next = await this.chunks.next()
    if (next.done === true) throw new Error('It ends too early')
    this.rest = this.rest.length === 0 ? next.value : Buffer.concat([this.rest, next.value])
  }
}

export interface Recovery {
  /** The copy. */
  base: string
  baseKey: SealingKey
  /** Where its log is archived. */
  archive: string
  /** Opens the segments; the first that fits. */
  keys: readonly SealingKey[]
  /** Up to this moment, or as soon as the copy is a whole. */
  until: Date | 'whole'
  dataDir: string
  osUser: string | undefined
}

export interface Recovered {
  connection: Exclude<DatabaseOptions['connection'], string>
  /** A directory of its own, gone with `stop`. */
  directory: string
  /** When the last transaction before the moment was committed, as the engine says it. */
  lastChange: string | undefined
  stop(): Promise<void>
}

const PREFIX = 'recovering-'

/**
 * Runs a second database, beside the store's own, that is as that was at a moment.
 * @throws Error that says why not: the copy is younger, the log is not there, the files were altered
 */
export async function recover({ base, baseKey, archive, keys, until, dataDir, osUser }: Recovery): Promise<Recovered> {
  removeGivenUp(dataDir)
  const directory = path.join(dataDir, `${PREFIX}${process.pid}-${newId()}`)
  // The database's account must pass through, and can enter what is its own
  await mkdir(directory, { mode: 0o711, recursive: true })
  let feed: LogFeed | undefined
  let server: EmbeddedPostgres | undefined
  const stop = async () => {
    await server?.stop()
    await feed?.stop()
    await rm(directory, { recursive: true, force: true })
  }
  try {
    const programs = await findPrograms()
    const cluster = path.join(directory, 'postgres')
    const account = await chooseAccount(cluster, programs.postgres, osUser)
    const { major, from } = await readBaseHeader(base, baseKey)
    const here = await majorVersion(programs, account)
    if (major !== here)
      throw new Error(`${base} is of PostgreSQL ${major}, and this Chaabi brings PostgreSQL ${here}: use that Chaabi.`)
    if (!(await listSegments(archive)).includes(from))
      throw new Error(`There is no ${segmentFile(archive, from)}, which this copy needs.`)
    await unpack(base, baseKey, cluster, account)
    await writeFile(path.join(cluster, 'recovery.signal'), '', { mode: 0o600 })
    own(path.join(cluster, 'recovery.signal'), account)
    feed = await LogFeed.start(directory, archive, from, keys, account)
    server = await startEmbeddedPostgres({
      dataDir: cluster,
      log: () => {},
      osUser,
      attempts: 1,
      settings: {
        // It lives for minutes; what it holds is in the copy and in the log
        fsync: 'off',
        archive_mode: 'off',
        hot_standby: 'off',
        restore_command: feed.command,
        recovery_target_timeline: 'current',
        recovery_target_action: 'promote',
        ...(until === 'whole'
          ? { recovery_target: 'immediate' }
          : { recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00') }),
      },
    }).catch(async (error: unknown) => {
      throw feed?.failure ?? (await inWords(error as Error, until, `${cluster}.log`))
    })
    const said = await readFile(server.logFile, 'utf8')
    return {
      connection: { host: server.host, port: server.port, user: server.user, database: server.database },
      directory,
      lastChange: lastChangeIn(said),
      stop,
    }
  } catch (error) {
    await stop().catch(() => {})
    throw error
  }
}

const lastChangeIn = (log: string): string | undefined =>
  [...log.matchAll(/last completed transaction was at log time (\S+ \S+)/g)].at(-1)?.[1]

async function inWords(cause: Error, until: Date | 'whole', logFile: string): Promise<Error> {
  const log = await readFile(logFile, 'utf8').catch(() => '')
  const moment = until === 'whole' ? 'its end' : until.toISOString()
  if (/before consistent recovery point/.test(log))
    return new Error(`This copy was not whole yet at ${moment}: take one that was made earlier.`, { cause })
  if (/recovery ended before configured recovery target/.test(log)) {
    const last = lastChangeIn(log)
    return new Error(
      `The archived log does not reach ${moment}${last === undefined ? '' : `: the last change in it is of ${last} UTC`}. ` +
        'Give that moment or an earlier one, or put the segments that are missing into the archive.',
      { cause },
    )
  }
  return cause
}

/** What a process that was killed left. */
function removeGivenUp(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const pid = Number(/^recovering-(\d+)-/.exec(name)?.[1] ?? Number.NaN)
    if (Number.isNaN(pid) || (pid !== process.pid && birthOf(pid) !== undefined) || pid === process.pid) continue
    rmSync(path.join(dataDir, name), { recursive: true, force: true })
  }
}

async function unpack(base: string, key: SealingKey, cluster: string, account: Account): Promise<void> {
  const { plain, close } = await openSealed(base, 'BASECP', key)
  let failure: unknown
  try {
    const pieces = new Pieces(plain)
    await pieces.line()
    privateDirectory(cluster, account)
    for (;;) {
      const entry = z.parse(Entry, JSON.parse(await pieces.line()))
      if ('end' in entry) break
      if ('directory' in entry) {
        const place = placeIn(cluster, entry.directory)
        mkdirSync(place, { mode: 0o700 })
        own(place, account)
      } else {
        const place = placeIn(cluster, entry.file)
        await pipeline(contentOf(pieces), createWriteStream(place, { flags: 'wx', mode: 0o600 }))
        own(place, account)
      }
    }
    await pieces.toEnd()
  } catch (error) {
    failure = error
  }
  await close()
  if (failure !== undefined) throw new Error(`${base} cannot be read to its end`, { cause: failure })
}

async function* contentOf(pieces: Pieces): AsyncGenerator<Buffer> {
  for (;;) {
    const length = (await pieces.bytes(4)).readUInt32BE()
    if (length === 0) return
    yield await pieces.bytes(length)
  }
}

function placeIn(cluster: string, name: string): string {
  const place = path.join(cluster, name)
  if (!place.startsWith(cluster + path.sep)) throw new Error(`${name} is outside of the cluster`)
  return place
}

function own(place: string, account: Account): void {
  if (account.ids) chownSync(place, account.ids.uid, account.ids.gid)
}

const FEED_INTERVAL_MS = 10
/** Opened before they are asked for. */
const AHEAD = 2
/** Waits for what Node opens; a minute is for a machine that stands still. A code above 125 ends the recovery. */
const FETCH = `
name=$1 place=$2 feed=$3 asked=$4
grep -qx "$name" "$feed/list" || exit 1
: > "$asked/$name"
tries=0
until [ -e "$feed/$name" ]; do
  [ -e "$feed/broken" ] && exit 255
  tries=$((tries + 1))
  [ "$tries" -lt 6000 ] || exit 255
  sleep 0.01
done
cp "$feed/$name" "$place"
`

/**
 * Hands the engine the segments that it asks for, opened, a few at a time: a day of log would fill a disk. What Node
 * writes stands in a directory of its own; in the other one the engine's account only leaves names.
 */
class LogFeed {
  failure: Error | undefined
  readonly command: string
  private stopped = false
  private feeding: Promise<void> = Promise.resolve()

  private constructor(
    private readonly feed: string,
    private readonly asked: string,
    script: string,
    private readonly archive: string,
    private readonly keys: readonly SealingKey[],
    private readonly account: Account,
  ) {
    const quote = (text: string) => `'${text.replaceAll('%', '%%').replaceAll("'", String.raw`'\''`)}'`
    this.command = `/bin/sh ${quote(script)} %f "%p" ${quote(feed)} ${quote(asked)}`
  }

  static async start(
    directory: string,
    archive: string,
    from: string,
    keys: readonly SealingKey[],
    account: Account,
  ): Promise<LogFeed> {
    const [feed, asked, script] = ['log', 'asked', 'fetch.sh'].map((name) => path.join(directory, name)) as [
      string,
      string,
      string,
    ]
    await mkdir(feed, { mode: 0o711 })
    privateDirectory(asked, account)
    const segments = (await listSegments(archive)).filter((segment) => segment >= from)
    await writeFile(path.join(feed, 'list'), segments.map((segment) => `${segment}\n`).join(''), { mode: 0o644 })
    await writeFile(script, FETCH, { mode: 0o644 })
    const it = new LogFeed(feed, asked, script, archive, keys, account)
    it.feeding = it.run(new Set(segments))
    return it
  }

  async stop(): Promise<void> {
    this.stopped = true
    await this.feeding
  }

  private async run(segments: ReadonlySet<string>): Promise<void> {
    while (!this.stopped) {
      try {
        for (const name of (await readdir(this.asked)).toSorted())
          if (segments.has(name)) await this.serve(name, segments)
      } catch (error) {
        this.failure = error as Error
        await writeFile(path.join(this.feed, 'broken'), '', { mode: 0o644 })
        return
      }
      await sleep(FEED_INTERVAL_MS)
    }
  }

  private async serve(name: string, segments: ReadonlySet<string>): Promise<void> {
    const near = [name]
    for (let n = 0; n < AHEAD; n++) near.push(nextSegment(near.at(-1) ?? name))
    for (const segment of near) {
      if (!segments.has(segment)) continue
      if (!(await exists(path.join(this.feed, segment)))) await this.unseal(segment)
      if (segment === name) await rm(path.join(this.asked, name), { force: true })
    }
    for (const old of await readdir(this.feed))
      if (/^[0-9A-F]{24}$/.test(old) && !near.includes(old)) await rm(path.join(this.feed, old))
  }

  private async unseal(segment: string): Promise<void> {
    const file = segmentFile(this.archive, segment)
    const beside = path.join(this.feed, `${segment}.part`)
    let failure: unknown
    for (const key of this.keys) {
      try {
        const { plain, close } = await openSealed(file, 'WALSEG', key)
        await pipeline(plain, createWriteStream(beside, { mode: 0o600 })).catch(() => {})
        await close()
        own(beside, this.account)
        await rename(beside, path.join(this.feed, segment))
        return
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

/**
 * Makes a base copy of the embedded cluster's files while the store runs. With the archived log it becomes a database
 * as it was at one moment (recovery.ts). The embedded engine comes without pg_basebackup, so this uses the manual's
 * low-level way: pg_backup_start, the files, pg_backup_stop.
 *
 * The encrypted file contains a line of JSON as a header, then a line for each file or directory, then a last line. The
 * line of a file is followed by its bytes in pieces. Each piece follows its length in four bytes, and a length of zero
 * ends the file.
 */
import { chownSync, constants, mkdirSync } from 'node:fs'
import { open, readdir, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import { sql, type Database } from '../platform/database/database.ts'
import { privateDirectory } from '../platform/engine/postgres-cluster.ts'
import type { Account } from '../platform/engine/postgres-identity.ts'
import { openSealed, writeSealed, type SealingKey } from '../platform/secrets/sealed-file.ts'

const Header = z.object({
  /** The start of the copying, by the database's clock. Earlier moments cannot be restored from it. */
  madeAt: z.string(),
  major: z.string(),
  /** The first segment of the log that it needs. */
  from: z.string(),
  /** The store's secrets in base64, if a passphrase protects the file. */
  secrets: z.optional(z.array(z.string())),
})
type BaseHeader = z.output<typeof Header>
const Entry = z.union([
  z.object({ file: z.string() }),
  z.object({ directory: z.string() }),
  z.object({ end: z.literal(true) }),
])

/** Files of a run, which the server makes again or which hold only for this run (manual, "Making a base backup"). */
const LEFT_OUT = new RegExp(
  String.raw`^(postmaster\.(pid|opts)|current_logfiles|backup_(label|manifest)(\.old)?|tablespace_map(\.old)?` +
    String.raw`|(recovery|standby)\.signal)$|(^|\/)(pgsql_tmp[^/]*|pg_internal\.init[^/]*)$`,
)
/** Directories that must exist, and that the server fills again. */
const EMPTIED = new Set(
  'pg_wal pg_replslot pg_dynshmem pg_notify pg_serial pg_snapshots pg_stat_tmp pg_subtrans'.split(' '),
)
/** The size of the pieces of a file. */
const PIECE_BYTES = 64 * 1024
const COPY_TIMEOUT_MS = 4 * 3_600_000

/**
 * Copies the cluster into `file`. The log completes the copy.
 * @param db as the engine's superuser, on the same machine
 * @returns the first and the last segment of the log that the copy needs
 */
export async function writeBase(
  db: Database,
  cluster: string,
  file: string,
  key: SealingKey,
  header: Pick<BaseHeader, 'secrets'>,
): Promise<{ from: string; to: string; bytes: number }> {
  let [from, to] = ['', '']
  const bytes = await db.transaction(
    async (tx) => {
      // The session waits while the files are copied
      await tx.run(sql`set local idle_in_transaction_session_timeout = 0`)
      const tablespaces = await tx.count(sql`
        select count(*) from pg_tablespace where spcname not in ('pg_default', 'pg_global')`)
      if (tablespaces > 0) throw new Error('A database with tablespaces of its own is not copied')
      async function* content(): AsyncGenerator<string | Buffer> {
        const start = await tx.one(sql(() => z.object({ from: z.string(), major: z.string(), madeAt: z.string() }))`
          select pg_walfile_name(pg_backup_start('chaabi', true)) as from,
                 to_json(clock_timestamp()) #>> '{}' as made_at,
                 (current_setting('server_version_num')::int / 10000)::text as major`)
        from = start.from
        yield `${JSON.stringify({ ...header, ...start } satisfies BaseHeader)}\n`
        yield* filesOf(cluster, '')
        // Does not wait for an archive that may fail for hours
        const end = await tx.one(sql(() => z.object({ label: z.string(), to: z.string() }))`
          select labelfile as label, pg_walfile_name(lsn - 1) as to from pg_backup_stop(false)`)
        to = end.to
        yield* oneFile('backup_label', [Buffer.from(end.label)])
        yield `${JSON.stringify({ end: true })}\n`
      }
      return writeSealed(file, 'BASECP', key, content())
    },
    { statementTimeoutMs: COPY_TIMEOUT_MS },
  )
  return { from, to, bytes }
}

async function* filesOf(cluster: string, within: string): AsyncGenerator<string | Buffer> {
  const entries = await readdir(path.join(cluster, within), { withFileTypes: true }).catch(ifGone)
  for (const entry of entries ?? []) {
    const name = path.posix.join(within, entry.name)
    if (LEFT_OUT.test(name)) continue
    const [top = ''] = name.split('/')
    if (EMPTIED.has(top) && name !== top && !(top === 'pg_wal' && entry.isDirectory())) continue
    // The log may be elsewhere, behind a link
    if (entry.isDirectory() || name === 'pg_wal') {
      yield `${JSON.stringify({ directory: name })}\n`
      yield* filesOf(cluster, name)
    } else if (entry.isFile()) {
      // A table that was dropped since has no file. The log has that change too
      const handle = await open(path.join(cluster, name), constants.O_RDONLY | constants.O_NOFOLLOW).catch(ifGone)
      if (handle) yield* oneFile(name, piecesOf(handle))
    }
  }
}

/** Reads without a stream, because there are a thousand small files to a large one and streams start slowly. */
async function* piecesOf(handle: FileHandle): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(PIECE_BYTES))
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
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

/** Reads the first line before the rest is verified. Use it only to choose what to do. */
export async function readBaseHeader(file: string, key: SealingKey): Promise<BaseHeader> {
  const { plain, close } = await openSealed(file, 'BASECP', key)
  let line: string | undefined
  try {
    line = await new Pieces(plain).line()
  } catch {
    // Closing reports the fault more clearly
  }
  if (line === undefined) {
    await close()
    throw new Error(`${file} is empty`)
  }
  plain.destroy()
  return z.parse(Header, JSON.parse(line))
}

/** Reads chunks of bytes by lines and by lengths. */
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

  /** Reads to the end, because the tag that proves everything is there. */
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

/** Unpacks a base copy into a new directory that the database's account owns. */
export async function unpackBase(base: string, key: SealingKey, cluster: string, account: Account): Promise<void> {
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
        const handle = await open(place, 'wx', 0o600)
        try {
          for await (const piece of contentOf(pieces)) await handle.writeFile(piece)
        } finally {
          await handle.close()
        }
        own(place, account)
      }
    }
    await pieces.toEnd()
  } catch (error) {
    failure = error
  }
  await close()
  if (failure !== undefined) throw new Error(`${base} is incomplete`, { cause: failure })
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

export function own(place: string, account: Account): void {
  if (account.ids) chownSync(place, account.ids.uid, account.ids.gid)
}

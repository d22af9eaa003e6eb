/**
 * Turns a base copy and the archived log into a database as it was at one moment. A second server replays the log,
 * which it gets segment by segment.
 */
import { createWriteStream, existsSync, readdirSync, rmSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { own, readBaseHeader, unpackBase } from './base-copy.ts'
import type { DatabaseOptions } from '../platform/database/database.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../platform/engine/embedded-postgres.ts'
import { newId } from '../platform/ids.ts'
import { listSegments, nextSegment, segmentFile } from '../platform/engine/log-archive.ts'
import { findPrograms, majorVersion, privateDirectory } from '../platform/engine/postgres-cluster.ts'
import { chooseAccount, type Account } from '../platform/engine/postgres-identity.ts'
import { birthOf } from '../platform/engine/postgres-processes.ts'
import { openSealed, type SealingKey } from '../platform/secrets/sealed-file.ts'

interface Recovery {
  /** The base copy. */
  base: string
  baseKey: SealingKey
  /** The directory with its archived log. */
  archive: string
  /** Keys for the segments. The first that fits opens a segment. */
  keys: readonly SealingKey[]
  /** The moment to stop at; `whole` stops as soon as the copy is consistent. */
  until: Date | 'whole'
  dataDir: string
  osUser: string | undefined
}

interface Recovered {
  connection: Exclude<DatabaseOptions['connection'], string>
  /** A temporary directory, which `stop` deletes. */
  directory: string
  /** The time of the last commit before the moment, as the engine writes it. */
  lastChange: string | undefined
  stop(): Promise<void>
}

const PREFIX = 'recovering-'

/**
 * Runs a second database that has the state of the store's database at a moment.
 * @throws Error that says why it cannot: the copy is younger, the log is missing, the files were altered
 */
export async function recover({ base, baseKey, archive, keys, until, dataDir, osUser }: Recovery): Promise<Recovered> {
  removeGivenUp(dataDir)
  const directory = path.join(dataDir, `${PREFIX}${process.pid}-${newId()}`)
  // The database's account must pass through to its own directories
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
      throw new Error(
        `${base} is from PostgreSQL ${major}, and this version of Chaabi includes ${here}. Use that version.`,
      )
    if (!(await listSegments(archive)).includes(from))
      throw new Error(`${segmentFile(archive, from)} is missing. This copy needs it.`)
    await unpackBase(base, baseKey, cluster, account)
    await writeFile(path.join(cluster, 'recovery.signal'), '', { mode: 0o600 })
    own(path.join(cluster, 'recovery.signal'), account)
    feed = await LogFeed.start(directory, archive, from, keys, account)
    server = await startEmbeddedPostgres({
      dataDir: cluster,
      log: () => {},
      osUser,
      attempts: 1,
      settings: {
        // It runs for minutes only, and all its data is in the copy and the log
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
    return new Error(`This copy was still being made at ${moment}. Use an earlier copy.`, { cause })
  if (/recovery ended before configured recovery target/.test(log)) {
    const last = lastChangeIn(log)
    const reached = last === undefined ? '' : `: the last change in it is of ${last} UTC`
    return new Error(
      `The archived log does not reach ${moment}${reached}. ` +
        'Choose that time or an earlier one, or add the missing log files to the archive.',
      { cause },
    )
  }
  return cause
}

/** Removes the directories of killed processes. */
function removeGivenUp(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const pid = Number(/^recovering-(\d+)-/.exec(name)?.[1] ?? Number.NaN)
    if (Number.isNaN(pid) || (pid !== process.pid && birthOf(pid) !== undefined) || pid === process.pid) continue
    rmSync(path.join(dataDir, name), { recursive: true, force: true })
  }
}

const FEED_INTERVAL_MS = 10
/** The number of segments that are decrypted ahead. */
const AHEAD = 2
/** Waits up to a minute, if the machine is stuck, for Node to decrypt. A code above 125 ends the recovery. */
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
 * Gives the engine the segments that it asks for, decrypted. Only a few at a time, because a day of log would fill a
 * disk. Node writes into a directory of its own. In another one the engine's account only leaves names.
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
    const at = (name: string) => path.join(directory, name)
    const [feed, asked, script] = [at('log'), at('asked'), at('fetch.sh')]
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
      if (!existsSync(path.join(this.feed, segment))) await this.unseal(segment)
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

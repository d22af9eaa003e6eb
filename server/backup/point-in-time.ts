/** Does `npm run restore -- COPY --until MOMENT`, which needs the archived log (ARCHIVE_WAL). */
import { readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { openingKeys, sealingKey, withKey } from './backup-keys.ts'
import { refuseUnready, restore, secretsFor, type BackupPlace } from './backup-store.ts'
import { inMb, inSeconds, openForUpkeep, using } from './upkeep-databases.ts'
import { writeBackup } from './backup.ts'
import { readBaseHeader, writeBase } from './base-copy.ts'
import { recover } from './recovery.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import {
  archiveOf,
  listBases,
  pruneArchive,
  sealSpool,
  syncDirectory,
  toStamp,
  UNPROVEN,
} from '../platform/engine/log-archive.ts'

export interface MomentPlace extends BackupPlace {
  /** PG_OS_USER */
  osUser: string | undefined
}

const ARCHIVED_MS_MAX = 30_000
/** Needs a time and a zone, because without a zone a text means different moments in different places. */
const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/

/** @throws Error that says how to write a moment */
export function readMoment(text: string, now: Date): Date {
  const moment = new Date(text.replace(' ', 'T'))
  if (!MOMENT.test(text) || Number.isNaN(moment.getTime()))
    throw new Error(`Add a time zone to --until, like '2026-11-21T10:00:00+05:30'. You wrote: ${text}`)
  if (moment > now) throw new Error(`${text} is in the future`)
  return moment
}

const Engine = z.object({ archives: z.boolean(), system: z.string() })

export const readEngine = (db: Queries): Promise<z.output<typeof Engine>> =>
  db.one(sql(Engine)`
    select current_setting('archive_mode') <> 'off' as archives, system_identifier::text as system
      from pg_control_system()`)

/**
 * Makes a base copy if the log is archived, and checks the copy by starting it once. Keeps the newest two copies, with
 * the log since the older one.
 * @returns the file; undefined if the log is not archived
 */
export async function copyBase(place: MomentPlace, now: Date): Promise<string | undefined> {
  const { dataDir, owner, say } = place
  if (typeof owner === 'string') return undefined
  return using(openForUpkeep(owner), async (db) => {
    const { archives, system } = await readEngine(db)
    if (!archives) return undefined
    const directory = await archiveOf(dataDir, system)
    await pruneArchive(directory)
    const unproven = path.join(directory, `chaabi-${toStamp(now)}${UNPROVEN}`)
    const key = sealingKey(place)
    const began = performance.now()
    try {
      const header = secretsFor(key, place.secrets)
      const { from, to, bytes } = await writeBase(db, path.join(dataDir, 'postgres'), unproven, key, header)
      await untilArchived(db, to)
      await sealSpool(dataDir, key)
      say(`Copied the database’s files into ${inMb(bytes)} in ${inSeconds(began)}.`)
      const proving = performance.now()
      await proveBase(place, unproven, directory)
      const file = path.join(directory, `chaabi-${toStamp(now)}-${from}.base`)
      await rename(unproven, file)
      await syncDirectory(directory)
      await pruneArchive(directory)
      say(`Base copy verified in ${inSeconds(proving)}. It was started beside the store, and all checks passed.`)
      say(`Saved as ${file}. With the log beside it you can restore to any time from now on.`)
      return file
    } catch (error) {
      await rm(unproven, { force: true })
      throw error
    }
  })
}

async function proveBase(place: MomentPlace, base: string, archive: string): Promise<void> {
  const keys = await openingKeys(place)
  const { dataDir, osUser } = place
  const copy = await recover({ base, baseKey: sealingKey(place), archive, keys, until: 'whole', dataDir, osUser })
  try {
    await using(openForUpkeep({ ...copy.connection, database: databaseOf(place) }), async (db) => {
      const broken = await findBroken(db, place.migrations)
      if (broken.length > 0) throw new Error(`The copy breaks ${broken.map((each) => each.invariant).join('; ')}`)
    })
  } finally {
    await copy.stop()
  }
}

/**
 * Starts a base copy next to the store's database, replays the log up to `until` and makes a backup there. Then
 * restores that backup as usual: it is checked first, and the present database is kept under another name.
 * @param given a base copy, or an archive's directory, whose newest copy older than the moment is used
 */
export async function restoreMoment(
  place: MomentPlace,
  given: string,
  until: Date,
  options: { replace: boolean },
): Promise<void> {
  const { dataDir, osUser, say } = place
  const base = await chooseBase(given, until)
  const archive = path.dirname(base)
  const keys = await openingKeys(place)
  const { key: baseKey, result: header } = await withKey(keys, (key) => readBaseHeader(base, key))
  if (until < new Date(header.madeAt))
    throw new Error(`${base} was made at ${header.madeAt} and can’t restore an earlier time. Use an older copy.`)
  await using(openForUpkeep(place.owner), async (db) => {
    await refuseUnready(db, `${given} --until '${until.toISOString()}'`, options.replace)
    await archiveTheRest(db, place, archive)
  })
  const began = performance.now()
  const then = await recover({ base, baseKey, archive, keys, until, dataDir, osUser })
  try {
    say(
      `Brought the copy of ${header.madeAt} forward to ${until.toISOString()} in ${inSeconds(began)}` +
        (then.lastChange === undefined ? '' : ` (the last change before it: ${then.lastChange} UTC)`),
    )
    const file = path.join(then.directory, 'moment.backup')
    const key = sealingKey(place)
    const secrets = header.secrets ? { secrets: header.secrets } : secretsFor(key, place.secrets)
    const about = { madeAt: until.toISOString(), ...('passphrase' in key ? secrets : {}) }
    const source = { ...then.connection, database: databaseOf(place) }
    await using(openForUpkeep(source), (db) => writeBackup(db, file, key, about))
    await restore(place, file, options)
  } finally {
    await then.stop()
  }
}

const databaseOf = ({ owner }: MomentPlace): string => (typeof owner === 'string' ? 'postgres' : owner.database)

async function chooseBase(given: string, until: Date): Promise<string> {
  const found = await stat(given).catch(() => undefined)
  if (!found) throw new Error(`There is no ${given}`)
  if (!found.isDirectory()) {
    if (given.endsWith('.base')) return given
    throw new Error(
      `${given} is a backup of one moment and can’t be used with --until. Use a .base copy, ` +
        'which npm run backup makes when ARCHIVE_WAL=1.',
    )
  }
  const directories = [given, ...(await readdir(given)).map((name) => path.join(given, name))]
  const bases = (await Promise.all(directories.map((each) => listBases(each).catch(() => [])))).flat()
  const [newest] = bases
    .filter(({ madeAt }) => madeAt < until)
    .toSorted((a, b) => b.madeAt.getTime() - a.madeAt.getTime())
  if (newest) return newest.file
  const oldest = bases.map(({ madeAt }) => madeAt.toISOString()).toSorted()[0]
  throw new Error(
    oldest === undefined
      ? `There is no copy in ${given}`
      : `The oldest copy in ${given} is from ${oldest}. You can’t restore an earlier time.`,
  )
}

/** Archives the log up to now, if the archive belongs to this database. */
async function archiveTheRest(db: Queries, place: MomentPlace, archive: string): Promise<void> {
  const { archives, system } = await readEngine(db)
  if (path.basename(archive) !== system) return
  if (archives) {
    // Writes a restore point, because without new log there is no switch
    await db.run(sql`select pg_create_restore_point('chaabi')`)
    const { last } = await db.one(
      sql(() => z.object({ last: z.string() }))`select pg_walfile_name(pg_switch_wal()) as last`,
    )
    await untilArchived(db, last)
  }
  await sealSpool(place.dataDir, sealingKey(place))
}

/** Waits until the engine has handed over its log up to this segment. */
async function untilArchived(db: Queries, segment: string): Promise<void> {
  for (const since = performance.now(); ; await sleep(100)) {
    if (await db.holds(sql`select coalesce(last_archived_wal >= ${segment}, false) from pg_stat_archiver`)) return
    if (performance.now() - since > ARCHIVED_MS_MAX)
      throw new Error('The database log is not being archived. To see why: npm run doctor')
  }
}

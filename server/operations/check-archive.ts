import path from 'node:path'
import * as z from 'zod/mini'
import { HOUR_MS } from '../../contract/time.ts'
import { readEngine } from '../backup/point-in-time.ts'
import { machineClock } from '../platform/clock.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import {
  archiveDirectory,
  findGap,
  isSpooled,
  listBases,
  listSegments,
  oldestInSpool,
} from '../platform/engine/log-archive.ts'
import { how } from '../reports/health-report.ts'
import { found, withHow, type Finding } from './findings.ts'

export const BACKUP_HOURS_MAX = 48
export const BACKUP = 'npm run backup'
export const makeOne = how('Make one: {command}', { command: BACKUP })
/** Archived log is encrypted within seconds, so this age means a fault. */
const SPOOL_MS_MAX = 5 * 60_000

const ArchiverRow = z.object({ failing: z.boolean(), failedAt: z.nullable(z.date()) })

/** Checks the archived log, of ARCHIVE_WAL or of an external server. */
export async function checkArchive(db: Queries, dataDir: string, now: Date): Promise<Finding[]> {
  const { archives, system } = await readEngine(db)
  const directory = path.join(archiveDirectory(dataDir), system)
  const [newest, ...older] = await listBases(directory)
  if (!archives)
    return newest
      ? [
          withHow(
            found('warning', 'The newest changes are not saved: you can’t restore to a time since the last log file.'),
            how('ARCHIVE_WAL is off.'),
          ),
        ]
      : []
  const { failing, failedAt } = await db.one(sql(ArchiverRow)`
    select last_failed_time > coalesce(last_archived_time, '-infinity') is true as failing,
           last_failed_time as failed_at from pg_stat_archiver`)
  if (failing)
    return [
      withHow(
        found('broken', 'Log archiving has failed since {date}. Disk use grows until it works.', {
          date: failedAt?.toISOString() ?? '',
        }),
        how('See PostgreSQL’s log for the reason.'),
      ),
    ]
  const waiting = await oldestInSpool(dataDir)
  if (waiting && machineClock.now().getTime() - waiting.getTime() > SPOOL_MS_MAX)
    return [
      withHow(
        found('broken', 'Archived log files have been waiting for encryption since {date}.', {
          date: waiting.toISOString(),
        }),
        how('See the store’s log.'),
      ),
    ]
  if (!isSpooled(dataDir)) return [{ level: 'ok', text: 'Log archiving: working.' }]
  if (!newest) return [withHow(found('warning', 'No base copy yet, so the log can’t be used to restore.'), makeOne)]
  const segments = await listSegments(directory)
  const gap = findGap(segments, newest.from)
  if (gap !== undefined)
    return [
      withHow(
        found('broken', 'A log file is missing. You can’t restore to a time after it.'),
        how('{name}.wal is missing from the archive. Fix it: {command}', { name: gap, command: BACKUP }),
      ),
    ]
  const hours = (now.getTime() - newest.madeAt.getTime()) / HOUR_MS
  // A clock that was ahead says nothing of its age
  const isOld = hours > BACKUP_HOURS_MAX || hours < 0
  const copy = found(
    isOld ? 'warning' : 'ok',
    'You can restore to any time since {date}. Archived log files: {count}. Newest base copy: {hours} hours old.',
    {
      date: (older.at(-1) ?? newest).madeAt.toISOString(),
      count: String(segments.length),
      hours: hours.toFixed(1),
    },
  )
  return [isOld ? withHow(copy, makeOne) : copy]
}

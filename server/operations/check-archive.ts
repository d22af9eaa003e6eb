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
import { found, type Finding } from './findings.ts'

export const BACKUP_HOURS_MAX = 48
export const BACKUP = 'npm run backup'
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
          found(
            'warning',
            'ARCHIVE_WAL is off. Changes since the last archived log are not saved for point-in-time restore.',
          ),
        ]
      : []
  const { failing, failedAt } = await db.one(sql(ArchiverRow)`
    select last_failed_time > coalesce(last_archived_time, '-infinity') is true as failing,
           last_failed_time as failed_at from pg_stat_archiver`)
  if (failing)
    return [
      found(
        'broken',
        'Log archiving has failed since {date}. See PostgreSQL’s log for the reason. Disk use grows until it works.',
        { date: failedAt?.toISOString() ?? '' },
      ),
    ]
  const waiting = await oldestInSpool(dataDir)
  if (waiting && machineClock.now().getTime() - waiting.getTime() > SPOOL_MS_MAX)
    return [
      found('broken', 'Archived log files have been waiting for encryption since {date}. See the store’s log.', {
        date: waiting.toISOString(),
      }),
    ]
  if (!isSpooled(dataDir)) return [{ level: 'ok', text: 'Log archiving: working.' }]
  if (!newest)
    return [
      found('warning', 'No base copy yet, so the log can’t be used to restore. Make one: {command}', {
        command: BACKUP,
      }),
    ]
  const segments = await listSegments(directory)
  const gap = findGap(segments, newest.from)
  if (gap !== undefined)
    return [
      found('broken', '{name}.wal is missing from the archive. You can’t restore to a later time. Fix it: {command}', {
        name: gap,
        command: BACKUP,
      }),
    ]
  const hours = (now.getTime() - newest.madeAt.getTime()) / HOUR_MS
  // A clock that was ahead says nothing of its age
  const isOld = hours > BACKUP_HOURS_MAX || hours < 0
  const values = {
    date: (older.at(-1) ?? newest).madeAt.toISOString(),
    count: String(segments.length),
    hours: hours.toFixed(1),
    age: isOld ? 'old' : 'new',
    command: BACKUP,
  }
  return [
    found(
      isOld ? 'warning' : 'ok',
      'You can restore to any time since {date}. Archived log files: {count}. Newest base copy: {hours} hours old' +
        '{age, select, old { (make a new one: {command})} other {}}.',
      values,
    ),
  ]
}

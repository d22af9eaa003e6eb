import path from 'node:path'
import * as z from 'zod/mini'
import { HOUR_MS } from '../../contract/time.ts'
import { readEngine } from '../backup/point-in-time.ts'
import { sql, type Queries } from '../platform/database/database.ts'
import {
  archiveDirectory,
  findGap,
  isSpooled,
  listBases,
  listSegments,
  oldestInSpool,
} from '../platform/engine/log-archive.ts'

/** `broken` makes the exit code 1. A warning is for a person to read. */
export interface Finding {
  level: 'ok' | 'warning' | 'broken'
  text: string
}

export const BACKUP_HOURS_MAX = 48
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
          {
            level: 'warning',
            text: 'ARCHIVE_WAL is off. Changes since the last archived log are not saved for point-in-time restore.',
          },
        ]
      : []
  const { failing, failedAt } = await db.one(
    ArchiverRow,
    sql`
    select last_failed_time > coalesce(last_archived_time, '-infinity') is true as failing,
           last_failed_time as failed_at from pg_stat_archiver`,
  )
  if (failing)
    return [
      {
        level: 'broken',
        text:
          `Log archiving has failed since ${failedAt?.toISOString()}. See the PostgreSQL log for the reason. ` +
          'Disk use grows until it works.',
      },
    ]
  const waiting = await oldestInSpool(dataDir)
  if (waiting && now.getTime() - waiting.getTime() > SPOOL_MS_MAX)
    return [
      {
        level: 'broken',
        text:
          `Archived log files have been waiting for encryption since ${waiting.toISOString()}. ` +
          'See the store’s log.',
      },
    ]
  if (!(await isSpooled(dataDir))) return [{ level: 'ok', text: 'Log archiving: working.' }]
  if (!newest)
    return [
      { level: 'warning', text: 'No base copy yet, so the log can’t be used to restore. Make one: npm run backup' },
    ]
  const segments = await listSegments(directory)
  const gap = findGap(segments, newest.from)
  if (gap !== undefined)
    return [
      {
        level: 'broken',
        text: `${gap}.wal is missing from the archive. You can’t restore to a later time. Fix it: npm run backup`,
      },
    ]
  const hours = (now.getTime() - newest.madeAt.getTime()) / HOUR_MS
  const oldest = older.at(-1) ?? newest
  return [
    {
      level: hours > BACKUP_HOURS_MAX ? 'warning' : 'ok',
      text:
        `You can restore to any time since ${oldest.madeAt.toISOString()}. Archived log files: ${segments.length}. ` +
        `Newest base copy: ${hours.toFixed(1)} hours old` +
        `${hours > BACKUP_HOURS_MAX ? ' (make a new one: npm run backup)' : ''}.`,
    },
  ]
}

/** Checks how old the newest backup is, and whether one is elsewhere. */
import { HOUR_MS } from '../../contract/time.ts'
import { DOWNLOADED, readNewest } from '../backup/backup-rows.ts'
import { newestBackupAt } from '../backup/backup-store.ts'
import type { Queries } from '../platform/database/database.ts'
import { BACKUP, BACKUP_HOURS_MAX, makeOne } from './check-archive.ts'
import { how } from '../reports/health-report.ts'
import { found, withHow, type Finding } from './findings.ts'

/** A shopkeeper downloads by hand, so it is longer than for a timer. */
const DOWNLOAD_DAYS_MAX = 7

/** @param copyTo BACKUP_COPY_TO */
export async function checkBackups(
  db: Queries,
  { dataDir, copyTo }: { dataDir: string; copyTo?: string | undefined },
  now: Date,
): Promise<Finding[]> {
  const at = await newestBackupAt(db, dataDir, now)
  if (at === undefined) return [withHow(found('warning', 'Your store has no backup yet.'), makeOne)]
  const hours = (now.getTime() - at.getTime()) / HOUR_MS
  return [
    found(hours > BACKUP_HOURS_MAX ? 'warning' : 'ok', 'Last backup: {hours} hours ago.', { hours: hours.toFixed(1) }),
    copyTo === undefined ? await checkDownloads(db, now) : await checkCopies(db, copyTo, now),
  ]
}

/** A shop without a place for copies can download a backup now and then. */
async function checkDownloads(db: Queries, now: Date): Promise<Finding> {
  const { copiedAt } = await readNewest(db, now, DOWNLOADED)
  const days = copiedAt && Math.floor((now.getTime() - copiedAt.getTime()) / (24 * HOUR_MS))
  if (days === null || days > DOWNLOAD_DAYS_MAX)
    return found('warning', 'All backups are on one machine, with your store. Download one.')
  return found('ok', 'Last downloaded backup: {days} days old.', { days })
}

async function checkCopies(db: Queries, copyTo: string, now: Date): Promise<Finding> {
  const { copiedAt } = await readNewest(db, now, copyTo)
  if (!copiedAt)
    return withHow(
      found('warning', 'No backup in {place} yet.', { place: copyTo }),
      how('Copy one: {command}', { command: BACKUP }),
    )
  const hours = (now.getTime() - copiedAt.getTime()) / HOUR_MS
  return found(hours > BACKUP_HOURS_MAX ? 'warning' : 'ok', 'Last backup in {place}: {hours} hours old.', {
    place: copyTo,
    hours: hours.toFixed(1),
  })
}

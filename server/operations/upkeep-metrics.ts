/** Figures about what protects the store: room on its disk, its newest backup, and the standbys of its database. */
import { readNewest } from '../backup/backup-rows.ts'
import { newestBackupAt } from '../backup/backup-store.ts'
import { countSilent } from '../bank/phones/silent-phones.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { readDisk } from '../platform/disk.ts'
import type { Metrics } from '../platform/watching/metrics.ts'
import { findLostEtcd } from './check-etcd.ts'
import { readStandbys } from './check-standbys.ts'

interface Places {
  /** BACKUP_COPY_TO */
  copyTo?: string | undefined
  /** ETCD_HEALTH */
  etcd?: readonly string[]
}

export function measureUpkeep(metrics: Metrics, db: Database, dataDir: string, clock: Clock, at: Places = {}): void {
  const { copyTo, etcd = [] } = at
  metrics.gauge('chaabi_backup_timestamp_seconds', 'When the newest backup that counts was made', async () => {
    const at = await newestBackupAt(db, dataDir, clock.now())
    return at && at.getTime() / 1_000
  })
  metrics.gauge('chaabi_copy_timestamp_seconds', 'When the newest copy elsewhere was read back', async () => {
    const { copiedAt } = copyTo === undefined ? { copiedAt: null } : await readNewest(db, clock.now(), copyTo)
    return copiedAt === null ? undefined : copiedAt.getTime() / 1_000
  })
  metrics.gauge('chaabi_copy_wanted', 'Whether BACKUP_COPY_TO names a place', () => (copyTo === undefined ? 0 : 1))
  metrics.gauge('chaabi_phones_silent', 'Phones of the bank inbox that say nothing while buyers pay', () =>
    countSilent(db, clock.now()),
  )
  metrics.gauge('chaabi_disk_free_bytes', 'Room on the disk of DATA_DIR', async () => (await readDisk(dataDir)).bytes)
  metrics.gauge('chaabi_standbys', 'Standbys that follow the database', async () => (await readStandbys(db)).count)
  metrics.gauge(
    'chaabi_sync_standbys',
    'Standbys that a purchase waits for',
    async () => (await readStandbys(db)).synchronous ?? undefined,
  )
  metrics.gauge(
    'chaabi_standby_lag_bytes',
    'Log that the slowest standby has still to replay',
    async () => (await readStandbys(db)).lagBytes ?? undefined,
  )
  if (etcd.length > 0)
    metrics.gauge(
      'chaabi_etcd_lost',
      'Machines of etcd that are not well',
      async () => (await findLostEtcd(etcd)).length,
    )
}

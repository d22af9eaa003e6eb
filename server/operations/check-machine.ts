/** Checks what the store stands on: its disk, and who may read its settings. */
import { stat } from 'node:fs/promises'
import { readDisk } from '../platform/disk.ts'
import { how } from '../reports/health-report.ts'
import { found, withHow, type Finding } from './findings.ts'

const SHARE_WARNING = 0.1
const BYTES_WARNING = 1e9
const SHARE_BROKEN = 0.05
/** A backup of a small store no longer fits. */
const BYTES_BROKEN = 200e6
const READABLE_BY_ALL = 0o004

/** @param room the free room of its disk */
export async function checkDisk(dataDir: string, room = readDisk(dataDir)): Promise<Finding[]> {
  const { bytes, share } = await room
  const isBroken = share < SHARE_BROKEN || bytes < BYTES_BROKEN
  const isLow = share < SHARE_WARNING || bytes < BYTES_WARNING
  return [
    withHow(
      found(isBroken ? 'broken' : isLow ? 'warning' : 'ok', 'Disk: {size} GB free ({percent}%).', {
        size: (bytes / 1e9).toFixed(1),
        percent: Math.round(share * 100),
      }),
      how('It is the disk of {path}.', { path: dataDir }),
    ),
  ]
}

/** The secret key is among them, so a reader of the settings can read the licence keys in a backup. */
export async function checkSettingsFile(file: string | undefined): Promise<Finding[]> {
  const { mode } = await stat(file ?? '').catch(() => ({ mode: 0 }))
  if ((mode & READABLE_BY_ALL) === 0) return []
  return [
    withHow(
      found('broken', 'Others who use the server can read its secrets.'),
      how('Everybody on this machine can read {file}. Run: {command}', {
        file: file ?? '',
        command: `sudo chown root:chaabi ${file} && sudo chmod 640 ${file}`,
      }),
    ),
  ]
}

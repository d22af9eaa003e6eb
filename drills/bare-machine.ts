/** The machine is lost. An empty one brings the store back from the copy elsewhere, with the passphrase alone. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { hasRsync, startRsyncServer } from '../test/worlds/rsync-server.ts'
import type { Drill } from './drill.ts'
import { loseAndRestore } from './restore.ts'
import { endLater } from './store-process.ts'

export const drill: Drill = async (options) => {
  const about = {
    proved: 'the copy elsewhere and the passphrase are enough to have the whole store back.',
    cannotProve: 'that somebody knows the passphrase; what was sold after the backup is not in it.',
  }
  if (!hasRsync) return { passed: true, skipped: true, figures: ['rsync is not installed'], ...about }
  const directory = mkdtempSync(path.join(tmpdir(), 'chaabi-drill-'))
  options.directories.push(directory)
  const { address, stop } = await startRsyncServer(directory)
  endLater(async () => stop())
  const finding = await loseAndRestore(options, { address, passphrase: 'a drill passphrase' })
  return { ...finding, ...about }
}

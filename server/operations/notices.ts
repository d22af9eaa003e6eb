/** Finds what an admin must know at once, and not only after the nightly check. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { databaseTime } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/database/database.ts'
import { how, type Examination } from '../reports/health-report.ts'
import { checkBackups } from './check-backups.ts'
import { checkDisk } from './check-machine.ts'
import { checkEtcd } from './check-etcd.ts'
import { checkStandbys } from './check-standbys.ts'
import { checkVersion } from './new-version.ts'
import { examinationOf, found, withHow } from './findings.ts'

/** Says of which sources the installed program was made (scripts/build.mjs). */
const STAMP = '../stamp.json'

function readStamp(programs: readonly string[]): string | undefined {
  for (const program of programs) {
    try {
      return readFileSync(path.join(path.dirname(program), STAMP), 'utf8')
    } catch {}
  }
  return undefined
}

/** @param programs where this program may be. The path that started it comes first: a link there leads to newer ones */
export function noticesOf(db: Database, config: Config, programs: readonly string[]): () => Promise<Examination> {
  const { requireStandby, databaseUrl, dataDir, backupCopyTo, etcd } = config
  const started = readStamp(programs)
  return async () => {
    const installed = readStamp(programs)
    const isNewer = installed !== undefined && installed !== started
    const update = withHow(found('warning', 'A new version is installed.'), how('Restart the store to use it.'))
    const findings = await Promise.all([
      databaseTime(db).then((now) => checkBackups(db, { dataDir, copyTo: backupCopyTo }, now)),
      requireStandby || databaseUrl !== undefined ? checkStandbys(db, requireStandby) : [],
      checkEtcd(etcd),
      checkDisk(dataDir),
      checkVersion(db, config),
    ])
    return examinationOf([...(isNewer ? [update] : []), ...findings.flat()])
  }
}

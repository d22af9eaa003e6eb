/** Checks the store's rows and its machinery, for `npm run doctor` and each night. */
import * as z from 'zod/mini'
import { type BackupPlace } from '../backup/backup-store.ts'
import { inMb, listReplaced, openForUpkeep } from '../backup/upkeep-databases.ts'
import { verifyAuditChain } from '../audit/audit-chain.ts'
import { databaseTime, machineClock } from '../platform/clock.ts'
import { literal, sql, type Database, type Queries } from '../platform/database/database.ts'
import { APP_ROLE } from '../platform/database/migrations.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { isStuck, readJobs } from '../platform/jobs.ts'
import { faultOf, sealerOf } from '../platform/secrets/secret-keys.ts'
import { readSealed, SEALED_COLUMNS } from '../platform/secrets/sealed-columns.ts'
import { BOUND_MARK, type Sealer } from '../platform/secrets/sealing.ts'
import { how, type Examination } from '../reports/health-report.ts'
import { checkBackups } from './check-backups.ts'
import { checkDisk, checkSettingsFile } from './check-machine.ts'
import { checkEtcd } from './check-etcd.ts'
import { checkStandbys } from './check-standbys.ts'
import { checkArchive } from './check-archive.ts'
import { examinationOf, found, foundRaw, withHow, type Finding } from './findings.ts'

const CLOCK_MS_MAX = 2_000
const OPENED_OF_COLUMN = 500
const FAULTS_NAMED = 10
const MUST_BE_ON = ['fsync', 'full_page_writes', 'synchronous_commit']

/** Long, because checking millions of rows is slow. */
const EXAMINATION_TIMEOUT_MS = 30 * 60_000

interface ExaminedStore extends Pick<BackupPlace, 'dataDir' | 'migrations'> {
  /** Undefined if they are not checked. */
  secrets?: readonly Buffer[]
  /** Mistakes in the settings. */
  mistakes?: readonly string[]
  /** BACKUP_COPY_TO */
  copyTo?: string | undefined
  /** REQUIRE_STANDBY */
  requireStandby?: boolean
  /** ETCD_HEALTH */
  etcd?: readonly string[]
  /** Where the settings come from. */
  settingsFile?: string | undefined
}

/** Lets a stopping store end the check. */
interface Stopping extends Pick<BackupPlace, 'owner'> {
  signal: AbortSignal
}

/**
 * Says one line per check.
 * @returns true if nothing is broken
 */
export async function examine(db: Database, place: ExaminedStore & Pick<BackupPlace, 'say'>): Promise<boolean> {
  const now = await databaseTime(db)
  const [all, backups, jobs] = [
    await findingsOf(db, place, now),
    await checkBackups(db, place, now),
    await checkJobs(db, now),
  ]
  const findings = [...all, ...backups, ...jobs]
  for (const { level, text } of findings) place.say(`${level === 'ok' ? 'ok     ' : level.toUpperCase()} ${text}`)
  return findings.every((finding) => finding.level !== 'broken')
}

/**
 * Runs the same checks for the store's nightly job, which keeps the faults as its result. Jobs and backups
 * are no part of it, because the panel looks at them as they are (reports/health-report.ts, notices.ts).
 * @param stopping ends it early, with an error
 */
export async function examineAtNight(
  db: Database,
  place: ExaminedStore,
  now: Date,
  stopping?: Stopping,
): Promise<Examination> {
  const findings = await findingsOf(db, place, now, stopping)
  return examinationOf(findings)
}

/** Checks the rows in one snapshot, however long that takes, and then everything else. */
async function findingsOf(db: Database, place: ExaminedStore, now: Date, stopping?: Stopping): Promise<Finding[]> {
  const books = await db.transaction(
    async (tx) => {
      await tx.run(sql`set transaction isolation level repeatable read, read only`)
      return stopping
        ? interrupted(tx, stopping, () => checkBooks(tx, place.migrations))
        : checkBooks(tx, place.migrations)
    },
    { statementTimeoutMs: EXAMINATION_TIMEOUT_MS },
  )
  const rest = await Promise.all([
    checkClock(db),
    checkDisk(place.dataDir),
    checkSettingsFile(place.settingsFile),
    checkEngine(db),
    checkRole(db),
    checkStandbys(db, place.requireStandby ?? false),
    checkEtcd(place.etcd ?? []),
    checkReplaced(db),
    checkArchive(db, place.dataDir, now),
  ])
  return [...books, ...rest.flat(), ...(await checkSecrets(db, place)), ...mistakesIn(place)]
}

const INTERRUPT_EVERY_MS = 200

/** Cancels the statements of `tx` when the store stops, so that the stop does not wait for the checks. */
async function interrupted<T>(tx: Queries, { signal, owner }: Stopping, work: () => Promise<T>): Promise<T> {
  const pid = await tx.count(sql`select pg_backend_pid()`)
  let timer: NodeJS.Timeout | undefined
  let interrupting: Promise<void> = Promise.resolve()
  // Repeats, because between two statements there is nothing to cancel. Works as the owner, because the role may not
  const interrupt = async () => {
    const db = openForUpkeep(owner)
    await db.run(sql`select pg_cancel_backend(${pid})`).catch(() => {})
    await db.close()
  }
  const begin = () => {
    interrupting = interrupt().finally(() => {
      timer = setTimeout(begin, INTERRUPT_EVERY_MS)
    })
  }
  signal.throwIfAborted()
  signal.addEventListener('abort', begin, { once: true })
  try {
    return await work()
  } finally {
    signal.removeEventListener('abort', begin)
    // Waits, so that the connection's next use is not cancelled
    await interrupting
    clearTimeout(timer)
  }
}

/** Checks that values encrypted now, by the store or into a backup, can be decrypted after the next start. */
async function checkSecrets(db: Queries, { secrets }: ExaminedStore): Promise<Finding[]> {
  if (secrets === undefined) return []
  const fault = await faultOf(db, secrets)
  if (fault !== undefined)
    return [
      foundRaw(fault, found('broken', 'The store’s secret key doesn’t match its database. Don’t restart the store.')),
    ]
  const ok: Finding = { level: 'ok', text: 'Secret key: matches the database.' }
  return secrets.length === 0 ? [ok] : [ok, ...(await checkSealed(db, await sealerOf(db, secrets)))]
}

/** Opens some values of each column. One from another row, or with another text than its fingerprint's, is a fault. */
async function checkSealed(db: Queries, sealer: Sealer): Promise<Finding[]> {
  const faults: Finding[] = []
  let opened = 0
  let unbound = 0
  for (const target of SEALED_COLUMNS) {
    const some = await readSealed(db, target, sql`true order by random() limit ${literal(OPENED_OF_COLUMN)}`)
    const wrong = some.filter(({ row, sealed, fingerprint }) => {
      if (sealed[1] !== BOUND_MARK) unbound += 1
      try {
        const text = sealer.open(target.purpose, row, sealed)
        return fingerprint !== null && !sealer.fingerprint(text).equals(fingerprint)
      } catch {
        return true
      }
    })
    opened += some.length
    if (wrong.length === 0) continue
    faults.push(
      withHow(
        found('broken', 'Somebody changed encrypted values in the database: {count}.', { count: wrong.length }),
        how('They are in {place}: {rows}', {
          place: `${target.table}.${target.column}`,
          rows: wrong
            .slice(0, FAULTS_NAMED)
            .map(({ key }) => key)
            .join(', '),
        }),
      ),
    )
  }
  if (faults.length > 0) return faults
  const older = `${unbound} from an older version could be swapped unnoticed; npm run rotate-keys ends that.`
  return [
    { level: 'ok', text: `Encrypted values: ${opened} opened, all in their rows.${unbound > 0 ? ` ${older}` : ''}` },
  ]
}

const mistakesIn = ({ mistakes = [] }: ExaminedStore): Finding[] =>
  mistakes.map((text) => foundRaw(text, found('broken', 'A setting of the server needs a change.')))

async function checkBooks(db: Queries, migrations: string): Promise<Finding[]> {
  const broken = await findBroken(db, migrations)
  const chain = await verifyAuditChain(db)
  if (chain.length > 0) broken.push({ invariant: 'Audit log: complete and unaltered', marks: [], rows: chain })
  if (broken.length === 0) return [{ level: 'ok', text: 'Accounts: all checks passed.' }]
  return broken.map(({ invariant, marks, rows }) => ({
    ...foundRaw(
      `${invariant}: ${rows.join(', ')}` +
        (marks.includes('recount') ? ' (to recount: npm run doctor -- --recount)' : ''),
      found('broken', 'The store’s accounts don’t add up. Ask the person who runs your server.'),
    ),
    marks,
  }))
}

async function checkClock(db: Queries): Promise<Finding[]> {
  const before = machineClock.now().getTime()
  const at = await databaseTime(db)
  const awayMs = Math.round(Math.abs(at.getTime() - (before + machineClock.now().getTime()) / 2))
  return [
    found(
      awayMs > CLOCK_MS_MAX ? 'warning' : 'ok',
      'Clock: this machine is {count} ms off the database clock. The store uses the database clock.',
      { count: awayMs },
    ),
  ]
}

async function checkEngine(db: Queries): Promise<Finding[]> {
  const settings = await db.rows(sql(() => z.object({ name: z.string(), setting: z.string() }))`
    select name, setting from pg_settings where name = any(${MUST_BE_ON}::text[]) order by name`)
  const off = settings.filter(({ setting }) => setting === 'off')
  if (off.length === 0) return [{ level: 'ok', text: `Database durability: ${MUST_BE_ON.join(', ')} are on.` }]
  return off.map(({ name }) =>
    withHow(
      found('broken', 'A power cut could lose purchases.'),
      how('{name} is off. Turn it on in PostgreSQL.', { name }),
    ),
  )
}

/** Warns if the store works as the owner of its tables, because then only the program protects the ledger. */
async function checkRole(db: Queries): Promise<Finding[]> {
  const may = await db.holds(sql`select coalesce(pg_has_role(to_regrole(${APP_ROLE}), 'member'), false)`)
  if (may) return []
  return [
    withHow(
      found('warning', 'The database does not protect the wallets’ history from changes.'),
      how(
        'The database user can’t create the role {role}. Allow it with: alter role … createrole. Then restart the ' +
          'store.',
        { role: APP_ROLE },
      ),
    ),
  ]
}

/** Warns of replaced databases, because they hold personal data that an erasure does not reach. */
async function checkReplaced(db: Queries): Promise<Finding[]> {
  const replaced = await listReplaced(db)
  if (replaced.length === 0) return []
  const bytes = replaced.reduce((sum, each) => sum + each.bytes, 0)
  return [
    withHow(
      found('warning', '{count} old databases from earlier restores use {size}.', {
        count: replaced.length,
        size: inMb(bytes),
      }),
      how('Delete them: {command}', { command: 'npm run restore -- --forget' }),
    ),
  ]
}

/** @returns how long a store has run on this database, in ms; undefined if none does */
async function runningForMs(db: Queries): Promise<number | undefined> {
  const { ms } = await db.one(sql(() => z.object({ ms: z.nullable(z.number()) }))`
    select (extract(epoch from clock_timestamp() - min(backend_start)) * 1000)::float8 as ms from pg_stat_activity
     where datname = current_database() and application_name = 'chaabi' and query ilike 'listen%'`)
  return ms ?? undefined
}

async function checkJobs(db: Queries, now: Date): Promise<Finding[]> {
  const [jobs, ms] = [await readJobs(db), await runningForMs(db)]
  // While no store runs, a job that waits is not stuck
  const stuck = jobs.filter((job) => isStuck(job, now, ms ?? 0))
  if (stuck.length === 0) return [{ level: 'ok', text: `Jobs: ${jobs.length}, all running on time.` }]
  return stuck.map(({ name, failures, error, nextAt }) => {
    const values = { name, date: nextAt.toISOString(), count: failures, error: error === null ? '' : ` (${error})` }
    if (failures === 0) return found('broken', 'Job {name} is overdue since {date}{error}.', values)
    return found(
      'broken',
      'Job {name} is overdue since {date}, and failed {count, plural, one {once} other {# times in a row}}{error}.',
      values,
    )
  })
}

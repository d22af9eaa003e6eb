/** Does `npm run backup` and `npm run restore -- FILE`. */
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bringSecretsBack, openingKeys, sealingKey, withKey, type KeyPlace } from './backup-keys.ts'
import { noteBackup, readNewest, type MadeBackup } from './backup-rows.ts'
import { readSecretKeys } from '../platform/secrets/read-secret-keys.ts'
import { readHeader, restoreBackup, writeBackup } from './backup.ts'
import { sql, type Database, type DatabaseOptions, type Queries } from '../platform/database/database.ts'
import { findBroken } from '../platform/database/invariants.ts'
import { migrate } from '../platform/database/migrations.ts'
import { forgetUnfinished, fromStamp, toStamp } from '../platform/engine/log-archive.ts'
import type { SealingKey } from '../platform/secrets/sealed-file.ts'
import { ownSecretKeys, refuseOtherSecrets, replaceSecretFile, secretFile } from '../platform/secrets/secret-keys.ts'
import { endEveryAdminSession } from '../admins/admin-sessions.ts'
import { waitForOwner } from '../bank/credits/alarms.ts'
import { CLOSING_UNDO_MS } from '../../contract/limits.ts'
import { databaseTime } from '../platform/clock.ts'
import { freeEveryDevice, postponeClosings } from '../users/access/accounts.ts'
import { consumeAllResetLinks } from '../users/access/reset-links.ts'
import { pauseEveryLink } from '../supply/links.ts'
import { endEveryToken } from '../users/access/tokens.ts'
import { endEveryUserSession } from '../users/access/user-sessions.ts'
import {
  dropReplaced,
  inMb,
  inScratch,
  inSeconds,
  openForUpkeep,
  swapIn,
  UPKEEP_TIMEOUT_MS,
  using,
  type OwnerPlace,
} from './upkeep-databases.ts'

export interface BackupPlace extends KeyPlace, OwnerPlace {
  migrations: string
  say(line: string): void
}

const KEPT = 7
const NAME = /^chaabi-(\d{8}T\d{6}Z)\.backup$/

export const backupDirectory = (dataDir: string): string => path.join(dataDir, 'backups')

/** Lists the file names of backups, newest first. Those of a clock that was ahead come last. */
export async function listBackups(dataDir: string, now: Date): Promise<string[]> {
  const names = await readdir(backupDirectory(dataDir)).catch(() => [])
  const newest = nameAt(now)
  return names
    .filter((name) => NAME.test(name))
    .toSorted((a, b) => Number(a > newest) - Number(b > newest) || (a < b ? 1 : -1))
}

export const nameAt = (madeAt: Date): string => `chaabi-${toStamp(madeAt)}.backup`

/** Returns the newest backup of this node, if there is one. */
export async function readNewestFile(dataDir: string, now: Date): Promise<MadeBackup | undefined> {
  const [file = ''] = await listBackups(dataDir, now)
  const [, stamp] = NAME.exec(file) ?? []
  if (stamp === undefined || file > nameAt(now)) return undefined
  const { size: bytes } = await stat(path.join(backupDirectory(dataDir), file))
  return { file, madeAt: fromStamp(stamp), bytes }
}

/** Returns the time of the newest backup of any node. Its file may be from before the list of backups. */
export async function newestBackupAt(db: Queries, dataDir: string, now: Date): Promise<Date | undefined> {
  const { madeAt } = await readNewest(db, now)
  const here = (await readNewestFile(dataDir, now))?.madeAt
  return madeAt && (!here || madeAt > here) ? madeAt : here
}

/**
 * Makes a backup while the store runs, and checks it. The check restores it into a temporary database, where all
 * invariants must hold. Only then does it count, and all but the last seven are deleted.
 * @returns the file
 * @throws Error when the secrets are not the store's, because nobody could decrypt the restored keys
 */
export async function backUp(place: BackupPlace, now: Date): Promise<string> {
  const { dataDir, say } = place
  await using(openForUpkeep(place.owner), (db) => refuseOtherSecrets(db, place.secrets))
  const directory = backupDirectory(dataDir)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const name = nameAt(now)
  const file = path.join(directory, name)
  const unproven = `${file}.unproven`
  await forgetUnfinished(directory)
  const key = sealingKey(place)
  const began = performance.now()
  const db = openForUpkeep(place.owner)
  try {
    const { rows, bytes } = await writeBackup(db, unproven, key, {
      madeAt: now.toISOString(),
      ...secretsFor(key, place.secrets),
    })
    say(`Copied ${rows} rows into ${inMb(bytes)} in ${inSeconds(began)}.`)
    const proving = performance.now()
    const proven = await inScratch(place, db, (owner) => prove(place, unproven, key, owner, { lasts: false }))
    if (proven !== rows) throw new Error(`Backup check failed: ${rows} rows written, ${proven} found`)
    await rename(unproven, file)
    await noteBackup(db, { file: name, madeAt: now, bytes })
    say(`Backup verified in ${inSeconds(proving)}. It was restored into a temporary database, and all checks passed.`)
  } finally {
    await rm(unproven, { force: true })
    await db.close()
  }
  for (const old of (await listBackups(dataDir, now)).slice(KEPT)) await rm(path.join(directory, old))
  say(`Saved as ${file}`)
  say(
    `To open it you need ${'secret' in key ? 'the store’s secret key. Keep a copy elsewhere.' : 'BACKUP_PASSPHRASE.'}`,
  )
  return file
}

/**
 * Replaces the store's database with a backup. The backup is restored into a new database and checked there. Then the
 * new one takes the old one's name in one step, and the old one is kept under another name. All sessions end, because
 * some of them may have been ended since the backup.
 * @throws Error when the store has data and `replace` is false, or while a program is connected to the database
 */
export async function restore(place: BackupPlace, file: string, { replace }: { replace: boolean }): Promise<void> {
  const { say } = place
  const began = performance.now()
  const opened = await withKey(await openingKeys(place), (each) => readHeader(file, each))
  const { key } = opened
  const { madeAt, secrets } = opened.result
  const db = openForUpkeep(place.owner)
  try {
    await refuseUnready(db, file, replace)
    await inScratch(place, db, async (owner, scratch) => {
      const rows = await prove(place, file, key, owner, { lasts: true })
      say(`Checked the backup of ${madeAt} in ${inSeconds(began)}: ${rows} rows, all checks passed.`)
      // Before the swap, because an extra secret does no harm and a missing one makes keys unreadable
      await using(openForUpkeep(owner), async (restored) => {
        await bringSecretsBack(restored, place, secrets ?? [], say)
        await trustNobody(restored, await databaseTime(restored))
      })
      say(
        `All users and admins are logged out. Passwords, roles and two-step verification are as of ${madeAt}. ` +
          'If you restored because of a break-in, change them now.',
      )
      say('Automatic approval is off, and the phones of the bank inbox are paused, until you turn them on again.')
      say('First check the UPI ID, the prices and the admins. Keys that were sold since are in stock again.')
      if (secrets) await keepSecrets(place, secrets)
      await refuseUnready(db, file, replace)
      const wasUsed = await hasBeenUsed(db)
      await db.close()
      const aside = await swapIn(place, scratch)
      if (!wasUsed) return dropReplaced(place, aside)
      say(`The previous data is kept in database ${aside}. Delete it when you’re sure: npm run restore -- --forget`)
    })
  } finally {
    await db.close()
  }
  say(`Restored in ${inSeconds(began)}. Now start the store.`)
}

/** @throws Error when a program is connected, or the store has data and `replace` is false */
export async function refuseUnready(db: Database, file: string, replace: boolean): Promise<void> {
  for (const since = performance.now(); ; await sleep(LEAVING_POLL_MS)) {
    const others = await db.texts(sql`
      select application_name from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`)
    if (others.length === 0) break
    // A closed connection is still listed for a moment
    if (performance.now() - since < LEAVING_MS_MAX) continue
    if (others.includes('chaabi')) throw new Error('The store is running on this database. Stop it first.')
    const program = others[0] || 'unnamed program'
    throw new Error(`Another program is connected to this database (${program}). Close it and try again.`)
  }
  if (!replace && (await hasData(db)))
    throw new Error(`This store already has data. To replace it with the backup: npm run restore -- ${file} --replace`)
}

/** Returns the secrets to put into a file, which only one under a passphrase may contain. */
export const secretsFor = (key: SealingKey, secrets: readonly Buffer[]): { secrets?: string[] } =>
  'passphrase' in key ? { secrets: secrets.map((secret) => secret.toString('base64')) } : {}

/** Saves the secrets that a backup under a passphrase contains, because its licence keys need them. */
async function keepSecrets(
  { dataDir, secrets, secretsFrom, say }: BackupPlace,
  brought: readonly string[],
): Promise<void> {
  const held = secretsFrom === 'file' ? await ownSecretKeys(dataDir) : secrets
  const missing = readSecretKeys(brought.join()).filter((secret) => !held.some((each) => each.equals(secret)))
  if (missing.length === 0) return
  if (secrets.length === 0 && secretsFrom === 'file') {
    await replaceSecretFile(secretFile(dataDir), [...missing, ...held])
    return say(`The secret keys for its licence keys are now in ${secretFile(dataDir)}.`)
  }
  const file = path.join(dataDir, 'secret.key.from-backup')
  await writeFile(file, brought.join(','), { mode: 0o600 })
  say(`Its licence keys use a different secret key. Replace secret.key with ${file}.`)
}

/**
 * Restores into an empty database.
 * @returns the number of rows
 * @throws Error if an invariant is broken
 */
async function prove(
  { migrations }: BackupPlace,
  file: string,
  key: SealingKey,
  owner: DatabaseOptions['connection'],
  { lasts }: { lasts: boolean },
): Promise<number> {
  return using(openForUpkeep(owner), async (db) => {
    const migrateWith = async (directory: string) => {
      await migrate(typeof owner === 'string' ? { connectionString: owner } : owner, directory, () => {})
    }
    const { rows } = await restoreBackup(file, key, { db, migrateWith, lasts }, migrations)
    const broken = await db.transaction(
      async (tx) => {
        await tx.run(sql`set local work_mem = '64MB'`)
        return findBroken(tx, migrations)
      },
      { statementTimeoutMs: UPKEEP_TIMEOUT_MS },
    )
    if (broken.length > 0) throw new Error(`The backup breaks ${broken.map((each) => each.invariant).join('; ')}`)
    return rows
  })
}

/**
 * Ends restored sessions, tokens, proofs and unused links, because they could belong to a thief or to a former admin.
 * Pauses suppliers, because purchases there since the backup are not known.
 * Resets device locks too, because many buyers have a new device by now. A buyer may have kept an account that was
 * closing.
 */
function trustNobody(db: Database, now: Date): Promise<void> {
  return db.transaction(
    async (tx) => {
      await waitForOwner(tx, now)
      await postponeClosings(tx, new Date(now.getTime() + CLOSING_UNDO_MS))
      await endEveryUserSession(tx, now)
      await endEveryToken(tx, now)
      await pauseEveryLink(tx)
      await freeEveryDevice(tx)
      await endEveryAdminSession(tx, now)
      await consumeAllResetLinks(tx, now)
    },
    { statementTimeoutMs: UPKEEP_TIMEOUT_MS },
  )
}

async function hasData(db: Database): Promise<boolean> {
  const there = await db.holds(sql`select to_regclass('public.users') is not null`)
  if (!there) return false
  return db.holds(sql`select exists (select from users) or exists (select from products)`)
}

/** False for a place where nobody has done anything but start the store, so that nothing of it is worth keeping. */
const hasBeenUsed = async (db: Database): Promise<boolean> =>
  (await hasData(db)) ||
  ((await db.holds(sql`select to_regclass('public.audit_entries') is not null`)) &&
    (await db.holds(sql`select exists (select from audit_entries where admin_id is not null)`)))

/** How long a closed connection may still be listed, in ms. */
const LEAVING_MS_MAX = 3_000
const LEAVING_POLL_MS = 50

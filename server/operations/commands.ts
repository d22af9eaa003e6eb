/** All commands but `start`: the doctor, backups and restores, the keys, and admins who are locked out. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { recoverAdmin } from '../admins/recover-admin.ts'
import { noteCopy } from '../backup/backup-rows.ts'
import { backUp, backupDirectory, readNewestFile, restore } from '../backup/backup-store.ts'
import { NAME } from '../backup/copy-place.ts'
import { copyElsewhere, fetchCopy, openPlace } from '../backup/copies.ts'
import { copyBase, readMoment, restoreMoment, type MomentPlace } from '../backup/point-in-time.ts'
import { forgetReplaced, openForUpkeep, using } from '../backup/upkeep-databases.ts'
import { recountLimits } from '../bank/matching/recount-limits.ts'
import { recountStock } from '../keys/stock/recount-stock.ts'
import { checkProof } from '../proofs/check-proof.ts'
import { databaseTime } from '../platform/clock.ts'
import { COPY_TO, type Config } from '../platform/config.ts'
import type { Database, DatabaseOptions } from '../platform/database/database.ts'
import { archiveDirectory } from '../platform/engine/log-archive.ts'
import { reasonOf } from '../platform/reason.ts'
import { ownSecretKeys } from '../platform/secrets/secret-keys.ts'
import { examine } from './doctor.ts'
import { rotateKeys } from './rotate-keys.ts'

export const COMMANDS = ['doctor', 'backup', 'restore', 'rotate-keys', 'recover-admin'] as const

interface CommandContext {
  config: Config
  args: string[]
  db: Database
  owner: DatabaseOptions['connection']
  migrations: string
  say(line: string): void
}

export async function runCommand(command: (typeof COMMANDS)[number], context: CommandContext): Promise<void> {
  const { config, db, args, say } = context
  switch (command) {
    case 'doctor':
      process.exitCode = (await examineStore(context)) ? 0 : 1
      return
    case 'backup':
      return makeBackup(context)
    case 'restore':
      return restoreFile(context)
    case 'recover-admin': {
      const { username, password } = await recoverAdmin(db, args[0], await databaseTime(db))
      say(`New password for ${username}: ${password} (shown only once)`)
      return say(
        'Two-step verification is off and all devices are logged out. Log in, change the password and set it up again.',
      )
    }
    case 'rotate-keys':
      await rotateKeys(db, { dataDir: config.dataDir, secretKeys: config.secretKeys, say }, () => databaseTime(db))
      if (config.archiveWal && config.backupPassphrase !== undefined)
        say('Run now: npm run backup. Until you do, BACKUP_PASSPHRASE can’t open log entries written after this.')
      if (config.secretKeys === undefined && config.backupPassphrase === undefined)
        say('Copy the new secret.key to your safe place. All backups from now on need it.')
  }
}

const secretsOf = async ({ config }: CommandContext): Promise<Buffer[]> =>
  config.secretKeys ?? ownSecretKeys(config.dataDir)

async function placeOf(context: CommandContext): Promise<MomentPlace> {
  const { config, owner, migrations, say } = context
  return {
    owner,
    migrations,
    dataDir: config.dataDir,
    secrets: await secretsOf(context),
    secretsFrom: config.secretKeys === undefined ? ('file' as const) : ('environment' as const),
    passphrase: config.backupPassphrase,
    osUser: config.databaseOsUser,
    say,
  }
}

const DOCTOR_OPTIONS = { recount: { type: 'boolean', default: false }, proof: { type: 'string' } } as const

/** Does `doctor [--recount]` or `doctor --proof FILE`. @returns true if nothing is broken */
async function examineStore(context: CommandContext): Promise<boolean> {
  const { args, config, say } = context
  const { values } = parseArgs({ args, options: DOCTOR_OPTIONS })
  if (values.proof !== undefined) {
    const { isMade, says } = await checkProof(context.db, await readFile(values.proof))
    say(says)
    return isMade
  }
  if (values.recount) {
    const { prices, batches } = await recountStock(context.db)
    say(`Recounted. Fixed the stock of ${prices} prices and the sold count of ${batches} batches.`)
    if (await recountLimits(context.db)) say('Fixed what automatic approval has used of its limits.')
  }
  const place = { ...(await placeOf(context)), ...aboutStore(config) }
  return using(openForUpkeep(context.owner), (db) => examine(db, place))
}

/** The settings that the checks need. */
export const aboutStore = ({ mistakes, backupCopyTo, requireStandby, etcd, settingsFile }: Config) => ({
  mistakes,
  copyTo: backupCopyTo,
  requireStandby,
  etcd,
  settingsFile,
})

/** The exit code of a backup that is good, where the base copy or the copy elsewhere failed. */
const ONLY_THE_BACKUP = 2

/** Does `backup [--copy]`. With `--copy` it makes no new backup, and copies the newest one. */
async function makeBackup(context: CommandContext): Promise<void> {
  const { args, config, db, say } = context
  const { values } = parseArgs({ args, options: { copy: { type: 'boolean', default: false } } })
  if (values.copy) return copyNewest(context)
  const place = await placeOf(context)
  await backUp(place, await databaseTime(db))
  const follow = (work: Promise<unknown>, fault: string) =>
    work.catch(async (error: unknown) => {
      process.exitCode = ONLY_THE_BACKUP
      say(`${fault}: ${await reasonOf(error, config.dataDir)}`)
    })
  await follow(copyBase(place, await databaseTime(db)), 'The backup is good, but the base copy failed')
  // A file may have rows of the new secret key, and contain only the old one
  if ((await secretsOf(context)).some((secret) => !place.secrets.some((each) => each.equals(secret))))
    throw new Error('The secret keys were rotated during this backup. Run again: npm run backup')
  if (config.backupCopyTo !== undefined)
    await follow(copyNewest(context), 'The backup is good, but the copy elsewhere failed')
}

async function copyNewest({ config, db, owner, say }: CommandContext): Promise<void> {
  const { backupCopyTo: address, dataDir } = config
  if (address === undefined) throw new Error('BACKUP_COPY_TO is not set, so there is no place to copy to.')
  const newest = await readNewestFile(dataDir, await databaseTime(db))
  if (newest === undefined) throw new Error('No backup yet. Make one: npm run backup')
  const began = performance.now()
  const bytes = await copyElsewhere(address, path.join(backupDirectory(dataDir), newest.file), config.s3)
  await using(openForUpkeep(owner), async (upkeep) => noteCopy(upkeep, newest, address, await databaseTime(db)))
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  say(`Copied to ${address} and read back in ${seconds} s: ${(bytes / 1e6).toFixed(1)} MB, the same`)
  const archive = archiveDirectory(dataDir)
  for (const log of existsSync(archive) ? await readdir(archive) : []) {
    await openPlace(address, config.s3).putLog(path.join(archive, log))
    say(`Copied the archived log to ${address}`)
  }
}

const RESTORE_OPTIONS = {
  until: { type: 'string' },
  from: { type: 'string' },
  newest: { type: 'boolean', default: false },
  replace: { type: 'boolean', default: false },
  forget: { type: 'boolean', default: false },
} as const

/**
 * Reads `restore FILE [--until MOMENT] [--replace]`, `restore --from PLACE (--newest | FILE | --until MOMENT)` or
 * `restore --forget`. `restore PLACE` and `restore PLACE/FILE` are the same as with `--from`.
 * @throws Error if it names no file, or two
 */
export function readRestore(args: string[]) {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: RESTORE_OPTIONS })
  const [first] = positionals
  if (values.forget) return { ...values, named: undefined }
  const isPlace = values.from === undefined && first !== undefined && COPY_TO.test(first)
  const named = isPlace ? NAME.exec(first)?.[0] : first
  const from = isPlace ? first.slice(0, first.length - (named?.length ?? 0)) : values.from
  const newest = values.newest || (isPlace && named === undefined && values.until === undefined)
  const isOfPlace = from !== undefined && (newest || values.until !== undefined)
  if (positionals.length > 1 || (named === undefined) !== isOfPlace)
    throw new Error('Name the backup file: npm run restore -- FILE')
  return { ...values, from, newest, named }
}

async function restoreFile(context: CommandContext): Promise<void> {
  const { args, db, say } = context
  const { forget, until, replace, from, named } = readRestore(args)
  const place = await placeOf(context)
  if (forget) return forgetReplaced(place)
  const moment = until === undefined ? undefined : readMoment(until, await databaseTime(db))
  await db.close()
  let file = path.resolve(named ?? '')
  if (from !== undefined) {
    const directory = (moment ? archiveDirectory : backupDirectory)(place.dataDir)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    if (moment) await openPlace(from, context.config.s3).getArchive(directory)
    file = moment ? directory : await fetchCopy(from, directory, named, context.config.s3)
    say(`Fetched ${moment ? 'the archived log' : path.basename(file)} from ${from}`)
  }
  if (moment) await restoreMoment(place, file, moment, { replace })
  else await restore(place, file, { replace })
}

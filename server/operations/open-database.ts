/** Opens the store's database and migrates it: the embedded one, or the server that DATABASE_URL names. */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { sealingKey } from '../backup/backup-keys.ts'
import { openForUpkeep, using } from '../backup/upkeep-databases.ts'
import type { Config } from '../platform/config.ts'
import { openDirectly } from '../platform/database/connecting/direct-connection.ts'
import { openDatabase, type Database, type DatabaseOptions } from '../platform/database/database.ts'
import { startEmbeddedPostgres } from '../platform/engine/embedded-postgres.ts'
import { startArchiver } from '../platform/engine/log-archive.ts'
import { warnSparsely } from '../platform/watching/log.ts'
import { migrate } from '../platform/database/migrations.ts'
import { faultOf, followSecretFile, ownSecretKeys, refuseOtherSecretsFirst } from '../platform/secrets/secret-keys.ts'

interface StoreDatabase {
  /** Works as the application's role. */
  db: Database
  /** Connects as the owner of the tables. */
  owner: DatabaseOptions['connection']
  stop(): Promise<void>
}

/** @param isStore true if the store itself starts, which works only with the secrets of the database */
export async function openStoreDatabase(
  config: Config,
  migrations: string,
  log: Logger,
  isStore: boolean,
): Promise<StoreDatabase> {
  const note = (line: string) => log.info(line)
  let owner: DatabaseOptions['connection']
  let stopServer = async () => {}
  if (config.databaseUrl === undefined) {
    await mkdir(config.dataDir, { recursive: true })
    const server = await startEmbeddedPostgres({
      dataDir: path.join(config.dataDir, 'postgres'),
      log: note,
      archive: config.archiveWal,
      ...(config.databaseOsUser === undefined ? {} : { osUser: config.databaseOsUser }),
    })
    stopServer = () => server.stop()
    owner = { host: server.host, port: server.port, user: server.user, database: server.database }
  } else {
    owner = config.databaseUrl
    await openDirectly(owner)
    const { secretKeys } = config
    if (isStore && secretKeys) await using(openForUpkeep(owner), (db) => refuseOtherSecretsFirst(db, secretKeys))
  }
  const warn = warnSparsely()
  try {
    const role = await migrate(typeof owner === 'string' ? { connectionString: owner } : owner, migrations, note)
    const db = openDatabase({
      connection: owner,
      ...(role === undefined ? {} : { role }),
      onError: (error) => warn(log, { err: error }, 'database connection lost'),
    })
    const archiver = config.archiveWal ? await startStoreArchiver(db, config, log) : undefined
    return {
      db,
      owner,
      async stop() {
        // A restore has closed it already
        await db.close()
        await stopServer()
        // The engine hands over its last log when it ends
        await archiver?.stop()
      },
    }
  } catch (error) {
    await stopServer()
    throw error
  }
}

/** Encrypts the log only with the database's own secrets, because nobody would look for others in a restore. */
async function startStoreArchiver(
  db: Database,
  { dataDir, secretKeys, backupPassphrase: passphrase }: Config,
  log: Logger,
): Promise<{ stop(): Promise<void> }> {
  const secrets = secretKeys ?? (await ownSecretKeys(dataDir))
  const fault = await faultOf(db, secrets)
  const follow = secretKeys === undefined ? followSecretFile(dataDir, secrets) : () => secrets
  return startArchiver(
    dataDir,
    async () => {
      if (passphrase !== undefined) return { passphrase }
      if (fault !== undefined) throw new Error(fault)
      return sealingKey({ secrets: follow(), passphrase })
    },
    (err) => log.error({ err }, 'the log of the database is not archived'),
  )
}

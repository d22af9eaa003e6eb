/** Chooses the keys that encrypt and open backups, and brings back the secrets that restored rows need. */
import * as z from 'zod/mini'
import { readSecretKeys } from '../platform/secrets/read-secret-keys.ts'
import { prepared, sql, type Queries } from '../platform/database/database.ts'
import type { SealingKey } from '../platform/secrets/sealed-file.ts'
import { secretId } from '../platform/secrets/sealing.ts'
import { SEALED_COLUMNS } from '../platform/secrets/sealed-columns.ts'
import { replaceSecretFile, retiredSecretFile, retiredSecretKeys, secretFile } from '../platform/secrets/secret-keys.ts'

export interface KeyPlace {
  dataDir: string
  /** 32 bytes each, newest first; empty if they are missing. */
  secrets: readonly Buffer[]
  /** `file`: in the data directory. `environment`: in SECRET_KEY. */
  secretsFrom: 'file' | 'environment'
  passphrase: string | undefined
}

/** Returns the passphrase if there is one, else the newest secret. @throws Error if there is neither */
export function sealingKey({ secrets, passphrase }: Pick<KeyPlace, 'secrets' | 'passphrase'>): SealingKey {
  if (passphrase !== undefined) return { passphrase }
  const [secret] = secrets
  if (!secret) throw new Error('No secret key to encrypt the backup with')
  return { secret }
}

/** Returns all keys that may open a file: the passphrase, the present secrets and the retired ones. */
export async function openingKeys({ dataDir, secrets, passphrase }: KeyPlace): Promise<SealingKey[]> {
  const all = [...secrets, ...(await retiredSecretKeys(dataDir))]
  return [...(passphrase === undefined ? [] : [{ passphrase }]), ...all.map((secret) => ({ secret }))]
}

/**
 * Tries the keys until one opens the file.
 * @param read fails with a wrong key
 * @throws Error that says what is needed, if none of them opens it
 */
export async function withKey<T>(
  keys: readonly SealingKey[],
  read: (key: SealingKey) => Promise<T>,
): Promise<{ key: SealingKey; result: T }> {
  if (keys.length === 0) throw new Error(`No secret key found to open this backup. To fix it, ${WANTED}. ${RETIRED}`)
  const failures: Error[] = []
  for (const key of keys) {
    try {
      return { key, result: await read(key) }
    } catch (error) {
      failures.push(error as Error)
    }
  }
  const altered = failures.find(({ message }) => message.includes('made with a different key'))
  if (!altered) throw failures[0] ?? new Error('Can’t open this backup')
  throw new Error(`${altered.message}. ${RETIRED}`, { cause: altered })
}

const WANTED = 'copy that store’s secret.key into DATA_DIR, or set SECRET_KEY or BACKUP_PASSPHRASE'
const RETIRED =
  'If the backup was made before npm run rotate-keys, put the old secret key into DATA_DIR/secret.key.retired.'

/**
 * Puts retired secrets back to use if the restored rows are encrypted with them.
 * @param db the restored rows
 * @throws Error when a secret is missing that the store needs to start
 */
export async function bringSecretsBack(
  db: Queries,
  { dataDir, secrets, secretsFrom }: KeyPlace,
  brought: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  const needed = new Set<number>()
  for (const { table, column } of SEALED_COLUMNS)
    for (const { id } of await db.rows(sql(() => z.object({ id: z.number() }))`
      select distinct get_byte(${prepared(column)}, 0) as id from ${prepared(table)}
       where ${prepared(column)} is not null`))
      needed.add(id)
  for (const secret of secrets) needed.delete(secretId(secret))
  const back = (await retiredSecretKeys(dataDir)).filter((secret) => needed.delete(secretId(secret)))
  for (const text of brought) for (const secret of readSecretKeys(text)) needed.delete(secretId(secret))
  const fingerprint = await db.maybe(
    sql(() =>
      z.object({ id: z.number() }),
    )`select get_byte(sealed, 0) as id from sealed_secrets where name = 'fingerprint'`,
  )
  if (fingerprint && needed.has(fingerprint.id))
    throw new Error(
      'This backup uses a secret key that is not here, so the store couldn’t start with it. Nothing was changed. ' +
        'To fix it, add the old secret key after the newest (DATA_DIR/secret.key or SECRET_KEY=new,old) ' +
        'and restore again.',
    )
  if (back.length > 0 && secretsFrom === 'file') {
    await replaceSecretFile(secretFile(dataDir), [...secrets, ...back])
    say(`This backup uses a retired secret key. ${secretFile(dataDir)} has that key again, after the newest.`)
    say('Start the store, then run: npm run rotate-keys')
  } else if (back.length > 0) {
    say(
      `This backup uses a retired secret key. Put what is in ${retiredSecretFile(dataDir)} ` +
        'after the newest in SECRET_KEY=new,old before you start the store.',
    )
  }
  if (needed.size > 0)
    say(
      'Some of its licence keys use a secret key that is not here, so nobody can read them. To fix it, ' +
        'put the old secret key after the newest (DATA_DIR/secret.key or SECRET_KEY=new,old).',
    )
}

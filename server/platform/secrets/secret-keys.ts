/**
 * The store's secret keys. Without them nobody can read the licence keys in the database, so keep a copy of them. They
 * come from SECRET_KEY, or from a file that a new store creates at its start. `npm run rotate-keys` changes that file
 * while the store runs, and the store follows the change.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { chmod, link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import { readSecretKeys } from './read-secret-keys.ts'
import { sql, type Database, type Queries } from '../database/database.ts'
import { createSealer, firstFingerprintKey, secretId, UnknownSecret, type Sealer } from './sealing.ts'

/** How long a running store may use the old secret key after a change, in ms. */
export const SECRETS_FOLLOWED_MS = 500

export const secretFile = (dataDir: string): string => path.join(dataDir, 'secret.key')
/** Old secret keys, newest first. Older backups still need them. */
export const retiredSecretFile = (dataDir: string): string => `${secretFile(dataDir)}.retired`

export const retiredSecretKeys = (dataDir: string): Promise<Buffer[]> => readSecretFile(retiredSecretFile(dataDir))

/** Reads the secrets of the file, newest first; none if it is missing. Only a starting store creates it. */
export async function ownSecretKeys(dataDir: string): Promise<Buffer[]> {
  const file = secretFile(dataDir)
  const secrets = await readSecretFile(file)
  if (secrets.length > 0) await chmod(file, 0o600)
  return secrets
}

async function readSecretFile(file: string): Promise<Buffer[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return readHeld(text, file)
}

const readHeld = (text: string, file: string): Buffer[] => (text.trim() === '' ? [] : readSecretKeys(text.trim(), file))

/** Replaces the secrets. A reader finds the old ones or the new ones, even after a power cut. */
export async function replaceSecretFile(file: string, secrets: readonly Buffer[]): Promise<void> {
  const next = `${file}.next`
  const handle = await open(next, 'w', 0o600)
  try {
    await handle.writeFile(secrets.map((secret) => secret.toString('base64')).join(','))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(next, file)
  const directory = await open(path.dirname(file))
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** Makes a new secret with a name that none of the others has. */
export function newSecret(others: readonly Buffer[]): Buffer {
  for (;;) {
    const secret = randomBytes(32)
    if (!others.some((other) => secretId(other) === secretId(secret))) return secret
  }
}

const MISSING =
  'The secret key for this database is missing. Put your copy of secret.key back into DATA_DIR, or set ' +
  'SECRET_KEY to the same value. A backup made with BACKUP_PASSPHRASE also contains it.'
const ON_EVERY_NODE =
  'Set SECRET_KEY to the same value on every node. It is in secret.key in the DATA_DIR of the first node.'
const OF_ANOTHER_NODE = `Another node made the secret key for this database. ${ON_EVERY_NODE}`
const NOT_ITS_OWN =
  'The secret key (SECRET_KEY or DATA_DIR/secret.key) doesn’t match this database. Put back the one ' +
  'the database was encrypted with: your copy of secret.key, or the original SECRET_KEY.'

const FINGERPRINT = 'fingerprint'
const Sealed = z.object({ sealed: z.instanceof(Buffer) })
const readFingerprint = (db: Queries): Promise<z.output<typeof Sealed> | undefined> =>
  db.maybe(sql(Sealed)`select sealed from sealed_secrets where name = ${FINGERPRINT}`)

/** True if the database holds anything that needs a secret key. */
function isSealed(db: Queries): Promise<boolean> {
  return db.holds(sql`select exists (select from sealed_secrets) or exists (select from license_keys)`)
}

/** @returns what is wrong with these secrets for this database, and what to do; undefined if they are right */
export async function faultOf(db: Queries, secrets: readonly Buffer[]): Promise<string | undefined> {
  if (secrets.length === 0) return (await isSealed(db)) ? MISSING : undefined
  const fingerprint = await readFingerprint(db)
  return fingerprint && !isOpenedBy(secrets, fingerprint.sealed) ? NOT_ITS_OWN : undefined
}

/**
 * Protects commands that encrypt. With a secret that is not the store's, nobody could open their backup or read their
 * keys.
 * @throws Error that says what to do
 */
export async function refuseOtherSecrets(db: Queries, secrets: readonly Buffer[]): Promise<void> {
  const fault = await faultOf(db, secrets)
  if (fault !== undefined) throw new Error(fault)
}

/**
 * Protects a database from a node with other secrets, before that node migrates it. One that was never started has no
 * table to compare.
 * @throws Error that says what to do
 */
export async function refuseOtherSecretsFirst(db: Queries, secrets: readonly Buffer[]): Promise<void> {
  const begun = await db.holds(sql`select to_regclass('sealed_secrets') is not null`)
  if (begun) await refuseOtherSecrets(db, secrets)
}

const isOpenedBy = (secrets: readonly Buffer[], sealed: Uint8Array): boolean =>
  opens(secrets, (sealer) => sealer.open('secret', FINGERPRINT, sealed))

/** Opens an encrypted value, or throws. */
type Proof = (sealer: Sealer) => unknown

function opens(secrets: readonly Buffer[], proof: Proof): boolean {
  try {
    proof(createSealer(secrets))
    return true
  } catch {
    return false
  }
}

/**
 * Opens the store's encryption for a node without SECRET_KEY, which has to be the only one: the file of one node does
 * not follow a rotation on another.
 * @throws Error that names SECRET_KEY, if another machine made the secret key or works on this database
 */
export async function openNodeSealer(db: Database, dataDir: string): Promise<Sealer> {
  const other = await findOtherMachine(db)
  if (other !== undefined) throw new Error(`Another node works on this database (${other}). ${ON_EVERY_NODE}`)
  return openSealer(db, dataDir).catch(async (error: unknown) => {
    const fault = await faultOf(db, await ownSecretKeys(dataDir))
    throw fault === undefined ? error : new Error(`${OF_ANOTHER_NODE} With one node: ${fault}`)
  })
}

/** @returns the address of a store on another machine that is connected to this database */
async function findOtherMachine(db: Database): Promise<string | undefined> {
  const found = await db.transaction(async (tx) => {
    // The store's role may not see what the owner sees
    await tx.run(sql`set local role none`)
    return tx.maybe(sql(() => z.object({ address: z.string() }))`
      select coalesce(host(other.client_addr), 'beside the database') as address
        from pg_stat_activity other, pg_stat_activity own
       where own.pid = pg_backend_pid() and other.datname = own.datname and other.usesysid = own.usesysid
         and other.application_name = own.application_name and other.backend_type = own.backend_type
         and other.client_addr is distinct from own.client_addr
       limit 1`)
  })
  return found?.address
}

/**
 * Opens the store's encryption.
 * @param from the secrets, or the data directory. Its file is followed while the store runs, and created for a database
 *   that holds nothing encrypted yet
 * @throws Error when the database was encrypted with other secrets, or they are missing
 */
export async function openSealer(db: Database, from: readonly Buffer[] | string): Promise<Sealer> {
  const secrets = typeof from === 'string' ? await ownOrNewSecretKeys(db, from) : from
  const fingerprintKey = await keepFingerprintKey(db, secrets)
  if (typeof from !== 'string') return createSealer(secrets, fingerprintKey)
  return followSecrets(from, secrets, fingerprintKey)
}

async function ownOrNewSecretKeys(db: Database, dataDir: string): Promise<Buffer[]> {
  if ((await ownSecretKeys(dataDir)).length === 0 && !(await isSealed(db))) await makeSecretFile(dataDir)
  const secrets = await ownSecretKeys(dataDir)
  if (secrets.length > 0) return secrets
  await refuseOtherSecrets(db, secrets)
  throw new Error(`${secretFile(dataDir)} is empty and this is a new store. Delete the file and start again.`)
}

/** Creates the file whole or not at all. If two processes start at once, one creates it and the other reads it. */
async function makeSecretFile(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  const file = secretFile(dataDir)
  const whole = `${file}.${process.pid}.new`
  try {
    await writeFile(whole, newSecret([]).toString('base64'), { mode: 0o600 })
    await link(whole, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(whole, { force: true })
  }
}

/** Keeps the fingerprints' key in the database, encrypted, because fingerprints must survive a change of secrets. */
async function keepFingerprintKey(db: Database, secrets: readonly Buffer[]): Promise<Buffer> {
  const sealer = createSealer(secrets)
  const own = sealer.seal('secret', FINGERPRINT, firstFingerprintKey(secrets).toString('base64'))
  await db.run(sql`insert into sealed_secrets (name, sealed) values (${FINGERPRINT}, ${own}) on conflict do nothing`)
  await refuseOtherSecrets(db, secrets)
  const fingerprint = await readFingerprint(db)
  return keyIn(sealer, fingerprint?.sealed ?? own)
}

const keyIn = (sealer: Sealer, sealed: Buffer): Buffer =>
  Buffer.from(sealer.open('secret', FINGERPRINT, sealed), 'base64')

/** Opens the encryption of a store that has run, and writes nothing. @throws Error when the secrets are not its own */
export async function sealerOf(db: Queries, secrets: readonly Buffer[]): Promise<Sealer> {
  const fingerprint = await readFingerprint(db)
  return createSealer(secrets, fingerprint && keyIn(createSealer(secrets), fingerprint.sealed))
}

/**
 * Follows the secrets of the file as it changes, newest first. Ignores a file that doesn't include the current secret,
 * because the next start couldn't open the database with it. A rotation leaves that secret in the file, or among the
 * retired ones.
 * @param own the secrets of the database. If it is new and has none, the first ones found are taken
 * @returns a function that reads the secrets. With an encrypted value of the database it reads the file again, and also
 *   accepts secrets that open this value
 * @throws Error, from that function, when the file is missing or not the database's
 */
export function followSecretFile(dataDir: string, own: readonly Buffer[]): (proof?: Proof) => readonly Buffer[] {
  const file = secretFile(dataDir)
  const retired = retiredSecretFile(dataDir)
  const read = (from: string) => readHeld(readFileSync(from, 'utf8'), from)
  let held = own
  let changedMs = -1

  const areOwn = (secrets: readonly Buffer[], proof: Proof | undefined): boolean => {
    const [newest] = held
    if (!newest) return true
    const isThere = (among: readonly Buffer[]) => among.some((secret) => secret.equals(newest))
    return (
      isThere(secrets) ||
      (existsSync(retired) && isThere(read(retired))) ||
      (proof !== undefined && opens(secrets, proof))
    )
  }

  return (proof) => {
    if (!existsSync(file)) throw new Error(MISSING)
    const { mtimeMs } = statSync(file)
    if (mtimeMs === changedMs && proof === undefined) return held
    const secrets = read(file)
    if (!areOwn(secrets, proof)) throw new Error(NOT_ITS_OWN)
    changedMs = mtimeMs
    held = secrets
    return held
  }
}

/**
 * Encrypts with the newest secret of the file, at most half a second after a change. Decrypts with every secret that
 * the file has held, because rows that were read before a change are decrypted after it.
 */
function followSecrets(dataDir: string, own: readonly Buffer[], fingerprintKey: Buffer): Sealer {
  const follow = followSecretFile(dataDir, own)
  let seen = own
  let lookedMs = -Infinity
  let current = createSealer(own, fingerprintKey)

  function take(secrets: readonly Buffer[]): void {
    if (secrets.every((secret, n) => seen[n]?.equals(secret))) return
    seen = [...secrets, ...seen.filter((old) => !secrets.some((secret) => secret.equals(old)))]
    current = createSealer(seen, fingerprintKey)
  }

  function newest(): Sealer {
    if (performance.now() - lookedMs < SECRETS_FOLLOWED_MS) return current
    // Encrypts nothing while the file is wrong, because the next start could not decrypt it
    take(follow())
    lookedMs = performance.now()
    return current
  }

  return {
    seal: (...value) => newest().seal(...value),
    open(...value) {
      try {
        return current.open(...value)
      } catch (error) {
        // Another process encrypted it with a secret that is new in the file
        if (!(error instanceof UnknownSecret)) throw error
        take(follow((sealer) => sealer.open(...value)))
        return current.open(...value)
      }
    },
    fingerprint: (text) => current.fingerprint(text),
    secrets() {
      try {
        newest()
      } catch {
        // A file that is missing or wrong is one more reason to save what it held
      }
      return seen
    },
  }
}

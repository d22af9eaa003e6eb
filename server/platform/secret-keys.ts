/**
 * The store's secrets. Without them the licence keys in the database cannot be read: they belong into every backup.
 * They come from SECRET_KEY, or from a file that a new store makes when it starts; `npm run rotate-keys` changes that file while
 * the store runs, and the store follows it.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { chmod, link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import { readSecretKeys } from './config.ts'
import { sql, type Database, type Queries } from './database/database.ts'
import { createSealer, firstFingerprintKey, secretId, UnknownSecret, type Sealer } from './sealing.ts'

/** How old the secrets may be that a running store seals with, after they were changed; milliseconds. */
export const SECRETS_FOLLOWED_MS = 500

export const secretFile = (dataDir: string): string => path.join(dataDir, 'secret.key')
/** Holds what rotations have put out of use, newest first: backups of before are sealed with it. */
export const retiredSecretFile = (dataDir: string): string => `${secretFile(dataDir)}.retired`

export const retiredSecretKeys = (dataDir: string): Promise<Buffer[]> => readSecretFile(retiredSecretFile(dataDir))

/** What the file holds, newest first; none where it is missing. Only a store that starts makes it (`openSealer`). */
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

/** Puts others in their place: whoever reads the file finds the old ones or the new ones, also after a power cut. */
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

/** A new secret, with a name that none of the others has. */
export function newSecret(others: readonly Buffer[]): Buffer {
  for (;;) {
    const secret = randomBytes(32)
    if (!others.some((other) => secretId(other) === secretId(secret))) return secret
  }
}

const MISSING =
  'The secret key for this database is missing. Put your copy of secret.key back into DATA_DIR, or set ' +
  'SECRET_KEY to the same value. A backup made with BACKUP_PASSPHRASE also contains it.'
const NOT_ITS_OWN =
  'The secret key (SECRET_KEY or DATA_DIR/secret.key) doesn’t match this database. Put back the one ' +
  'the database was encrypted with: your copy of secret.key, or the original SECRET_KEY.'

const Sealed = z.object({ sealed: z.instanceof(Buffer) })
const readFingerprint = (db: Queries): Promise<z.output<typeof Sealed> | undefined> =>
  db.maybe(Sealed, sql`select sealed from sealed_secrets where name = 'fingerprint'`)

/** Whether a secret is needed to read what the database holds. */
async function isSealed(db: Queries): Promise<boolean> {
  const { sealed } = await db.one(
    z.object({ sealed: z.boolean() }),
    sql`select exists (select from sealed_secrets) or exists (select from license_keys) as sealed`,
  )
  return sealed
}

/** @returns why these are not the secrets that the database is sealed with, and what to do; undefined when they are */
export async function faultOf(db: Queries, secrets: readonly Buffer[]): Promise<string | undefined> {
  if (secrets.length === 0) return (await isSealed(db)) ? MISSING : undefined
  const fingerprint = await readFingerprint(db)
  return fingerprint && !isOpenedBy(secrets, fingerprint.sealed) ? NOT_ITS_OWN : undefined
}

/**
 * For what seals beside the store: under a secret that is not the store's, a backup could not be opened, and a key not
 * be read.
 * @throws Error that says what to do
 */
export async function refuseOtherSecrets(db: Queries, secrets: readonly Buffer[]): Promise<void> {
  const fault = await faultOf(db, secrets)
  if (fault !== undefined) throw new Error(fault)
}

function isOpenedBy(secrets: readonly Buffer[], sealed: Uint8Array): boolean {
  try {
    createSealer(secrets).open(sealed)
    return true
  } catch {
    return false
  }
}

/**
 * What the store seals and opens with.
 * @param from the secrets themselves, or the data directory whose file is followed while the store runs, and made for a
 * database that nothing was sealed in
 * @throws Error when the database was sealed with other secrets, or they are missing
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

/** As a whole or not at all: of two processes that start at once, one makes it and the other reads it. */
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

/** Equal texts have equal fingerprints for ever, so their key is kept in the database, sealed, when secrets change. */
async function keepFingerprintKey(db: Database, secrets: readonly Buffer[]): Promise<Buffer> {
  const sealer = createSealer(secrets)
  const own = sealer.seal(firstFingerprintKey(secrets).toString('base64'))
  await db.run(sql`insert into sealed_secrets (name, sealed) values ('fingerprint', ${own}) on conflict do nothing`)
  await refuseOtherSecrets(db, secrets)
  const fingerprint = await readFingerprint(db)
  return Buffer.from(sealer.open(fingerprint?.sealed ?? own), 'base64')
}

/**
 * The secrets of the file as it changes, newest first. What has not grown out of the secret of now is not followed, for
 * the next start would not open the database with it: a rotation leaves that secret in the file, or among the retired.
 * @param own those that the database is sealed with; where it is new and has none, the first that come
 * @returns takes something of the database, for which the file is read again: whatever opens that is its own, too
 */
export function followSecretFile(dataDir: string, own: readonly Buffer[]): (proof?: Uint8Array) => readonly Buffer[] {
  const file = secretFile(dataDir)
  const retired = retiredSecretFile(dataDir)
  const read = (from: string) => readHeld(readFileSync(from, 'utf8'), from)
  let held = own
  let changedMs = -1

  const areOwn = (secrets: readonly Buffer[], proof: Uint8Array | undefined): boolean => {
    const [newest] = held
    if (!newest) return true
    const isThere = (among: readonly Buffer[]) => among.some((secret) => secret.equals(newest))
    return (
      isThere(secrets) ||
      (existsSync(retired) && isThere(read(retired))) ||
      (proof !== undefined && isOpenedBy(secrets, proof))
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
 * Seals with the newest secret of the file as it is at most half a second later, and opens with every one that it has
 * ever held: rows that were read before a change are still to be opened after it.
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
    // Nothing is sealed while the file is not what it should be: it might be lost with the next start
    take(follow())
    lookedMs = performance.now()
    return current
  }

  return {
    seal: (text) => newest().seal(text),
    open(sealed) {
      try {
        return current.open(sealed)
      } catch (error) {
        // Another process has sealed it with a secret that came into the file a moment ago
        if (!(error instanceof UnknownSecret)) throw error
        take(follow(sealed))
        return current.open(sealed)
      }
    },
    fingerprint: (text) => current.fingerprint(text),
  }
}

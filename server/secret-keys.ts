/**
 * The store's secrets. Without them the licence keys in the database cannot be read: they belong into every backup.
 * They come from SECRET_KEY, or from a file that is made at first start; `npm run rotate-keys` changes that file while
 * the store runs, and the store follows it.
 */
import { randomBytes } from 'node:crypto'
import { statSync, readFileSync } from 'node:fs'
import { chmod, mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import { readSecretKeys } from './config.ts'
import { sql, type Database } from './platform/database.ts'
import { createSealer, firstFingerprintKey, secretId, UnknownSecret, type Sealer } from './platform/sealing.ts'

/** How old the secrets may be that a running store seals with, after they were changed; milliseconds. */
export const SECRETS_FOLLOWED_MS = 500

export const secretFile = (dataDir: string): string => path.join(dataDir, 'secret.key')
/** Holds what rotations have put out of use, newest first: backups of before are sealed with it. */
export const retiredSecretFile = (dataDir: string): string => `${secretFile(dataDir)}.retired`

export async function retiredSecretKeys(dataDir: string): Promise<Buffer[]> {
  const text = await readFile(retiredSecretFile(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.trim() === '' ? [] : readSecretKeys(text.trim())
}

/** Read from the file, which is made when it is not there. */
export async function ownSecretKeys(dataDir: string): Promise<Buffer[]> {
  const file = secretFile(dataDir)
  await mkdir(dataDir, { recursive: true })
  // `wx`: of two processes that start at once, one makes it and the other reads it
  await writeFile(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  await chmod(file, 0o600)
  return readSecretKeys((await readFile(file, 'utf8')).trim())
}

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

/**
 * What the store seals and opens with.
 * @param from the secrets themselves, or the data directory whose file is followed while the store runs
 * @throws Error when the database was sealed with other secrets
 */
export async function openSealer(db: Database, from: readonly Buffer[] | string): Promise<Sealer> {
  const secrets = typeof from === 'string' ? await ownSecretKeys(from) : from
  const fingerprintKey = await keepFingerprintKey(db, secrets)
  if (typeof from !== 'string') return createSealer(secrets, fingerprintKey)
  return followSecrets(secretFile(from), fingerprintKey)
}

/** Equal texts have equal fingerprints for ever, so their key is kept in the database, sealed, when secrets change. */
async function keepFingerprintKey(db: Database, secrets: readonly Buffer[]): Promise<Buffer> {
  const sealer = createSealer(secrets)
  const own = sealer.seal(firstFingerprintKey(secrets).toString('base64'))
  await db.run(sql`insert into sealed_secrets (name, sealed) values ('fingerprint', ${own}) on conflict do nothing`)
  const { sealed } = await db.one(
    z.object({ sealed: z.instanceof(Buffer) }),
    sql`select sealed from sealed_secrets where name = 'fingerprint'`,
  )
  try {
    return Buffer.from(sealer.open(sealed), 'base64')
  } catch (error) {
    if (!(error instanceof UnknownSecret)) throw error
    throw new Error(
      'This database was sealed with another secret: SECRET_KEY, or DATA_DIR/secret.key, is not its own.',
      {
        cause: error,
      },
    )
  }
}

/**
 * Seals with the newest secret of the file as it is at most half a second later, and opens with every one that it has
 * ever held: rows that were read before a change are still to be opened after it.
 */
function followSecrets(file: string, fingerprintKey: Buffer): Sealer {
  let seen: Buffer[] = []
  let changedMs = -1
  let lookedMs = -Infinity
  let current = read()

  function read(): Sealer {
    lookedMs = performance.now()
    changedMs = statSync(file).mtimeMs
    const secrets = readSecretKeys(readFileSync(file, 'utf8').trim())
    seen = [...secrets, ...seen.filter((old) => !secrets.some((secret) => secret.equals(old)))]
    return createSealer(seen, fingerprintKey)
  }

  function newest(): Sealer {
    if (performance.now() - lookedMs < SECRETS_FOLLOWED_MS) return current
    lookedMs = performance.now()
    if (statSync(file).mtimeMs !== changedMs) current = read()
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
        current = read()
        return current.open(sealed)
      }
    },
    fingerprint: (text) => current.fingerprint(text),
  }
}

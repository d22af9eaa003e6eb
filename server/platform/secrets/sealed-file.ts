/**
 * Encrypted files: a magic word, a salt and a nonce, then AES-256-GCM over gzip. The tag at the end covers everything
 * before it. So trust what you read only after the end.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scrypt, type BinaryLike } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline as flow } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

/** A file is opened by a secret key of the store, or by a passphrase. */
export type SealingKey = { secret: Buffer } | { passphrase: string }

/** The contents: rows of a backup, the files of a cluster, or a segment of its log. Six letters each. */
type SealedKind = 'BACKUP' | 'BASECP' | 'WALSEG'

const MAGIC_BYTES = 16
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = MAGIC_BYTES + SALT_BYTES + NONCE_BYTES
const SALTS_KEPT_MAX = 32

const magicOf = (kind: SealedKind, key: SealingKey): string => `CHAABI-${kind}-1${'secret' in key ? 'S' : 'P'}`

/** Makes a salt. Share it between files of one writer, because stretching a passphrase for each salt is slow. */
export const newSalt = (): Buffer => randomBytes(SALT_BYTES)

interface Sealing {
  /** The level of gzip, 1 to 9. */
  level?: number
  salt?: Buffer
}

/** Yields the bytes of an encrypted file, no faster than they are taken. */
export async function* seal(
  kind: SealedKind,
  key: SealingKey,
  source: AsyncIterable<string | Buffer>,
  { level = 6, salt = newSalt() }: Sealing = {},
): AsyncGenerator<Buffer> {
  const nonce = randomBytes(NONCE_BYTES)
  const head = Buffer.concat([Buffer.from(magicOf(kind, key)), salt, nonce])
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(key, salt), nonce)
  cipher.setAAD(head)
  yield head
  // The reader of the last stream gets the error of any
  yield* flow(source, createGzip({ level }), cipher, () => {}) as AsyncIterable<Buffer>
  yield cipher.getAuthTag()
}

/**
 * Writes a new file and syncs it to the disk. Creates the file before it reads from `source`.
 * @returns its size in bytes
 */
export async function writeSealed(
  file: string,
  kind: SealedKind,
  key: SealingKey,
  source: AsyncIterable<string | Buffer>,
  sealing?: Sealing,
): Promise<number> {
  const output = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
  await once(output, 'open')
  await pipeline(seal(kind, key, source, sealing), output)
  return (await stat(file)).size
}

interface SealedReading {
  plain: Readable
  /** Ends the reading. @throws Error when the file was altered, or made with a different key */
  close(): Promise<void>
}

/** @throws Error that names the right kind of key, if it is not `key` */
export async function openSealed(file: string, kind: SealedKind, key: SealingKey): Promise<SealedReading> {
  const { size } = await stat(file)
  const handle = await open(file, 'r')
  const head = Buffer.alloc(HEAD_BYTES)
  const tag = Buffer.alloc(TAG_BYTES)
  try {
    if (size < HEAD_BYTES + TAG_BYTES) throw new Error(`${file} isn’t ${nameOf(kind)}. It is too short.`)
    await handle.read(head, 0, HEAD_BYTES, 0)
    await handle.read(tag, 0, TAG_BYTES, size - TAG_BYTES)
  } finally {
    await handle.close()
  }
  const magic = head.subarray(0, MAGIC_BYTES).toString('latin1')
  if (magic !== magicOf(kind, key)) {
    const other = magic.endsWith('S')
      ? 'the store’s secret key (DATA_DIR/secret.key or SECRET_KEY)'
      : 'BACKUP_PASSPHRASE'
    throw new Error(
      magic.startsWith(`CHAABI-${kind}-`) ? `${file} is opened by ${other}` : `${file} isn’t ${nameOf(kind)}.`,
    )
  }
  const salt = head.subarray(MAGIC_BYTES, MAGIC_BYTES + SALT_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', await deriveKey(key, salt), head.subarray(MAGIC_BYTES + SALT_BYTES))
  decipher.setAAD(head)
  decipher.setAuthTag(tag)
  const plain = createGunzip({ chunkSize: 64 * 1024 })
  let failure: unknown
  const flowing = pipeline(
    createReadStream(file, { start: HEAD_BYTES, end: size - TAG_BYTES - 1 }),
    decipher,
    plain,
  ).catch((error: unknown) => {
    failure = error
  })
  return {
    plain,
    async close() {
      plain.destroy()
      await flowing
      if (failure !== undefined)
        throw new Error(`${file} can’t be opened. It was made with a different key, or it was altered`, {
          cause: failure,
        })
    },
  }
}

const nameOf = (kind: SealedKind): string =>
  ({
    BACKUP: 'a backup of this store',
    BASECP: 'a copy of a database’s files',
    WALSEG: 'part of a database’s log',
  })[kind]

/** Keys that were recently made from a passphrase, by salt. */
const stretched = new Map<string, { passphrase: string; key: Promise<Buffer> }>()

function deriveKey(key: SealingKey, salt: Buffer): Promise<Buffer> {
  if ('secret' in key) return Promise.resolve(Buffer.from(hkdfSync('sha256', key.secret, salt, 'chaabi backup', 32)))
  const name = salt.toString('base64')
  const known = stretched.get(name)
  if (known?.passphrase === key.passphrase) return known.key
  const entry = { passphrase: key.passphrase, key: stretch(key.passphrase, salt) }
  stretched.set(name, entry)
  for (const oldest of stretched.keys()) if (stretched.size > SALTS_KEPT_MAX) stretched.delete(oldest)
  return entry.key
}

function stretch(passphrase: BinaryLike, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, 32, { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 2 ** 20 }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

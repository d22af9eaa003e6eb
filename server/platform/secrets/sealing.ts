/**
 * Encrypts secrets at rest, with AES-256-GCM under a key outside the database. The first byte names the key, so that
 * keys can be rotated while the store runs. A value is bound to its purpose and row, so that who writes to the database
 * cannot have the store show one row's value in another. A fingerprint (HMAC-SHA-256 with a key of its own) finds an
 * equal text without decrypting any.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16
/**
 * The second byte of a bound value. Values from before were not bound, and had their nonce there. They are read until
 * the secret key is rotated. No secret of a later rotation ever encrypts one.
 */
export const BOUND_MARK = 0xb1

export type Purpose =
  | 'key'
  | 'second-factor'
  | 'payer'
  | 'bank-form'
  | 'bank-heard'
  | 'bank-sighting'
  | 'channel'
  | 'push'
  | 'secret'
  | 'supplier'

export interface Sealer {
  /** @param row names the row, as `sealed-columns.ts` says: a uuid in small letters, mostly */
  seal(purpose: Purpose, row: string, text: string): Buffer
  /**
   * @throws Error when the bytes were altered, or belong to another purpose or row; UnknownSecret when their key is not
   *   here
   */
  open(purpose: Purpose, row: string, sealed: Uint8Array): string
  fingerprint(text: string): Buffer
  /** Returns the secrets themselves, newest first, for a backup that contains them. */
  secrets(): readonly Buffer[]
}

/** The bytes were encrypted with a secret key that is not here. */
export class UnknownSecret extends Error {
  constructor() {
    super('Encrypted with a key that is not here')
  }
}

/**
 * @param secrets 32 bytes each, newest first. The newest encrypts, all of them decrypt
 * @param fingerprintKey makes the fingerprints and must never change. Derived from the oldest secret if absent
 */
export function createSealer(secrets: readonly Buffer[], fingerprintKey = firstFingerprintKey(secrets)): Sealer {
  const [newest] = secrets
  if (!newest) throw new Error('No secret key to encrypt with')
  const keys = new Map(secrets.map((secret) => [secretId(secret), derive(secret, 'sealing')]))
  if (keys.size < secrets.length)
    throw new Error('Two secret keys have the same first byte of their name. Replace the newest with another one')
  const sealingId = secretId(newest)
  const sealingKey = derive(newest, 'sealing')

  return {
    seal(purpose, row, text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(bindingOf(purpose, row))
      return Buffer.concat([
        Buffer.of(sealingId, BOUND_MARK),
        nonce,
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
    },
    open(purpose, row, sealed) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      const key = keys.get(bytes[0] ?? -1)
      if (!key) throw new UnknownSecret()
      if (bytes[1] !== BOUND_MARK) return decrypt(key, bytes.subarray(1))
      try {
        return decrypt(key, bytes.subarray(2), bindingOf(purpose, row))
      } catch {
        // The nonce of an unbound value may begin like the mark
        return decrypt(key, bytes.subarray(1))
      }
    },
    fingerprint: (text) => createHmac('sha256', fingerprintKey).update(text).digest(),
    secrets: () => secrets,
  }
}

const bindingOf = (purpose: Purpose, row: string): Buffer => Buffer.from(`${purpose}/${row}`)

/** @param bytes nonce, encrypted text and tag */
function decrypt(key: Buffer, bytes: Buffer, binding?: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
  if (binding) decipher.setAAD(binding)
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

/** Derives the fingerprint key of a store that has not kept one yet, from the oldest secret. */
export function firstFingerprintKey(secrets: readonly Buffer[]): Buffer {
  const oldest = secrets.at(-1)
  if (!oldest) throw new Error('No secret key to encrypt with')
  return derive(oldest, 'fingerprint')
}

function derive(secret: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `chaabi ${use}`, 32))
}

/** Returns one byte that names a secret without revealing it. It is the first byte of all that it encrypts. */
export function secretId(secret: Buffer): number {
  return createHmac('sha256', secret).update('chaabi key id').digest()[0] ?? 0
}

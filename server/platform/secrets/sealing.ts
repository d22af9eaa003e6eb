/**
 * Encrypts secrets at rest, with AES-256-GCM under a key outside the database. The first byte names the key, so that
 * keys can be rotated while the store runs. A fingerprint (HMAC-SHA-256 with a key of its own) finds an equal text
 * without decrypting any.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface Sealer {
  seal(text: string): Buffer
  /** @throws Error when the bytes were altered; UnknownSecret when their key is not here */
  open(sealed: Uint8Array): string
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
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce)
      return Buffer.concat([
        Buffer.of(sealingId),
        nonce,
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
    },
    open(sealed) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      const key = keys.get(bytes[0] ?? -1)
      if (!key) throw new UnknownSecret()
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + NONCE_BYTES))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      return decipher.update(bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
    fingerprint: (text) => createHmac('sha256', fingerprintKey).update(text).digest(),
    secrets: () => secrets,
  }
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

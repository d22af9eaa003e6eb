/**
 * Secrets at rest. Texts are sealed with AES-256-GCM under a key that lives outside the database; the first
 * byte names the key, so that keys can be rotated while the store runs. A fingerprint (HMAC-SHA-256 under a
 * key of its own) finds an equal text without opening any.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface Sealer {
  seal(text: string): Buffer
  /** @throws when the sealed bytes were altered, or their key is not here. */
  open(sealed: Uint8Array): string
  fingerprint(text: string): Buffer
}

/** Sealed with a secret that is not here. */
export class UnknownSecret extends Error {
  constructor() {
    super('Encrypted with a key that is not here')
  }
}

/**
 * @param secrets 32 bytes each, newest first: the newest seals, all of them open.
 * @param fingerprintKey makes the fingerprints, which must stay equal for ever; the oldest secret's, when absent
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
  }
}

/** The fingerprint key of a store that has not been given one to keep: it comes from the oldest secret. */
export function firstFingerprintKey(secrets: readonly Buffer[]): Buffer {
  const oldest = secrets.at(-1)
  if (!oldest) throw new Error('No secret key to encrypt with')
  return derive(oldest, 'fingerprint')
}

function derive(secret: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `chaabi ${use}`, 32))
}

/** One byte that names a secret without telling it: the first byte of whatever it has sealed. */
export function secretId(secret: Buffer): number {
  return createHmac('sha256', secret).update('chaabi key id').digest()[0] ?? 0
}

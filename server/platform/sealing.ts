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

/**
 * @param secrets 32 bytes each, newest first: the newest seals, all of them open. The oldest also makes the
 *   fingerprints, which must stay equal for ever.
 */
export function createSealer(secrets: readonly Buffer[]): Sealer {
  const [newest] = secrets
  const oldest = secrets.at(-1)
  if (!newest || !oldest) throw new Error('No secret to seal with')
  const derive = (secret: Buffer, use: string) => Buffer.from(hkdfSync('sha256', secret, '', `chaabi ${use}`, 32))
  const keys = new Map(secrets.map((secret) => [keyId(secret), derive(secret, 'sealing')]))
  const sealingId = keyId(newest)
  const sealingKey = derive(newest, 'sealing')
  const fingerprintKey = derive(oldest, 'fingerprint')

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
      if (!key) throw new Error('Sealed with a key that is not here')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + NONCE_BYTES))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      return decipher.update(bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
    fingerprint: (text) => createHmac('sha256', fingerprintKey).update(text).digest(),
  }
}

/** One byte that names a secret without telling it. */
function keyId(secret: Buffer): number {
  return createHmac('sha256', secret).update('chaabi key id').digest()[0] ?? 0
}

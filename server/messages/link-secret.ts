/** Secrets of links in mails. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Queries } from '../platform/database/database.ts'
import { keptSecret } from '../platform/secrets/kept-secret.ts'
import type { Sealer } from '../platform/secrets/sealing.ts'

const SECRET = 'mail-links'
const SECRET_BYTES = 32

/** @returns the secret of a message's link: 256 bits, the same in each repeat of its mail, and kept nowhere */
export async function linkSecret(db: Queries, sealer: Sealer, messageId: string): Promise<string> {
  const make = () => Promise.resolve(randomBytes(SECRET_BYTES).toString('base64url'))
  const secret = await keptSecret(db, sealer, SECRET, make)
  return createHmac('sha256', secret).update(messageId).digest('base64url')
}

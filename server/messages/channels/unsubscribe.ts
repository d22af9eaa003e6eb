/**
 * Ends mails of one kind without a login (RFC 8058). A link names its reader and the kind, and is signed, so nobody can
 * make one for somebody else. It lasts for as long as the mail may be read.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../../../contract/errors.ts'
import { kindOf, KIND_NAMES, type MessageKind } from '../../../contract/message-kinds.ts'
import { sql, type Queries } from '../../platform/database/database.ts'
import { keptSecret } from '../../platform/secrets/kept-secret.ts'
import type { Sealer } from '../../platform/secrets/sealing.ts'
import { saveChoices } from './choices.ts'

const SECRET = 'unsubscribe'
const SECRET_BYTES = 32
const TOKEN = /^([\da-f-]{36})~([a-z.-]+)~([\w-]{43})$/

async function sign(db: Queries, sealer: Sealer, userId: string, kind: string): Promise<Buffer> {
  const make = () => Promise.resolve(randomBytes(SECRET_BYTES).toString('base64url'))
  const secret = await keptSecret(db, sealer, SECRET, make)
  return createHmac('sha256', secret).update(`${userId}~${kind}`).digest()
}

/** @returns undefined for a kind that answers what its reader asked for */
export async function unsubscribeToken(
  db: Queries,
  sealer: Sealer,
  userId: string,
  kind: MessageKind,
): Promise<string | undefined> {
  if (kindOf(kind).isAnswer) return undefined
  return `${userId}~${kind}~${(await sign(db, sealer, userId, kind)).toString('base64url')}`
}

/**
 * Turns the mails of the link's kind off for its reader. A second press changes nothing.
 * @throws Refusal UNSUBSCRIBE_LINK_INVALID
 */
export async function endMails(db: Queries, sealer: Sealer, token: string): Promise<MessageKind> {
  const [, userId = '', named, mac = ''] = TOKEN.exec(token) ?? []
  const kind = KIND_NAMES.find((each) => each === named)
  if (kind === undefined) throw new Refusal('UNSUBSCRIBE_LINK_INVALID')
  const isOurs = timingSafeEqual(Buffer.from(mac, 'base64url'), await sign(db, sealer, userId, kind))
  const reader = isOurs && (await db.text(sql`select id from users where id = ${userId} and deleted_at is null`))
  if (!reader) throw new Refusal('UNSUBSCRIBE_LINK_INVALID')
  await saveChoices(db, { id: userId }, [{ kind, channel: 'email', on: false }])
  return kind
}

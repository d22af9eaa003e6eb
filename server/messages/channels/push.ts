/** Web Push: browsers that take messages, and how one is sent (RFC 8030, 8291 and 8292). */
import { ECDH, generateKeyPairSync, hash } from 'node:crypto'
import * as z from 'zod/mini'
import { Refusal } from '../../../contract/errors.ts'
import { Phone } from '../../../contract/messages.ts'
import { literal, sql, type Queries, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Outbound } from '../../platform/outbound.ts'
import type { Outcome } from '../../platform/outbox.ts'
import type { Sealer } from '../../platform/secrets/sealing.ts'
import { keptSecret } from '../../platform/secrets/kept-secret.ts'
import type { Words } from '../words/wording.ts'

/** The push services of the browsers. An endpoint is an address that a stranger gives. */
const HOST = 'fcm.googleapis.com'
const DOMAINS = ['.push.services.mozilla.com', '.notify.windows.com', '.push.apple.com']
const VAPID = 'vapid'
/** Browsers of one account. A new one replaces the oldest. */
const BROWSERS_MAX = 10
/** How long a push service keeps a message for a phone that is off. */
const TTL_S = 24 * 3_600
/** VAPID asks for a contact; the store's address is one. */
const CONTACT_FALLBACK = 'https://chaabi.invalid'

const KeyPair = z.object({ publicKey: z.string(), privateKey: z.string() })
const Subscription = z.object({ endpoint: z.string(), keys: z.object({ p256dh: z.string(), auth: z.string() }) })
type Subscription = z.output<typeof Subscription>

/** Loaded when first needed, because loading it takes half the time that a start may take. */
const webPush = async () => (await import('web-push')).default

/** Returns the store's key pair, which is made once: at the first start, or when the channel is first turned on. */
export async function vapidKeys(db: Queries, sealer: Sealer): Promise<z.output<typeof KeyPair>> {
  return KeyPair.parse(JSON.parse(await keptSecret(db, sealer, VAPID, async () => JSON.stringify(makeKeyPair()))))
}

function makeKeyPair(): z.output<typeof KeyPair> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: CURVE })
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' })
  const point = [Buffer.from([UNCOMPRESSED]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  return { publicKey: Buffer.concat(point).toString('base64url'), privateKey: d }
}

/** @throws Refusal PUSH_HOST_REFUSED */
export function refuseHost(endpoint: string, outbound: Outbound): void {
  if (outbound.isTestOrigin(endpoint)) return
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  const isKnown = url?.protocol === 'https:' && url.port === '' && url.username === '' && isPushHost(url.hostname)
  if (!isKnown) throw new Refusal('PUSH_HOST_REFUSED')
}

const CURVE = 'prime256v1'
/** An uncompressed point begins with this sign, and its two numbers follow. */
const UNCOMPRESSED = 4
const POINT_BYTES = 65
const SECRET_BYTES = 16

/**
 * With other keys nothing can be sent, and the browser would say that its messages are on.
 * @throws Refusal INVALID_INPUT
 */
export function refuseKeys({ p256dh, auth }: Subscription['keys']): void {
  if (isPoint(Buffer.from(p256dh, 'base64url')) && Buffer.from(auth, 'base64url').length === SECRET_BYTES) return
  const message = 'The browser gave a key that can’t be used. Reload the page and try again.'
  throw new Refusal('INVALID_INPUT', { message, fields: { keys: message } })
}

function isPoint(bytes: Buffer): boolean {
  if (bytes.length !== POINT_BYTES || bytes[0] !== UNCOMPRESSED) return false
  try {
    ECDH.convertKey(bytes, CURVE)
    return true
  } catch {
    return false
  }
}

const isPushHost = (host: string): boolean => host === HOST || DOMAINS.some((domain) => host.endsWith(domain))

const endpointHash = (endpoint: string): Buffer => hash('sha256', endpoint, 'buffer')

/** Exactly one of the two is set. */
export interface Owner {
  user: { id: string; sessionHash: Buffer } | null
  admin: { id: string; sessionHash: Buffer } | null
}

const isOf = ({ user, admin }: Owner) => sql`(user_id = ${user?.id ?? null} or admin_id = ${admin?.id ?? null})`

/** Keeps a browser for one account. Another account's on the same browser is replaced. */
export async function keepSubscription(
  db: Queries,
  sealer: Sealer,
  subscription: Subscription,
  { user, admin }: Owner,
  { now, userAgent }: { now: Date; userAgent: string },
): Promise<void> {
  const { endpoint, keys } = subscription
  const named = endpointHash(endpoint)
  const conflict = admin
    ? sql`(endpoint_hash) where admin_id is not null`
    : sql`(endpoint_hash) where user_id is not null`
  await db.run(sql`
    insert into push_subscriptions (id, user_id, admin_id, user_session, admin_session, endpoint_hash, sealed,
                                    user_agent, created_at)
    values (${newId()}, ${user?.id ?? null}, ${admin?.id ?? null}, ${user?.sessionHash ?? null},
            ${admin?.sessionHash ?? null}, ${named},
            ${sealer.seal('push', named.toString('hex'), JSON.stringify({ endpoint, keys }))}, ${userAgent}, ${now})
    on conflict ${conflict} do update
       set user_id = excluded.user_id, admin_id = excluded.admin_id, user_session = excluded.user_session,
           admin_session = excluded.admin_session, sealed = excluded.sealed, user_agent = excluded.user_agent,
           created_at = excluded.created_at, ended_at = null`)
  await db.run(sql`
    delete from push_subscriptions where id in (
      select id from push_subscriptions
       where ${isOf({ user, admin })}
       order by created_at desc, id desc offset ${literal(BROWSERS_MAX)})`)
}

/**
 * Takes a browser's messages along to a new session, if the same admin logs in there. Another admin's end. Call it
 * while the session before is open: after a logout there is nothing to take along.
 */
export async function keepOverLogin(
  tx: Transaction,
  { adminId, deviceHash, tokenHash }: { adminId: string; deviceHash: Buffer; tokenHash: Buffer },
): Promise<void> {
  const isThere = sql`session.token_hash = push.admin_session and session.device_hash = ${deviceHash}`
  await tx.run(sql`
    delete from push_subscriptions push using admin_sessions session
     where ${isThere} and push.admin_id <> ${adminId}`)
  await tx.run(sql`
    update push_subscriptions push set admin_session = ${tokenHash} from admin_sessions session
     where ${isThere} and session.ended_at is null`)
}

/**
 * Does the same for a buyer, whose session before ends with the login.
 * @returns takes the messages along, once the new session is there
 */
export async function keepOverBuyersLogin(
  tx: Transaction,
  { userId, deviceHash }: { userId: string; deviceHash: Buffer },
): Promise<(tokenHash: Buffer) => Promise<void>> {
  const isThere = sql`session.token_hash = push.user_session and session.device_hash = ${deviceHash}`
  await tx.run(sql`
    delete from push_subscriptions push using user_sessions session
     where ${isThere} and push.user_id <> ${userId}`)
  const kept = await tx.texts(sql`
    select push.id from push_subscriptions push join user_sessions session on ${isThere}
     where session.ended_at is null`)
  return async (tokenHash) => {
    if (kept.length > 0)
      await tx.run(sql`
        update push_subscriptions set user_session = ${tokenHash}
         where id = any (${kept}::uuid[])`)
  }
}

/** True if the store sends messages to this browser for this account. */
export function isSubscribed(db: Queries, endpoint: string, owner: Owner): Promise<boolean> {
  return db.holds(sql`
    select exists (select from push_subscriptions push
                    where endpoint_hash = ${endpointHash(endpoint)} and ${IS_OPEN} and ${isOf(owner)})`)
}

export async function endSubscription(db: Queries, endpoint: string, owner: Owner): Promise<void> {
  await db.run(sql`
    delete from push_subscriptions where endpoint_hash = ${endpointHash(endpoint)} and ${isOf(owner)}`)
}

/**
 * Ends all phones of an account. A thief with a copy of the cookie may have added one to the owner's own session, so
 * the session does not tell them apart: only the push address of the browser at hand does.
 * @param kept that address
 */
export async function endPhones(
  tx: Transaction,
  { user, admin }: { user?: string; admin?: string },
  now: Date,
  kept?: string,
): Promise<void> {
  await tx.run(sql`
    update push_subscriptions set ended_at = ${now}
     where (user_id = ${user ?? null} or admin_id = ${admin ?? null}) and ended_at is null
       and endpoint_hash is distinct from ${kept === undefined ? null : endpointHash(kept)}::bytea`)
}

/** Moves the remaining phones of a buyer's session to a new session. */
export async function movePhones(tx: Transaction, from: Buffer, to: Buffer): Promise<void> {
  await tx.run(sql`
    update push_subscriptions set user_session = ${to} where user_session = ${from} and ended_at is null`)
}

/** @returns the phones that get this account's messages, newest first. @param here the push address of the caller */
export function listPhones(db: Queries, owner: Owner, here: string | undefined): Promise<Phone[]> {
  return db.rows(sql(Phone)`
    select id as _id, user_agent, created_at, last_ok_at as last_sent_at,
           endpoint_hash is not distinct from ${here === undefined ? null : endpointHash(here)}::bytea as current
      from push_subscriptions push where ${isOf(owner)} and ${IS_OPEN} order by created_at desc, id`)
}

/** @returns false if the account has no such phone */
export async function endPhone(db: Queries, id: string, owner: Owner, now: Date): Promise<boolean> {
  const ended = await db.run(sql`
    update push_subscriptions push set ended_at = ${now} where id = ${id} and ${isOf(owner)} and ${IS_OPEN}`)
  return ended > 0
}

/**
 * Rows whose session is open. A browser that was logged out takes no more messages, and none after a later login.
 * @param since counts those that ended at this moment or later, too
 */
const isOpen = (since: Date | null = null) => sql`(
  (push.ended_at is null or push.ended_at >= ${since}::timestamptz) and (
  exists (select from user_sessions session
           where session.token_hash = push.user_session and session.ended_at is null)
  or exists (select from admin_sessions session
              where session.token_hash = push.admin_session
                and (session.ended_at is null or session.ended_at >= ${since}::timestamptz))))`
const IS_OPEN = isOpen()

export function pushTargetsOf(
  db: Queries,
  of: { userId: string } | { adminIds: string[] },
  since?: Date,
): Promise<string[]> {
  const whose = 'userId' in of ? sql`push.user_id = ${of.userId}` : sql`push.admin_id = any (${of.adminIds}::uuid[])`
  return db.texts(sql`select id from push_subscriptions push where ${whose} and ${isOpen(since)}`)
}

/** Deletes browsers whose session has ended. @returns how many */
export const forgetSubscriptions = (db: Queries): Promise<number> =>
  db.run(sql`delete from push_subscriptions push where not ${IS_OPEN}`)

/** What a row needs to be opened. */
export const SealedBrowser = z.object({ sealed: z.instanceof(Buffer), endpointHash: z.instanceof(Buffer) })

export const openSubscription = (
  sealer: Sealer,
  { sealed, endpointHash }: z.output<typeof SealedBrowser>,
): Subscription => Subscription.parse(JSON.parse(sealer.open('push', endpointHash.toString('hex'), sealed)))

/** What a message over the internet needs, beside its words. */
export interface Sending {
  db: Queries
  sealer: Sealer
  outbound: Outbound
  publicOrigin: string | undefined
  now: Date
}

/** @param id names the message, so that a push service keeps one of two equal ones */
export async function sendPush(
  sending: Sending,
  target: string,
  words: Words,
  { id, since }: { id: string; since?: Date | undefined },
): Promise<Outcome> {
  const { db, sealer, outbound, publicOrigin, now } = sending
  const row = await db.maybe(
    sql(SealedBrowser)`
      select sealed, endpoint_hash from push_subscriptions push where id = ${target} and ${isOpen(since)}`,
  )
  if (!row) return { is: 'dropped', why: 'This browser was logged out' }
  const subscription = openSubscription(sealer, row)
  const { publicKey, privateKey } = await vapidKeys(db, sealer)
  const subject = publicOrigin?.startsWith('https:') ? publicOrigin : CONTACT_FALLBACK
  const { generateRequestDetails } = await webPush()
  let details: ReturnType<typeof generateRequestDetails>
  try {
    details = generateRequestDetails(subscription, JSON.stringify({ id, ...words }), {
      TTL: TTL_S,
      urgency: 'high',
      topic: id.replaceAll('-', ''),
      contentEncoding: 'aes128gcm',
      vapidDetails: { subject, publicKey, privateKey },
    })
  } catch {
    return forget(db, target, 'The browser gave keys that can’t be used')
  }
  const { status, headers } = await outbound.call({
    url: details.endpoint,
    method: 'POST',
    headers: details.headers,
    ...(details.body && { body: details.body }),
  })
  if (status === 404 || status === 410) return forget(db, target, 'The browser takes no more notifications', status)
  if (status >= 200 && status < 300) {
    await db.run(sql`update push_subscriptions set last_ok_at = ${now} where id = ${target}`)
    return { is: 'sent', status }
  }
  const error = `The push service answered ${status}`
  if (status === 429 || status >= 500)
    return { is: 'retry', error, status, afterMs: retryAfter(headers['retry-after']) }
  return { is: 'dead', error, status }
}

const RETRY_AFTER_MAX_S = 3_600

function retryAfter(written: string | undefined): number {
  const seconds = Number(written)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), RETRY_AFTER_MAX_S) * 1_000 : 0
}

async function forget(db: Queries, target: string, why: string, status?: number): Promise<Outcome> {
  await db.run(sql`delete from push_subscriptions where id = ${target}`)
  return { is: 'dead', error: why, ...(status !== undefined && { status }) }
}

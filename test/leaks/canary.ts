/**
 * A buyer and an admin all of whose secrets are unlike anything else in the store, planted through the store's own
 * calls.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { hashToken } from '../../server/platform/ids.ts'
import { plants } from '../contract/endpoints.ts'
import { anAdmin, codeOf } from '../worlds/admins.ts'
import type { Shop } from '../worlds/shop.ts'
import type { Browser } from '../store.ts'
import { unique } from '../worlds/constants.ts'

/** The planted secrets, which no answer to others may hold. Features plant more (contract/walk.ts). */
type Kind =
  | 'sold key'
  | 'claim note'
  | 'unsold key'
  | 'instructions'
  | 'phone'
  | 'UTR'
  | 'e-mail'
  | 'username'
  | 'address'
  | 'browser'
  | 'own price'
  | 'password'
  | 'session'
  | 'session hash'
  | 'device'
  | 'idempotency key'
  | 'reset link'
  | 'TOTP seed'
  | 'recovery code'
  | 'admin password'
  | 'admin session'

export interface Canary {
  secrets: Record<Kind, string> & Record<string, string>
  /** Ids by what they are of. Knowing one must open nothing. */
  ids: Record<
    'user' | 'product' | 'soldKey' | 'freeKey' | 'batch' | 'claim' | 'pending' | 'approved' | 'session' | 'admin',
    string
  >
  buyer: Browser
  admin: Browser
  once: PlantedOnce
}

/** The part that all canaries of a store share. */
interface PlantedOnce {
  admin: Browser
  adminId: string
  secrets: Record<AdminKind, string> & Record<string, string>
}

const DURATION = '10 Days'
const digits = (first: string, length: number) =>
  first + Array.from({ length: length - 1 }, () => randomInt(10)).join('')

type AdminKind = 'TOTP seed' | 'recovery code' | 'admin password' | 'admin session'

/** @param withAdmin one that is there already: an admin takes as long to make as all the rest */
export async function plant(shop: Shop, withAdmin?: Canary): Promise<Canary> {
  const once = withAdmin?.once ?? (await plantOnce(shop))
  const mark = randomBytes(4).toString('hex')
  const address = `203.0.${randomInt(256)}.${randomInt(100, 256)}`
  const agent = `CanaryBrowser/${mark}`
  const own = { 'x-forwarded-for': address, 'user-agent': agent }
  const password = `Canary/${mark} & password`
  const username = `canary${mark}`
  const named = { username, email: `Canary.${mark}+shop@example.in`, password }
  const [phone, utr, instructions] = [digits('8', 10), digits('7', 12), `C4NARY-${mark}-instructions`]
  const keys = { sold: `C4NARY/${mark}+sold&=<key>`, unsold: `C4NARY/${mark}+unsold&=<key>` }
  const idempotencyKey = `canary/${mark}/order`
  const price = randomInt(1_000, 9_999) + 0.37
  const { owner } = shop
  const product = await owner.api.catalogue.create({
    name: unique('Game '),
    prices: [{ duration: DURATION, price: 100 }],
    instructions,
    instructionsHi: instructions,
  })
  const place = { productId: product._id, duration: DURATION }
  const { batchId = '' } = await owner.api.keys.add({ ...place, keys: [keys.sold] })
  const buyer = shop.visitor()
  const form = { ...named, referralCode: shop.referralCode }
  sure(await buyer.post('/auth/register', form, own))
  const { body } = sure(await buyer.post('/auth/login', { username, password }, own))
  const { user } = body as { user: { _id: string } }
  const topUp = async (amount: number, reference: string) =>
    sure(await buyer.post('/payments/add-money', { amount, utr: reference, payerName: phone }, own)).body as Filed
  const approved = await topUp(100_000, utr)
  await owner.api.payments.approve({ id: approved.payment._id })
  sure(await buyer.post('/keys/buy', { ...place, quantity: 1 }, { ...own, 'idempotency-key': idempotencyKey }))
  const waiting = await topUp(77, digits('7', 12))
  await owner.api.keys.add({ ...place, keys: [keys.unsold] })
  const [sold, free] = await owner.api.keys.list({ productId: product._id })
  // Not until it has bought: what was paid is a figure of the store's
  await giveTerms(shop, user._id, { ...place, price })
  const claim = await reported(buyer, sold?._id ?? '', mark)
  const { sessions } = await buyer.api.sessions.list()
  const { link } = await owner.api.users.issueResetLink({ id: user._id })

  const session = buyer.cookies.get('chaabi_session') ?? ''
  return {
    buyer,
    admin: once.admin,
    once,
    ids: {
      user: user._id,
      product: product._id,
      soldKey: sold?._id ?? '',
      freeKey: free?._id ?? '',
      batch: batchId,
      claim: claim._id,
      pending: waiting.payment._id,
      approved: approved.payment._id,
      session: sessions[0]?._id ?? '',
      admin: once.adminId,
    },
    secrets: {
      'sold key': keys.sold,
      'unsold key': keys.unsold,
      instructions,
      'claim note': claim.note,
      phone,
      UTR: utr,
      'e-mail': named.email,
      username,
      address,
      browser: agent,
      'own price': String(price),
      password,
      session,
      'session hash': hashToken(session).toString('hex'),
      device: buyer.cookies.get('chaabi_device') ?? '',
      'idempotency key': idempotencyKey,
      'reset link': link.split('#')[1] ?? '',
      ...once.secrets,
    },
  }
}

/** A price of the buyer's own, and a place in the list of inviters. */
async function giveTerms({ owner }: Shop, id: string, price: { productId: string; duration: string; price: number }) {
  await owner.api.users.update({ id, customPrices: [price] })
  await owner.api.referrals.setInviteTerms({ userId: id, paused: true })
}

type Filed = { payment: { _id: string } }

const reported = (buyer: Browser, keyId: string, mark: string) =>
  buyer.api.claims.open({ keyId, reason: 'other', note: `C4NARY note ${mark}` })

function sure<T extends { status: number; body: unknown }>(answer: T): T {
  if (answer.status >= 300) throw new Error(`The canary was not planted: ${JSON.stringify(answer.body)}`)
  return answer
}

async function plantFeatures(shop: Shop): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {}
  for (const plantOf of plants) Object.assign(secrets, await plantOf(shop))
  return secrets
}

async function plantOnce(shop: Shop): Promise<PlantedOnce> {
  const { admin } = await anAdmin(shop)
  const password = `Canary/${randomBytes(4).toString('hex')} & admin password`
  await shop.owner.api.admins.update({ id: admin._id, password })
  const browser = shop.visitor()
  sure(await browser.post('/admin/login', { username: admin.username, password }))
  const { secret } = await browser.api.admins.enrol({ password })
  const { recoveryCodes } = await browser.api.admins.confirm({ totp: codeOf(shop, secret) })
  return {
    admin: browser,
    adminId: admin._id,
    secrets: {
      'TOTP seed': secret,
      'recovery code': recoveryCodes[0] ?? '',
      'admin password': password,
      'admin session': browser.cookies.get('chaabi_admin') ?? '',
      ...(await plantFeatures(shop)),
    },
  }
}

export const reversed = (text: string): string => Array.from(text).toReversed().join('')

/**
 * The ways in which a text may hold another one without showing it: in any case, backwards, escaped for an address, for
 * HTML or for JSON, in hexadecimal, and in base64 wherever it begins.
 */
function formsOf(secret: string): { folded: string[]; exact: string[] } {
  const bytes = Buffer.from(secret)
  const escaped = (wrap: (point: number) => string) =>
    Array.from(secret, (sign) => wrap(sign.codePointAt(0) ?? 0)).join('')
  const hex = (point: number) => point.toString(16)
  const folded = [
    secret,
    reversed(secret),
    encodeURIComponent(secret),
    encodeURIComponent(secret).replaceAll('%20', '+'),
    encodeURIComponent(encodeURIComponent(secret)),
    escaped((point) => `%${hex(point)}`),
    escaped((point) => `&#${point};`),
    escaped((point) => `&#x${hex(point)};`),
    escaped((point) => `\\u00${hex(point)}`),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    secret.replaceAll('&', '\\u0026').replaceAll('<', '\\u003c').replaceAll('>', '\\u003e'),
    secret.replaceAll('&', '\\u0026').replaceAll('<', '\\u003c'),
    secret.replaceAll('<', '\\u003c'),
    secret.replaceAll('/', '\\/'),
    bytes.toString('hex'),
    Buffer.from(secret, 'utf16le').toString('hex'),
  ]
  const exact = [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '')
    // The first and last signs hold bits of what stands before and after
    const certain = whole.slice(before === 0 ? 0 : before + 1, (before + bytes.length) % 3 === 0 ? undefined : -1)
    return [certain, certain.replaceAll('+', '-').replaceAll('/', '_')]
  })
  return { folded: [...new Set(folded.map((form) => form.toLowerCase()))], exact: [...new Set(exact)] }
}

const forms = new Map<string, ReturnType<typeof formsOf>>()

/** @returns which of the secrets a text holds, in whatever form */
export function kindsIn(text: string, secrets: Canary['secrets']): string[] {
  const lower = text.toLowerCase()
  return Object.entries(secrets).flatMap(([kind, secret]) => {
    const { folded, exact } = forms.get(secret) ?? formsOf(secret)
    forms.set(secret, { folded, exact })
    const isThere = folded.some((form) => lower.includes(form)) || exact.some((form) => text.includes(form))
    return isThere ? [kind] : []
  })
}

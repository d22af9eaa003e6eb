/**
 * Fills a demo store with a month of business. An admin and buyers with browsers of their own do everything through the
 * store's own calls. A manual clock goes from a month ago to now.
 */
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { api, type Api } from '../../contract/api.ts'
import { createClient, endpointTable, type Call as ClientCall, type Client } from '../../contract/client.ts'
import { DAY_MS } from '../../contract/time.ts'
import { manualClock, type Clock } from '../platform/clock.ts'
import { openBank } from './bank.ts'
import { claimSome } from './claims.ts'
import { seededDice } from './dice.ts'
import { startInviting } from './invites.ts'
import { openMail, tellToday, type Sending } from './mail.ts'
import { BUYERS, DAYS, liveMonth, liveToday, payer, queueUp, type Demo } from './month.ts'
import type { DemoExtras } from './pages.ts'
import { renewSome } from './renewals.ts'
import { openShop, prepareNext } from './shop.ts'
import { signUp } from './store-calls.ts'
import { connectSupplier } from './suppliers.ts'
import { dayAfter, dayOf } from '../../contract/india.ts'

const QUIET = {
  log: pino({ level: 'silent' }),
  rateLimitScale: 1_000,
  secure: false,
  publicOrigin: undefined,
  trustProxy: false,
  strict: false,
} as const

/** Opens the store that visitors will see, by another clock. */
export type OpenPast = (
  past: typeof QUIET & { clock: Clock; demo: Pick<DemoExtras, 'mails' | 'origin'> },
) => Promise<Sending & { http: FastifyInstance; close(): Promise<void> }>

interface DemoOptions {
  now: Date
  admin: { username: string; password: string } | undefined
  /** The origin of links in mails. */
  origin: string
}

/** Gets pages and mails in Hindi. */
const READS_HINDI = 'meera'
const RESELLS = 'rohan'
const BUYER_PASSWORD = 'demo-buyer-key'

/** The device in the audit log and the lists of sessions. */
const OWNERS_BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const BUYERS_BROWSER =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'

/** @returns a text for the person at the terminal, and what visitors can try */
export async function seedDemo(
  openPast: OpenPast,
  { now, admin, origin }: DemoOptions,
): Promise<DemoExtras & { text: string }> {
  const mails: DemoExtras['mails'] = []
  if (!admin) return { text: 'Demo store is unchanged.', mails, origin }
  const clock = manualClock(new Date(now.getTime() - DAYS * DAY_MS))
  const app = await openPast({ ...QUIET, clock, demo: { mails, origin } })
  const owner = visitor(app.http, OWNERS_BROWSER, [], admin.password)
  const logInOwner = () => owner.sessions.adminLogin(admin)
  await logInOwner()
  await openShop(owner)
  const buyers = new Map<string, Client<Api>>()
  const inviting = await startInviting(owner, clock)
  for (const [index, username] of BUYERS.entries()) {
    const browser = visitor(app.http, BUYERS_BROWSER, username === READS_HINDI ? [['chaabi_language', 'hi']] : [])
    await signUp(browser, { username, password: BUYER_PASSWORD, referralCode: inviting.codeFor(username) })
    await browser.sessions.login({ username, password: BUYER_PASSWORD })
    await inviting.signedUp(username, browser)
    buyers.set(username, browser)
    clock.advance((index + 1) * 60_000)
  }
  await letResell(owner, buyers.get(RESELLS))
  const dice = seededDice(19_072_025)
  const products = await owner.catalogue.list({})
  const demo: Demo = { owner, buyers, products, clock, now, logInOwner, dice, topUp: payer(buyers, dice) }
  await liveMonth(demo)
  await claimSome(demo)
  await prepareNext(owner)
  await connectSupplier({ app, owner, products, clock })
  await openMail({ app, mails, owner, buyers })
  await liveToday(demo)
  await queueUp(demo)
  await keepOut(owner, visitor(app.http, BUYERS_BROWSER))
  const statement = await openBank(demo)
  await inviting.prove(app.services)
  await renewSome(demo, app.services)
  await giveCodes(demo)
  await tellToday(app)
  // Resets each device lock, so that visitors of the demo can log in
  for (const browser of buyers.values()) await browser.sessions.logout()
  await owner.sessions.adminLogout()
  await app.close()

  const text = [
    `  buyer   /login         ${BUYERS[0]} / ${BUYER_PASSWORD}   (also: ${BUYERS.slice(1).join(', ')}; ` +
      `${READS_HINDI} reads Hindi)`,
    `  admin   /admin-login   ${admin.username} / ${admin.password}`,
    `  mailbox /demo-mailbox  (forgot your password: ${BUYERS[0]}@example.in)`,
    '  sign up with the referral code WELCOME50. This is a throwaway store: it ends with this program.',
  ].join('\n')
  return { text, statement, mails, origin }
}

/** A reseller whose first token has ended. */
async function letResell(owner: Client<Api>, reseller: Client<Api> | undefined): Promise<void> {
  if (!reseller) return
  await owner.users.setReseller({ id: (await reseller.sessions.me())._id, on: true })
  const form = { name: 'Website', canBuy: true, days: 365, password: BUYER_PASSWORD } as const
  const { _id: id } = await reseller.sessions.makeToken(form)
  await reseller.sessions.endToken({ id })
}

/** Somebody whose payments were made up. */
async function keepOut(owner: Client<Api>, browser: Client<Api>): Promise<void> {
  await signUp(browser, { username: 'vikram', password: BUYER_PASSWORD, referralCode: 'WELCOME50' })
  const { users } = await owner.users.list({ search: 'vikram' })
  for (const { _id: id } of users) await owner.users.block({ id, reason: 'Two of your payments never reached us.' })
}

/**
 * Makes a browser with its own cookies that calls the store inside this process.
 * @param password of an admin, who proves by it who they are when the store asks
 */
function visitor(
  http: FastifyInstance,
  userAgent: string,
  chosen: readonly [name: string, value: string][] = [],
  password?: string,
): Client<Api> {
  const cookies = new Map<string, string>(chosen)
  const send = async (call: ClientCall): Promise<unknown> => {
    const { method, url, body } = call
    const answer = await http.inject({
      method: method as 'GET',
      url: `/api${url}`,
      headers: {
        'user-agent': userAgent,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    })
    for (const { name, value } of answer.cookies) cookies.set(name, value)
    if (password !== undefined && answer.body.includes('"STEP_UP_REQUIRED"')) {
      await client.admins.stepUp({ password })
      return send(call)
    }
    if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.body}`)
    return answer.json<unknown>()
  }
  const client = createClient<Api>(endpointTable(api), send)
  return client
}

/** Five redeem codes, of which two buyers use one each. */
async function giveCodes({ owner, buyers, now }: Demo): Promise<void> {
  const { codes } = await owner.wallet.makeCodes({
    name: 'Festival gift',
    count: 5,
    amount: 50,
    codeUntil: dayAfter(dayOf(now), 30),
    creditDays: 60,
  })
  for (const [index, name] of ['aarav', 'kabir'].entries())
    await buyers.get(name)?.wallet.redeem({ code: codes[index] ?? '' })
}

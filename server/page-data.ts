/** Collects the data that a page starts with, from the same handlers that answer the calls. */
import type { api } from '../contract/api.ts'
import { logoutOwedCookie } from '../contract/cookies.ts'
import { Refusal } from '../contract/errors.ts'
import { OVERVIEW_DAYS } from '../contract/limits.ts'
import type { PageData, PageFigures, PageLists } from '../contract/page.ts'
import type { Call, Handlers } from './platform/http/http.ts'

export type AllHandlers = { [F in keyof typeof api]: Handlers<(typeof api)[F]> }

/** Treats a person who has logged out in this browser as nobody, even before the store has received the logout. */
export function withoutLoggedOut(call: Call, cookie: (name: string) => string | undefined): Call {
  const isOwed = (who: 'buyer' | 'admin') => cookie(logoutOwedCookie(who)) !== undefined
  return { ...call, user: isOwed('buyer') ? null : call.user, admin: isOwed('admin') ? null : call.admin }
}

/** @returns the data that the page of this path starts with, for this caller */
export async function readPageData(handlers: AllHandlers, call: Call, path: string): Promise<PageData> {
  const { user, admin, refusal } = call
  const checking = admin && whileItStands(handlers.sessions.adminCheck({}, call))
  const [me, check, screen, site, version, notice, upi, products] = await Promise.all([
    user && handlers.sessions.me({}, call),
    checking,
    isPanelDashboard(path) ? readFigures(handlers, call, checking) : readLists(handlers, call, path),
    handlers.settings.site({}, call),
    handlers.settings.version({}, call),
    handlers.settings.notice({}, call),
    handlers.settings.upi({}, call),
    // An admin who is also a buyer sees the buyer's prices on the store's pages
    handlers.catalogue.list({}, user ? { ...call, admin: null } : call),
  ])
  // The account is in use elsewhere, so the page says so. Other endings need no word.
  const isElsewhere = refusal === 'SESSION_EXPIRED' || refusal === 'DEVICE_MISMATCH'
  return {
    ...screen,
    user: me,
    admin: check,
    ...(isElsewhere && { refusal }),
    site,
    settingsVersion: version.settingsVersion,
    notice: notice.text,
    upi,
    products: (await upTo(Infinity, products)) ?? [],
    supportUrl: site.supportUrl,
    now: call.now.toISOString(),
  }
}

/** The page size that the browser asks for first (web/wallet). */
const HISTORY_ENTRIES = 50
/** More than nearly every buyer has. The page does not wait for a longer list: the browser asks for it. */
const ROWS_MAX = 500

const isPanelDashboard = (path: string) => path === '/admin' || path === '/admin/dashboard'

type Checking = ReturnType<typeof whileItStands<{ admin: { hasSecondFactor: boolean }; secondFactorRequired: boolean }>>

/** Reads the dashboard's figures. Every role may see them, once it has the second factor that the store may demand. */
async function readFigures(handlers: AllHandlers, given: Call, checking: Checking | null): Promise<PageFigures> {
  const check = await checking
  if (!given.admin || !check || (check.secondFactorRequired && !check.admin.hasSecondFactor)) return {}
  const call = { ...given, admin: given.admin }
  try {
    const [overview, stats, health] = await Promise.all([
      handlers.reports.overview({ days: OVERVIEW_DAYS }, call),
      handlers.reports.stats({}, call),
      handlers.reports.healthReport({}, call),
    ])
    return { overview, stats, health }
  } catch (err) {
    // The panel opens all the same. It asks for the figures itself and says what failed.
    call.log.warn({ err }, 'the dashboard comes without its figures')
    return {}
  }
}

/** Reads the lists that the buyer's screen of this path asks for first. */
async function readLists(handlers: AllHandlers, given: Call, path: string): Promise<PageLists> {
  if (!given.user) return {}
  const call = { ...given, user: given.user }
  const keys = async () => ({ keys: await upTo(ROWS_MAX, await handlers.keys.mine({}, call)) })
  const requests = async () => ({ requests: await upTo(ROWS_MAX, await handlers.payments.mine({}, call)) })
  const history = async () => ({
    history: await upTo(ROWS_MAX, await handlers.wallet.history({ limit: HISTORY_ENTRIES }, call)),
  })
  const plans = async () => ({ plans: await upTo(ROWS_MAX, await handlers.payments.activePlans({}, call)) })
  const lists: Record<string, readonly (() => Promise<PageLists>)[]> = {
    '/': [keys, requests],
    '/my-key': [keys],
    '/wallet-history': [history, requests],
    '/add-balance': [plans, requests],
  }
  return Object.assign({}, ...(await Promise.all((lists[path] ?? []).map((read) => read())))) as PageLists
}

/** @returns all rows, or undefined when there are more than `max` */
async function upTo<Row>(max: number, rows: readonly Row[] | AsyncIterable<Row>): Promise<Row[] | undefined> {
  const read: Row[] = []
  for await (const row of rows) if (read.push(row) > max) return undefined
  return read
}

/** Returns null for an ended session, because it can end between the check of its cookie and the answer. */
async function whileItStands<T>(answer: T | Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Refusal && error.code === 'NO_SESSION') return null
    throw error
  }
}

/** Collects the data that a page starts with, from the same handlers that answer the calls. */
import { logoutOwedCookie, putOffCookie } from '../contract/cookies.ts'
import { Refusal } from '../contract/errors.ts'
import type { PageData, ScreenData } from '../contract/page.ts'
import { DRAWN_PANEL_PAGES } from '../contract/panel-pages.ts'
import { allOf, begin, rowsOf, type AllHandlers, type Beginning } from './page-queries.ts'
import { readPanel } from './panel-data.ts'
import type { Call } from './platform/http/http.ts'

/** Treats a person who has logged out in this browser as nobody, even before the store has received the logout. */
export function withoutLoggedOut(call: Call, cookie: (name: string) => string | undefined): Call {
  const hasLoggedOut = (who: 'buyer' | 'admin') => cookie(logoutOwedCookie(who)) !== undefined
  return { ...call, user: hasLoggedOut('buyer') ? null : call.user, admin: hasLoggedOut('admin') ? null : call.admin }
}

interface Asked {
  path: string
  search: URLSearchParams
  cookie: (name: string) => string | undefined
}

/** @returns the data that the page of this address starts with, for this caller */
export async function readPageData(handlers: AllHandlers, call: Call, asked: Asked): Promise<PageData> {
  const { path } = asked
  const { user, admin, refusal } = call
  const checking = admin && whileItStands(handlers.sessions.adminCheck({}, call))
  const [me, check, screen, site, version, notice, upi, products] = await Promise.all([
    user && handlers.sessions.me({}, call),
    checking,
    checking && isPanelPage(path) ? readPanelData(handlers, call, checking, asked) : readLists(handlers, call, path),
    handlers.settings.site({}, call),
    handlers.settings.version({}, call),
    handlers.settings.notice({}, call),
    handlers.settings.upi({}, call),
    // An admin who is also a buyer sees the buyer's prices on the store's pages
    handlers.catalogue.list({}, user ? { ...call, admin: null } : call),
  ])
  // The account is in use elsewhere, so the page says so. Other endings need no text.
  const isElsewhere = refusal === 'SESSION_EXPIRED' || refusal === 'DEVICE_MISMATCH'
  return {
    ...screen,
    user: me,
    admin: check,
    ...(isElsewhere && { refusal }),
    site,
    settingsVersion: version.settingsVersion,
    notice,
    upi,
    products: (await rowsOf(products, Infinity)) ?? [],
    supportUrl: site.supportUrl,
    now: call.now.toISOString(),
  }
}

/** The page size that the browser asks for first (web/wallet). */
const HISTORY_ENTRIES = 50

const isPanelPage = (path: string) => DRAWN_PANEL_PAGES.includes(path)

type Checking = ReturnType<typeof whileItStands<Awaited<ReturnType<AllHandlers['sessions']['adminCheck']>>>>

async function readPanelData(
  handlers: AllHandlers,
  given: Call,
  checking: Checking,
  asked: Asked,
): Promise<Partial<ScreenData>> {
  const check = await checking
  const { path, search, cookie } = asked
  if (!given.admin || !check) return {}
  const { admin, secondFactorRequired } = check
  const rights = { ...admin, secondFactorRequired }
  return {
    queries: await readPanel(handlers, { ...given, admin: given.admin }, { rights, path, search }),
    isPutOff: cookie(putOffCookie(admin.id)) !== undefined,
  }
}

/** Reads the lists that the buyer's screen of this path asks for first. */
async function readLists(
  { claims, keys, payments, wallet }: AllHandlers,
  given: Call,
  path: string,
): Promise<ScreenData> {
  if (!given.user) return { queries: [] }
  const call = { ...given, user: given.user }
  const mine = () => begin('keys mine', rowsOf(keys.mine({}, call)))
  const claimed = () => begin('claims mine', rowsOf(claims.mine({}, call)))
  const requests = () => begin('payments mine', rowsOf(payments.mine({}, call)))
  const history = async () => {
    const rows = await rowsOf(wallet.history({ limit: HISTORY_ENTRIES }, call))
    return begin('wallet history', rows && { pages: [rows], pageParams: [''] })
  }
  const plans = () => begin('payments plans active', rowsOf(payments.activePlans({}, call)))
  const lists: Record<string, readonly (() => Beginning)[]> = {
    '/': [mine, claimed, requests],
    '/my-key': [mine, claimed],
    '/wallet-history': [history, requests],
    '/add-balance': [plans, requests],
    '/buy': [requests],
  }
  return { queries: await allOf((lists[path] ?? []).map((read) => read())) }
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

/**
 * Knows who is signed in to this browser.
 *
 * Only the server's 401 signs a person out. A passing fault (no network, a busy server) leaves the session alone,
 * because the cookie still counts.
 */
import { replaceEqualDeep } from '@tanstack/react-query'
import type { AdminRole } from '../../../contract/endpoint.ts'
import type { Language } from '../../../contract/languages.ts'
import type { User } from '../../../contract/users.ts'
import { ApiError } from '../calls/api-error.ts'
import { client } from '../calls/client.ts'
import { askWhenReached } from '../calls/connection.ts'
import { t } from '../i18n.ts'
import { clearPendingLogout, isLogoutPending, logOut } from './pending-logouts.ts'
import { queryClient } from '../calls/queries.ts'
import { createStore, useStore } from '../store.ts'
import { getTheme } from '../theme.ts'

export interface Admin {
  id: string
  username: string
  role: AdminRole
  /** The panel's language, once this admin has chosen one. */
  language?: Language | undefined
  hasSecondFactor: boolean
  /** The store or another admin set the password. */
  hasGivenPassword: boolean
  /** The store requires two-step verification. Until it is on, the server refuses everything else. */
  mustEnrol: boolean
}

/** The server's answer about an admin session. */
export interface AdminCheck {
  admin: Omit<Admin, 'mustEnrol'>
  secondFactorRequired: boolean
}

interface Session {
  user: User | null
  admin: Admin | null
  /** Set when the server ended the session. The text, if there is one, is shown to the person. */
  ended: { message: string | null } | null
}

export const STORAGE_KEY = 'user'
const ADMIN_FRESH_MS = 60_000

export const session = createStore<Session>({ user: null, admin: null, ended: null })

let adminConfirmedAt = 0

/** True if the server confirmed the admin session a moment ago, by a call or with the page. */
export function isAdminFresh(): boolean {
  return session.get().admin !== null && Date.now() - adminConfirmedAt < ADMIN_FRESH_MS
}

export const useSession = (): Session => useStore(session)

/** Reads the session outside components, such as in guards. */
export const getSession = session.get

/**
 * Takes over the data that came with the page.
 * @param refusal why the cookie no longer counts; shown once to a buyer who was signed in here before
 */
export function startSession(user: User | null, check: AdminCheck | null, refusal?: string): void {
  if (check) adminConfirmedAt = Date.now()
  drawFor(user, check)
  if (!user && refusal !== undefined && isRemembered()) {
    // Screens that need no login don't show this, least of all one with a reset link.
    if (NOT_OF_BUYERS.test(location.pathname)) return
    session.set({ ...session.get(), ended: { message: elsewhereText() } })
  }
  remember(user)
}

/** Sets these people, or nobody, for drawing on the server. */
export function drawFor(user: User | null, check: AdminCheck | null): void {
  session.set({ user, admin: check && adminOf(check), ended: null })
}

/** Signs in after a login. The cache is cleared, because it belonged to a visitor or another buyer. */
export function signIn(user: User): void {
  clearPendingLogout('buyer')
  queryClient.clear()
  session.set({ ...session.get(), user, ended: null })
  remember(user)
}

/** Ends the session here at once, even if the server can't be reached. The caller goes to /login. */
export async function signOut(): Promise<void> {
  const told = logOut('buyer')
  session.set({ ...session.get(), user: null })
  await told
  // Runs last: it makes other tabs ask the server, and drops answers that came by the old cookie.
  if (!session.get().user) forgetUser(null)
}

/**
 * Signs in after an admin login, whose answer lacks details that the panel needs.
 * @throws ApiError if the server can't be asked
 */
export async function adminSignIn(): Promise<void> {
  clearPendingLogout('admin')
  const check = await client.sessions.adminCheck({})
  queryClient.clear()
  keepAdmin(check)
}

/** Reloads the admin's rights after a change. A passing fault leaves them as they were. */
export async function refreshAdmin(): Promise<void> {
  adminConfirmedAt = 0
  await checkAdmin().catch(() => undefined)
}

function keepAdmin(check: AdminCheck): void {
  adminConfirmedAt = Date.now()
  const { admin, ...rest } = session.get()
  // Mostly nothing has changed, and then nothing needs drawing.
  session.set({ ...rest, admin: replaceEqualDeep(admin, adminOf(check)) })
}

function adminOf({ admin, secondFactorRequired }: AdminCheck): Admin {
  return { ...admin, mustEnrol: secondFactorRequired && !admin.hasSecondFactor }
}

export async function adminSignOut(): Promise<void> {
  const told = logOut('admin')
  session.set({ ...session.get(), admin: null })
  await told
  queryClient.clear()
}

/**
 * True if the server confirms the admin session, now or within the last minute.
 * @throws ApiError if it can't be asked
 */
export async function checkAdmin(): Promise<boolean> {
  if (isAdminFresh()) return true
  // The old cookie would open the panel again.
  if (isLogoutPending('admin')) {
    session.set({ ...session.get(), admin: null })
    return false
  }
  try {
    keepAdmin(await client.sessions.adminCheck({}))
    return true
  } catch (error) {
    const { status } = error as ApiError
    if (status !== 401 && status !== 403) throw error
    session.set({ ...session.get(), admin: null })
    return false
  }
}

let refreshing: Promise<unknown> | undefined
let refreshingNext: Promise<unknown> | undefined

/**
 * Reloads the signed-in user: balance, prices, hidden products. Calls made during a request share the next one, because
 * the current answer may already be old.
 * @returns the error, if there was one
 */
export function refreshSession(): Promise<unknown> {
  if (!session.get().user) return Promise.resolve()
  if (refreshing) return (refreshingNext ??= refreshing.then(beginRefresh))
  return beginRefresh()
}

function beginRefresh(): Promise<unknown> {
  refreshingNext = undefined
  refreshing = fetchUser().finally(() => {
    refreshing = undefined
  })
  return refreshing
}

async function fetchUser(): Promise<unknown> {
  try {
    const user = await client.sessions.me({})
    const current = session.get()
    // The person may have signed out during the request. An admin's own answer is no buyer.
    if (current.user?.id !== user.id) return undefined
    // Mostly nothing has changed, and then nothing needs drawing.
    const next = replaceEqualDeep(current.user, user)
    if (next !== current.user) session.set({ ...current, user: next })
    return undefined
  } catch (error) {
    // The listener in session-end.ts handles a refusal. The connection line reports a passing fault.
    if (error instanceof ApiError && error.isPassing) askWhenReached(refreshSession)
    return error
  }
}

/** Forgets a session that the server ended at this person's request. The caller goes elsewhere. */
export function leaveSession(): void {
  forgetUser(null)
}

/** Clears the reason after it has been shown. */
export function acknowledgeEnd(): void {
  session.set({ ...session.get(), ended: null })
}

export function forgetUser(ended: Session['ended']): void {
  session.set({ ...session.get(), user: null, ended })
  remember(null)
  queryClient.clear()
}

/** Stores the user in the browser, as the specification asks, but nothing harmful. */
function remember(user: User | null): void {
  try {
    if (!user) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, JSON.stringify({ id: user.id, username: user.username, theme: getTheme() }))
  } catch {
    // Storage can be off or full. Nothing depends on it.
  }
}

const NOT_OF_BUYERS = /^\/(?:admin|reset-password|confirm-email|unsubscribe|forgot-password|signup|terms-policy)/

function isRemembered(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null
  } catch {
    return false
  }
}

/** Says that another device has taken the session. */
export const elsewhereText = () => t('Login detected on another device. Please login again.')

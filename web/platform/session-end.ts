/** Ends a session in this browser once the server says so, or once another tab has ended or changed it. */
import { LOGGED_OUT_REDIRECT_MS } from '../../contract/limits.ts'
import { ApiError } from './api-error.ts'
import { client, ENDPOINTS, onRefusal } from './client.ts'
import { t } from './i18n.ts'
import { isLogoutPending } from './pending-logouts.ts'
import { queryClient } from './queries.ts'
import { elsewhereText, forgetUser, refreshSession, session, STORAGE_KEY } from './session.ts'

/** 401 answers that are about what was typed, not about the session. */
const NOT_ABOUT_SESSION = new Set(['WRONG_CREDENTIALS', 'TOTP_REQUIRED', 'TOTP_INVALID'])

const PLANS_PATH = ENDPOINTS.payments?.activePlans?.[1]

/** The account was taken to another device, which is worth a word; a session that grew too old is not. */
const isElsewhere = (code: string | undefined) => code === 'SESSION_EXPIRED' || code === 'DEVICE_MISMATCH'

onRefusal((error, path) => {
  if (path.startsWith('/admin/login') || path.startsWith('/admin/logout')) return
  if (error.code === 'DEVICE_ALREADY_LOGGED_IN' && path === '/auth/me') {
    forgetUser({
      message: t('You are already logged in on another device. Please logout from the other device first.'),
    })
    return
  }
  if (error.status !== 401 || NOT_ABOUT_SESSION.has(error.code)) return
  const { user, admin } = session.get()
  const onAdminPage = location.pathname.startsWith('/admin')
  if (onAdminPage) {
    if (admin && path !== '/auth/me') session.set({ ...session.get(), admin: null })
    return
  }
  // The top-up page says why first, and the specification gives it the time to be read
  if (user) void endUnlessRenewed(error, path === PLANS_PATH ? LOGGED_OUT_REDIRECT_MS : ASK_AGAIN_AFTER_MS)
})

let renewing: Promise<unknown> | undefined

/**
 * Carries out a call that gives the session a new cookie, as a change of the password does. A call that was sent with the
 * old one may be refused meanwhile, and that is not the end of the session.
 */
export async function renewSession<T>(call: Promise<T>): Promise<T> {
  renewing = call
  try {
    return await call
  } finally {
    renewing = undefined
  }
}

/** Another tab may be getting the new cookie at this moment. */
const ASK_AGAIN_AFTER_MS = 400
let isAskingAgain = false

/** Signs out here when the server, asked again with the cookie of now, still says that the session is over. */
async function endUnlessRenewed(first: ApiError, afterMs: number): Promise<void> {
  // The answer to the question itself comes by here as well.
  if (isAskingAgain) return
  isAskingAgain = true
  let refusal = first
  try {
    await (renewing?.catch(() => undefined) ?? new Promise((resolve) => setTimeout(resolve, afterMs)))
    const { id } = await client.sessions.me({})
    // An admin's own answer, where only that session stands, is no buyer.
    if (id === session.get().user?.id) {
      // What was refused meanwhile is asked for once more.
      void queryClient.invalidateQueries()
      return
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) return
    refusal = error
  } finally {
    isAskingAgain = false
  }
  if (!session.get().user) return
  forgetUser({ message: isElsewhere(refusal.code) ? elsewhereText() : null })
}

/**
 * Signed out by another tab: asks the server what is true now, unless it could not be told. Signed in there as somebody else, whose cookie this tab
 * has too from then on: starts anew, so that nothing of the last person stays, least of all a button that would pay
 * from another's wallet.
 */
export function followOtherTabs(): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== STORAGE_KEY) return
    const isOther = newValue !== null && !newValue.includes(`"${session.get().user?.id ?? ''}"`)
    if (isOther && !location.pathname.startsWith('/admin')) location.reload()
    else if (isLogoutPending('buyer')) forgetUser(null)
    else void refreshSession()
  })
}

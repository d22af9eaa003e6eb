/** Ends the session here if the server says so, or if another tab ended or changed it. */
import { LOGGED_OUT_REDIRECT_MS } from '../../../contract/limits.ts'
import { ApiError } from '../calls/api-error.ts'
import { client, ENDPOINTS, onRefusal } from '../calls/client.ts'
import { t } from '../i18n.ts'
import { isLogoutPending } from './pending-logouts.ts'
import { queryClient } from '../calls/queries.ts'
import { elsewhereText, forgetUser, refreshSession, session, STORAGE_KEY } from './session.ts'

/** 401 answers that concern the typed details, not the session. */
const NOT_ABOUT_SESSION = new Set(['WRONG_CREDENTIALS', 'TOTP_REQUIRED', 'TOTP_INVALID'])

const PLANS_PATH = ENDPOINTS.payments?.activePlans?.[1]

/** True if another device took the account, which is worth a message. A session that grew too old is not. */
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
  // Offers shows the reason first, and the specification gives it time to be read.
  if (user) void endUnlessRenewed(error, path === PLANS_PATH ? LOGGED_OUT_REDIRECT_MS : ASK_AGAIN_AFTER_MS)
})

let renewing: Promise<unknown> | undefined

/**
 * Runs a call that gives the session a new cookie, such as a password change. Calls with the old cookie may be refused
 * until then, and that does not end the session.
 */
export async function renewSession<T>(call: Promise<T>): Promise<T> {
  renewing = call
  try {
    return await call
  } finally {
    renewing = undefined
  }
}

/** Gives another tab time to get the new cookie. */
const ASK_AGAIN_AFTER_MS = 400
let isAskingAgain = false

/** Signs out if the server, asked again with the current cookie, still refuses the session. */
async function endUnlessRenewed(first: ApiError, afterMs: number): Promise<void> {
  // Ignores the answer to this check, which comes through here too.
  if (isAskingAgain) return
  isAskingAgain = true
  let refusal = first
  try {
    await (renewing?.catch(() => undefined) ?? new Promise((resolve) => setTimeout(resolve, afterMs)))
    const { id } = await client.sessions.me({})
    // If only the admin session is open, the answer is the admin's and no buyer's.
    if (id === session.get().user?.id) {
      // Repeats the calls that were refused before the new cookie.
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
 * Follows a change in another tab. After a logout there, it asks the server, unless the server did not get it. After
 * a login as another buyer, this tab has that cookie too. It then reloads, so that no button pays from another wallet.
 */
export function followOtherTabs(): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== STORAGE_KEY) return
    const isOther = newValue !== null && !newValue.includes(`"${session.get().user?.id ?? ''}"`)
    if (isOther && !location.pathname.startsWith('/admin')) location.reload()
    // The other tab's logout may still be on its way
    else if (isLogoutPending('buyer')) forgetUser({ message: null })
    else void refreshSession()
  })
}

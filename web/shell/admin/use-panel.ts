/** The behaviour of the panel's frame. */
import { useEffect, useRef } from 'react'
import { watchForStepUp } from '../../admins/admin/step-up.ts'
import { settleHeld } from '../../payments/admin/requests/held-approvals.ts'
import { client, onRefusal } from '../../platform/calls/client.ts'
import { onLiveEvent } from '../../platform/calls/event-stream.ts'
import { useLocation, navigate } from '../../platform/navigation/router.tsx'
import { adminSignOut, refreshAdmin, useSession } from '../../platform/session/session.ts'

/** Leads out of the panel when the session is over, and to the set-up that the store has begun to demand. */
export function useDoor(): { logout: () => Promise<void> } {
  const { admin } = useSession()
  const { pathname, href } = useLocation()
  const mustEnrol = admin?.mustEnrol && pathname !== '/admin/security'
  const isLeaving = useRef(false)

  // Signed out by the server, while a screen is open.
  useEffect(() => {
    if (!admin && !isLeaving.current) void navigate({ to: '/admin-login', search: { next: href }, replace: true })
  }, [admin, href])

  // The store has begun to demand a second factor, while a screen is open.
  useEffect(() => {
    if (mustEnrol) void navigate({ to: '/admin/security', search: { next: href }, replace: true })
  }, [mustEnrol, href])

  const logout = async () => {
    isLeaving.current = true
    await settleHeld()
    await adminSignOut()
    await navigate({ to: '/admin-login', replace: true })
  }
  return { logout }
}

/** Keeps up with what the server says the admin is and may do. */
export function useWhatHolds(): void {
  useEffect(watchForStepUp, [])
  useEffect(
    () =>
      onRefusal(({ code }) => {
        if (code === 'FORBIDDEN_ROLE' || code === 'ENROLMENT_REQUIRED') void refreshAdmin()
      }),
    [],
  )
  useEffect(
    () =>
      onLiveEvent((event) => {
        if (event === 'session-ended') void refreshAdmin()
      }),
    [],
  )
}

/** The server records a session's last use at most this often. */
const ACTIVE_EVERY_MS = 60_000

/** Tells the server when a person opens another page; the first one was asked for from there. Polls tell nothing. */
export function useActivity(href: string): void {
  const told = useRef({ href, at: -ACTIVE_EVERY_MS })
  useEffect(() => {
    const now = performance.now()
    if (told.current.href === href || now - told.current.at < ACTIVE_EVERY_MS) return
    told.current = { href, at: now }
    // The next page tries again. An expired session is noticed elsewhere, by its refusals
    client.admins.active({}).catch(() => {})
  }, [href])
}

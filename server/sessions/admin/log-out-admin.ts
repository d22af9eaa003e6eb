import type { Call } from '../../platform/http/http.ts'
import { hashToken } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { endAdminSession } from '../../admins/admin-sessions.ts'

/** Ends the caller's admin session, on the server and in the browser. */
export async function logOutAdmin({ db, events }: Services, { cookies, now }: Call): Promise<{ message: string }> {
  const token = cookies.read('chaabi_admin')
  if (token !== undefined) {
    await endAdminSession(db, hashToken(token), now)
    events.publish({ to: 'admins', name: 'session-ended' })
  }
  // Clears it last, because after a failure the browser tries again and needs the cookie
  cookies.clear('chaabi_admin')
  return { message: 'Logged out' }
}

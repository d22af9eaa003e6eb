import type * as z from 'zod/mini'
import { Refusal } from '../../../contract/errors.ts'
import { languageOf } from '../../../contract/languages.ts'
import type { sessions } from '../../../contract/sessions.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Call } from '../../platform/http/http.ts'
import { findAdminSession } from '../../admins/admin-sessions.ts'

/** @throws Refusal NO_SESSION with `isLoggedIn: false`, for a signed-in user as well */
export async function checkAdmin(
  db: Database,
  { admin, now }: Call,
): Promise<z.output<(typeof sessions.adminCheck)['output']>> {
  const session = admin && (await findAdminSession(db, admin.sessionHash, now))
  if (!session) throw new Refusal('NO_SESSION', { details: { isLoggedIn: false } })
  const { adminId: id, username, role, hasSecondFactor, hasGivenPassword, secondFactorRequired } = session
  const language = languageOf(session.language ?? undefined)
  const shown = { id, username, role, hasSecondFactor, hasGivenPassword, ...(language && { language }) }
  return { isLoggedIn: true, admin: shown, secondFactorRequired }
}

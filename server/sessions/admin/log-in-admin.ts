import type * as z from 'zod/mini'
import { Refusal } from '../../../contract/errors.ts'
import { languageOf } from '../../../contract/languages.ts'
import type { sessions } from '../../../contract/sessions.ts'
import { audit } from '../../audit/audit.ts'
import type { Call } from '../../platform/http/http.ts'
import { hashToken, newToken } from '../../platform/ids.ts'
import { passwordMatches } from '../../platform/passwords/passwords.ts'
import type { Services } from '../../platform/services.ts'
import { endAdminSession, openAdminSession, replaceAdminToken } from '../../admins/admin-sessions.ts'
import { findAdmin, lockAdmin, takeAdminsLanguage } from '../../admins/admins.ts'
import { deviceHashesOf, deviceOf, renewDevice } from '../../platform/http/device-cookie.ts'
import { countingCodes } from '../../admins/code-tries.ts'
import { findAdminHolder } from '../../admins/known-admin-devices.ts'
import { takeCode } from '../../admins/second-factor.ts'
import { keepOverLogin } from '../../messages/channels/push.ts'

/**
 * Opens an admin session. A user session in the same browser stays as it is.
 * @throws Refusal COOKIES_NEEDED where those are needed; WRONG_CREDENTIALS, after the same time for an unknown name;
 *   TOTP_REQUIRED or TOTP_INVALID, only after the right password
 */
export async function logInAdmin(
  services: Services,
  { username, password, totp, canProve = false, needsCookie }: z.output<(typeof sessions.adminLogin)['input']>,
  { cookies, now, address, userAgent, log, turn }: Call,
): Promise<{ message: string; admin: { id: string; username: string; isAdmin: true } }> {
  const { db, events, sealer } = services
  const choose = deviceOf(cookies, needsCookie)
  const origin = { now, address, userAgent }
  /**
   * Not awaited, because the answer must take as long as for an unknown name, which writes nothing. The limits on
   * tries bound these entries too.
   */
  const noteRefusal = ({ id, username: name }: { id: string; username: string }) =>
    void db
      .transaction((tx) =>
        audit(tx, { admin: null, ...origin }, { action: 'admin.login-refused', subject: `${name} (${id})` }),
      )
      .catch((err: unknown) => log.warn({ err }, 'a refused login was not noted'))
  const admin = await findAdmin(db, username)
  const matches = await passwordMatches(admin?.passwordHash, password, turn)
  if (!admin || !matches) {
    log.warn({ address }, 'admin login refused')
    if (admin) noteRefusal(admin)
    throw new Refusal('WRONG_CREDENTIALS')
  }

  const token = newToken()
  const [replaced, ...others] = cookies.all('chaabi_admin').map(hashToken)
  const open = () =>
    db.transaction(async (tx) => {
      const locked = await lockAdmin(tx, admin.id)
      if (locked?.passwordHash !== admin.passwordHash || locked.disabledAt) throw new Refusal('WRONG_CREDENTIALS')
      if (locked.totpSealed) {
        if (totp === undefined || totp.trim() === '') throw new Refusal('TOTP_REQUIRED')
        if (!(await takeCode(tx, { admin: locked, code: totp, sealer, now }))) throw new Refusal('TOTP_INVALID')
      }
      const { known } = await tx.one(findAdminHolder(admin.id, deviceHashesOf(cookies)))
      const device = choose((hash) => known?.equals(hash) === true)
      const deviceHash = device.hash
      const tokenHash = hashToken(token)
      const newDevice = known ? undefined : { newDevice: true }
      await openAdminSession(tx, { tokenHash, adminId: admin.id, deviceHash, canProve, ...origin })
      await keepOverLogin(tx, { adminId: admin.id, deviceHash, tokenHash })
      await takeAdminsLanguage(tx, admin.id, languageOf(cookies.read('chaabi_panel_language')))
      for (const old of replaced ? [replaced, ...others] : []) await endAdminSession(tx, old, now)
      const self = { id: admin.id, username: admin.username, sessionHash: tokenHash }
      await audit(
        tx,
        { admin: self, ...origin },
        { action: 'admin.login', subject: `${admin.username} (${admin.id})`, after: newDevice },
      )
      return device
    })
  const hasCode = admin.totpSealed !== null && totp !== undefined
  const device = await (hasCode ? countingCodes(services, { adminId: admin.id, cookies }, open) : open()).catch(
    (error: unknown) => {
      if (error instanceof Refusal && error.code === 'TOTP_INVALID') noteRefusal(admin)
      throw error
    },
  )
  renewDevice(cookies, device.token)
  replaceAdminToken(events, cookies, token, replaced)
  log.info({ admin: admin.id }, 'admin logged in')
  return { message: 'Login successful', admin: { id: admin.id, username: admin.username, isAdmin: true } }
}

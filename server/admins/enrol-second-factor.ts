/** An admin turns their own two-step verification on and off. */
import { Refusal } from '../../contract/errors.ts'
import { audit } from '../audit/audit.ts'
import type { Call } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { readSiteName } from '../settings/site-name.ts'
import { endAdminSessions, renewAdminSession, replaceAdminToken } from './admin-sessions.ts'
import { writeAdmin } from './admins.ts'
import { lockWorking, proveAdmin } from './prove-admin.ts'
import { dropRecoveryCodes, newSecret, renewRecoveryCodes, secretUri, stepOfCode, takeCode } from './second-factor.ts'

/**
 * Creates a setup key. It is not in use until a code from the authenticator app confirms it.
 * @throws Refusal WRONG_PASSWORD, or ALREADY_ENROLLED
 */
export async function enrol(
  { db, sealer }: Services,
  { password }: { password: string },
  { admin, turn }: Call<'admin'>,
): Promise<{ secret: string; uri: string }> {
  await proveAdmin(db, { id: admin.id, password, turn })
  const secret = newSecret()
  await db.transaction(async (tx) => {
    const locked = await lockWorking(tx, admin.id)
    if (locked.totpSealed) throw new Refusal('ALREADY_ENROLLED')
    await writeAdmin(tx, { ...locked, totpPending: sealer.seal('second-factor', locked.id, secret) })
  })
  return { secret, uri: secretUri(secret, admin.username, await readSiteName(db)) }
}

/**
 * Turns two-step verification on and ends the admin's other sessions, because they were opened without it.
 * @throws Refusal WRONG_CODE, or NOT_ENROLLED where no setup key is pending
 */
export async function confirm(
  { db, events, sealer }: Services,
  { totp }: { totp: string },
  call: Call<'admin'>,
): Promise<{ message: string; recoveryCodes: string[] }> {
  const { admin, now, cookies } = call
  const { recoveryCodes, token } = await db.transaction(async (tx) => {
    const locked = await lockWorking(tx, admin.id)
    if (!locked.totpPending) throw new Refusal('NOT_ENROLLED')
    const step = stepOfCode(sealer.open('second-factor', locked.id, locked.totpPending), totp, now, null)
    if (step === undefined)
      throw new Refusal('WRONG_CODE', { fields: { totp: 'Incorrect code. Try the newest one in your app.' } })
    await writeAdmin(tx, { ...locked, totpSealed: locked.totpPending, totpPending: null, totpStep: step })
    await endAdminSessions(tx, admin.id, now, admin.sessionHash)
    const renewed = await renewAdminSession(tx, admin.sessionHash, { isProven: true, endsOld: true, now })
    const codes = await renewRecoveryCodes(tx, admin.id)
    await audit(tx, call, { action: 'admin.enrol-second-factor', subject: `${admin.username} (${admin.id})` })
    return { recoveryCodes: codes, token: renewed }
  })
  replaceAdminToken(events, cookies, token, admin.sessionHash)
  events.publish({ to: 'admins', name: 'session-ended' })
  return { message: 'Two-step verification turned on', recoveryCodes }
}

/** @throws Refusal STEP_UP_REQUIRED, or NOT_ENROLLED */
export async function renewCodes(
  { db }: Services,
  call: Call<'admin'>,
): Promise<{ message: string; recoveryCodes: string[] }> {
  call.requireProof()
  const { admin } = call
  const recoveryCodes = await db.transaction(async (tx) => {
    const locked = await lockWorking(tx, admin.id)
    if (!locked.totpSealed) throw new Refusal('NOT_ENROLLED')
    const codes = await renewRecoveryCodes(tx, admin.id)
    await audit(tx, call, { action: 'admin.renew-recovery-codes', subject: `${admin.username} (${admin.id})` })
    return codes
  })
  return { message: 'Your old recovery codes no longer work', recoveryCodes }
}

/** @throws Refusal WRONG_PASSWORD, WRONG_CODE, or NOT_ENROLLED */
export async function disable(
  { db, sealer }: Services,
  { password, totp }: { password: string; totp: string },
  call: Call<'admin'>,
): Promise<{ message: string }> {
  const { admin, now, turn } = call
  await proveAdmin(db, { id: admin.id, password, turn })
  await db.transaction(async (tx) => {
    const locked = await lockWorking(tx, admin.id)
    if (!locked.totpSealed) throw new Refusal('NOT_ENROLLED')
    if (!(await takeCode(tx, { admin: locked, code: totp, sealer, now }))) throw new Refusal('WRONG_CODE')
    await writeAdmin(tx, { ...locked, totpSealed: null, totpPending: null, totpStep: null })
    await dropRecoveryCodes(tx, admin.id)
    await audit(tx, call, { action: 'admin.disable-second-factor', subject: `${admin.username} (${admin.id})` })
  })
  return { message: 'Two-step verification turned off' }
}

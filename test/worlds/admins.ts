/** More admins of a test store, made through its own calls. */
import { Secret, TOTP } from 'otpauth'
import type { Admin } from '../../contract/admins.ts'
import type { AdminRole } from '../../contract/endpoint.ts'
import { OWNER, type Shop } from './shop.ts'
import type { Browser } from '../store.ts'
import { unique } from './constants.ts'

export interface AdminBrowser {
  admin: Admin
  /** Logged in, with the password of OWNER, which it proves itself with. */
  browser: Browser
}

export async function anAdmin(shop: Shop, role: AdminRole = 'owner'): Promise<AdminBrowser> {
  const admin = await shop.owner.api.admins.create({ username: unique('admin'), password: OWNER.password, role })
  const browser = shop.visitor()
  await browser.api.sessions.adminLogin({ username: admin.username, password: OWNER.password })
  browser.provesWith = OWNER.password
  return { admin, browser }
}

/** The code that an authenticator app shows now. */
export const codeOf = ({ store }: Pick<Shop, 'store'>, secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: store.clock.now().getTime() })

/** An admin with a second factor, whose first code has been used up. */
export async function enrolled(
  shop: Shop,
  role: AdminRole = 'owner',
): Promise<AdminBrowser & { secret: string; recoveryCodes: string[] }> {
  const { admin, browser } = await anAdmin(shop, role)
  const { secret } = await browser.api.admins.enrol({ password: OWNER.password })
  const { recoveryCodes } = await browser.api.admins.confirm({ totp: codeOf(shop, secret) })
  browser.provesWith = undefined
  return { admin, browser, secret, recoveryCodes }
}

/**
 * An admin without a second factor who has just logged in, and has proven nothing since.
 * @param canProve as the panel logs in; false as a client that knows no proofs does
 */
export async function withPasswordOnly(shop: Shop, canProve: boolean, role?: AdminRole): Promise<Browser> {
  const { admin } = await anAdmin(shop, role)
  const browser = shop.visitor()
  await browser.api.sessions.adminLogin({ username: admin.username, password: OWNER.password, canProve })
  return browser
}

/** An enrolled admin who has just logged in, and has proven nothing since. */
export async function unproven(shop: Shop, role: AdminRole = 'owner'): Promise<Browser> {
  if (shop.unproven) return shop.unproven(role)
  const { admin, recoveryCodes } = await enrolled(shop, role)
  const browser = shop.visitor()
  const [totp = ''] = recoveryCodes
  await browser.api.sessions.adminLogin({ username: admin.username, password: OWNER.password, totp })
  return browser
}

/** How the tests of the panel's protection log in, enrol, and look at what they see. */
import type { Locator, Page } from '@playwright/test'
import axeCore from 'axe-core'
import { Secret, TOTP } from 'otpauth'
import type { Admin } from '../../contract/admins.ts'
import type { AdminRole } from '../../contract/endpoint.ts'
import { expect, PHONE } from './admin-counter.ts'
import { callsOf, freshName, stopTransitions, type Person, type Shop } from './people.ts'

export const GIVEN = 'a long given password'
export const OWN = 'a password of their own'
const STEP_MS = 30_000
const ABOUT_TO_GO_MS = 8_000

/** The code that the app shows; as a person does, it waits for the next one where this one is about to go. */
export async function codeOf(secret: string, stepsAhead = 0): Promise<string> {
  const leftMs = STEP_MS - (Date.now() % STEP_MS)
  if (leftMs < ABOUT_TO_GO_MS) await new Promise((resolve) => setTimeout(resolve, leftMs))
  const timestamp = Date.now() + stepsAhead * STEP_MS
  return new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({ timestamp })
}

export const anAdmin = (shop: Shop, role: AdminRole = 'owner'): Promise<Admin> =>
  shop.owner.admins.create({ username: freshName(), password: GIVEN, role })

/** Logs in and enrols through the admin's own calls. The session has then proven who it is. */
export async function enrol({ context }: Person, username: string) {
  const calls = callsOf(context.request)
  await calls.sessions.adminLogin({ username, password: GIVEN })
  const { secret } = await calls.admins.enrol({ password: GIVEN })
  const { recoveryCodes } = await calls.admins.confirm({ totp: await codeOf(secret) })
  return { calls, secret, recoveryCodes }
}

/** The same, logged in again, so the session has proven nothing. */
export async function enrolAndReturn(person: Person, username: string) {
  const enrolled = await enrol(person, username)
  const [totp = ''] = enrolled.recoveryCodes
  await enrolled.calls.sessions.adminLogin({ username, password: GIVEN, totp })
  return enrolled
}

export async function logIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

/** Answers the panel's question by the password. */
export async function confirmWith(page: Page, password: string): Promise<void> {
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await proof.getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await expect(proof).toBeHidden()
}

/** The sidebar's button is in a drawer on a phone. */
export async function logOut(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' })
  if ((page.viewportSize()?.width ?? 0) <= PHONE.width) await menu.click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/admin-login/)
}

const { source } = axeCore

/** axe in the page, in both themes; in the second nothing but the colours can differ. */
export async function findFaults(page: Page, within: string): Promise<unknown[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    await page.evaluate(source)
    await page.evaluate(stopTransitions)
  }
  return page.evaluate(async (where) => {
    const found: unknown[] = []
    for (const theme of ['light', 'dark']) {
      document.documentElement.dataset['theme'] = theme
      const { violations } = await (globalThis as unknown as { axe: typeof axeCore }).axe.run(where, {
        resultTypes: ['violations'],
        ...(theme === 'light' && { runOnly: ['color-contrast', 'link-in-text-block'] }),
      })
      for (const { id, nodes } of violations) found.push(...nodes.map(({ html }) => ({ theme, id, html })))
    }
    return found
  }, within)
}

export function panelOf(page: Page, title: string): Locator {
  return page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
}

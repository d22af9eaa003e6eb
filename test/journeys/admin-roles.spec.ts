/**
 * Every screen of the panel as each role sees it: what may not be done is out of reach and says why, and nothing fails.
 */
import { existsSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { api } from '../../contract/api.ts'
import { ADMIN_ROLES, mayCall, type AdminRole } from '../../contract/endpoint.ts'
import { enterPanel, LONG } from './people.ts'
import { actionOf, DESK, expect, freshName, freshUtr, rowOf, said, test } from './admin-counter.ts'
import type { Screen } from './panel/screen.ts'

const GIVEN = 'a password made for you'
const ROLE_NAMES: Record<AdminRole, string> = {
  owner: 'Owner',
  payments: 'Payments',
  stock: 'Stock',
  support: 'Support',
  'read-only': 'View only',
}

/** Each feature says which screens it has (panel/<feature>.ts). */
const SCREENS: Screen[] = []
for (const feature of Object.keys(api)) {
  const file = new URL(`panel/${feature}.ts`, import.meta.url)
  if (existsSync(file)) SCREENS.push(...((await import(file.href)) as { screens: Screen[] }).screens)
}

/** Links from the screen itself into the panel, without what they search for. */
const linksOf = (page: Page) =>
  page
    .locator('main a[href^="/admin/"]')
    .evaluateAll((links) => [...new Set(links.map((link) => new URL((link as HTMLAnchorElement).href).pathname))])

/** One that may do something; the others differ by the contract's table alone. */
const ALWAYS: readonly AdminRole[] = ['payments']

for (const role of ADMIN_ROLES) {
  const when = ALWAYS.includes(role) ? {} : LONG
  test(`${role}: each screen shows what the role may do, and says why not the rest`, when, async ({ people, shop }) => {
    test.setTimeout(180_000)
    const why = `Your role (${ROLE_NAMES[role]}) can’t do this. Ask the store owner.`
    const { username } = await shop.owner.admins.create({ username: freshName(), password: GIVEN, role })
    const buyer = await people.buyer()
    await buyer.calls.payments.addMoney({ amount: 70, utr: freshUtr(), payerName: '9876543210' })
    const { _id: productId } = await shop.owner.catalogue.create({
      name: `Walk ${freshName()}`,
      prices: [{ duration: '10 Days', price: 20 }],
    })
    await shop.owner.keys.add({ productId, duration: '10 Days', keys: [freshName()] })
    // Who has other terms is among the inviters
    await shop.owner.referrals.setInviteTerms({ userId: buyer.id, reward: 20 })
    const { page, context } = await people.visitor({ viewport: DESK, reducedMotion: 'reduce' })
    await enterPanel(context.request, { username, password: GIVEN })
    const failures: string[] = []
    page.on('response', (answer) => {
      if (answer.status() >= 400 && answer.url().includes('/api/')) failures.push(`${answer.status()} ${answer.url()}`)
    })
    const allowed = SCREENS.filter(({ call }) => !call || mayCall(call, role)).map(({ path }) => path.split('?')[0])
    // It is of one payment, so it is no screen to open alone
    if (mayCall(api.proofs.read, role)) allowed.push('/admin/proof')

    for (const { path, call, controls } of SCREENS) {
      await test.step(path, async () => {
        await page.goto(path)
        if (call && !mayCall(call, role)) {
          await expect(page.getByText(why)).toBeVisible()
          return
        }
        const main = page.getByRole('main')
        // A chart that comes later brings a row of its own
        const closed = main.locator('details:not([open]) > summary')
        await expect(async () => {
          while ((await closed.count()) > 0) await closed.first().click()
          if (path === '/admin/dashboard')
            await expect(main.getByRole('img', { name: /^QR code/ })).toBeVisible({ timeout: 2_000 })
        }).toPass({ timeout: 20_000 })
        for (const [kind, name, endpoint] of controls) {
          const control = main.getByRole(kind, typeof name === 'string' ? { name, exact: true } : { name }).first()
          const menu = main.getByRole('button', { name: /^More: / }).first()
          await expect(control.or(menu).first()).toBeVisible()
          const isInMenu = !(await control.isVisible()) && (await menu.isVisible())
          if (isInMenu) await menu.click()
          await expect(control, `${path}: ${String(name)}`).toBeVisible()
          if (mayCall(endpoint, role)) {
            await expect(control, `${path}: ${String(name)}`).not.toHaveAttribute('aria-disabled', 'true')
            if (isInMenu) await page.keyboard.press('Escape')
            continue
          }
          if (kind === 'switch') {
            await expect(control, `${path}: ${String(name)}`).toBeDisabled()
            await expect(control).toHaveAccessibleDescription(why)
            continue
          }
          await expect(control, `${path}: ${String(name)}`).toHaveAttribute('aria-disabled', 'true')
          // Playwright holds it for disabled; a person can still press it
          await control.click({ force: true })
          await expect(said(page, why).first()).toBeVisible()
          if (isInMenu) await page.keyboard.press('Escape')
        }
        const dead = (await linksOf(page)).filter((link) => link !== '/admin' && !allowed.includes(link))
        expect(dead, `${path}: links to screens that are not for this role`).toEqual([])
      })
    }

    if (mayCall(api.users.list, role))
      await test.step('one user: only the parts that the role sees, and no button that would be refused', async () => {
        await page.goto(`/admin/user-manager?search=${buyer.username}`)
        const row = rowOf(page, buyer.username)
        await (await actionOf(row, `Details of ${buyer.username}: payments, keys and devices`)).click()
        const panel = page.getByRole('dialog', { name: buyer.username })
        await expect(panel.getByText('Top-up request').first()).toBeVisible()
        for (const [name, endpoint] of [
          ['Keys', api.users.keys],
          ['Devices', api.users.sessions],
        ] as const)
          await expect(panel.getByRole('button', { name, exact: true })).toHaveCount(mayCall(endpoint, role) ? 1 : 0)
        if (mayCall(api.users.sessions, role)) {
          await panel.getByRole('button', { name: 'Devices', exact: true }).click()
          for (const [name, endpoint] of [
            [/^Log .* out of|^Logout: /, api.users.endSession],
            ['Reset device lock', api.users.unlockDevice],
          ] as const) {
            const button = panel.getByRole('button', { name }).first()
            await expect(button).toBeVisible()
            if (mayCall(endpoint, role)) await expect(button).not.toHaveAttribute('aria-disabled', 'true')
            else await expect(button).toHaveAttribute('aria-disabled', 'true')
          }
        }
        await panel.getByRole('button', { name: 'Close' }).click()
        const remove = await actionOf(row, `Delete ${buyer.username}`)
        if (mayCall(api.users.remove, role)) await expect(remove).not.toHaveAttribute('aria-disabled', 'true')
        else await expect(remove).toHaveAttribute('aria-disabled', 'true')
        await page.keyboard.press('Escape')
        await (await actionOf(row, `Edit ${buyer.username}`)).click()
        const save = page.getByRole('dialog').getByRole('button', { name: 'Save changes' })
        if (mayCall(api.users.update, role)) await expect(save).not.toHaveAttribute('aria-disabled', 'true')
        else await expect(save).toHaveAttribute('aria-disabled', 'true')
      })

    expect(failures, 'calls that were refused while looking around').toEqual([])
  })
}

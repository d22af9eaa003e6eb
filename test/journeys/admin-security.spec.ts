/** What protects the panel: the own account, the second factor, a new proof, other admins and their roles, reset links. */
import type { Locator, Page } from '@playwright/test'
import axeCore from 'axe-core'
import { Secret, TOTP } from 'otpauth'
import type { Admin } from '../../contract/admins.ts'
import type { AdminRole } from '../../contract/endpoint.ts'
import { DESK, expect, PHONE, rowOf, said, savedBy, test, repeatAt } from './admin-counter.ts'
import { callsOf, freshName, stopTransitions, type Person, type Shop } from './people.ts'

const GIVEN = 'a long given password'
const OWN = 'a password of their own'
const STEP_MS = 30_000

const codeOf = (secret: string, stepsAhead = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({
    timestamp: Date.now() + stepsAhead * STEP_MS,
  })

const anAdmin = (shop: Shop, role: AdminRole = 'owner'): Promise<Admin> =>
  shop.owner.admins.create({ username: freshName(), password: GIVEN, role })

/** Logs in and enrols through the admin's own calls. The session has then proven who it is. */
async function enrol({ context }: Person, username: string) {
  const calls = callsOf(context.request)
  await calls.sessions.adminLogin({ username, password: GIVEN })
  const { secret } = await calls.admins.enrol({ password: GIVEN })
  const { recoveryCodes } = await calls.admins.confirm({ totp: codeOf(secret) })
  return { calls, secret, recoveryCodes }
}

/** The same, and logged in anew: the session has proven nothing since. */
async function enrolAndReturn(person: Person, username: string) {
  const enrolled = await enrol(person, username)
  const [totp = ''] = enrolled.recoveryCodes
  await enrolled.calls.sessions.adminLogin({ username, password: GIVEN, totp })
  return enrolled
}

async function logIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

/** The sidebar's button is in a drawer on a phone. */
async function logOut(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' })
  if ((page.viewportSize()?.width ?? 0) <= PHONE.width) await menu.click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/admin-login/)
}

const { source } = axeCore

/** axe in the page, in both themes; in the second nothing but the colours can differ. */
async function findFaults(page: Page, within: string): Promise<unknown[]> {
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

function panelOf(page: Page, title: string): Locator {
  return page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
}

for (const viewport of [PHONE, DESK]) {
  const width = `at ${viewport.width} px`

  test(
    `${width} an admin makes the own account safe: password, app, recovery codes, sessions`,
    repeatAt(viewport),
    async ({ people, shop }) => {
      test.slow()
      const { username } = await anAdmin(shop)
      const { page } = await people.visitor({ viewport })
      const urge = page.getByRole('complementary', { name: 'Your account' })
      const app = panelOf(page, 'Authenticator app')
      let secret = ''
      let codes: string[] = []

      await test.step('no code is asked of who has no app, and the panel urges', async () => {
        await page.goto('/admin-login')
        await logIn(page, username, GIVEN)
        await expect(page).toHaveURL(/\/admin$/)
        await expect(urge.getByText('Your password was made for you. Choose one of your own.')).toBeVisible()
        await urge.getByRole('link', { name: 'Change the password' }).click()
        await expect(page).toHaveURL(/\/admin\/security$/)
      })

      await test.step('the password that was given is changed', async () => {
        const form = page.getByRole('form', { name: 'Change password' })
        const submit = form.getByRole('button', { name: 'Change password' })
        await form.getByLabel('Current password').fill('not this one')
        await form.getByLabel('New password').fill('too short')
        await submit.click()
        await expect(form.getByText('Use at least 12 characters')).toBeVisible()
        await form.getByLabel('New password').fill(OWN)
        await submit.click()
        await expect(form.getByText('The password is wrong.')).toBeVisible()
        await expect(form.getByLabel('Current password')).toBeFocused()
        await form.getByLabel('Current password').fill(GIVEN)
        await submit.click()
        await expect(form.getByText('Password changed')).toBeVisible()
        await page.goto('/admin/audit')
        await expect(urge.getByText(/^Your password alone opens this panel/)).toBeVisible()
        await urge.getByRole('link', { name: 'Set it up' }).click()
      })

      await test.step('the app is set up by keyboard alone', async () => {
        await expect(app.getByText('Off', { exact: true })).toBeVisible()
        await app.getByRole('button', { name: 'Set up' }).focus()
        await page.keyboard.press('Enter')
        await expect(app.getByLabel('Your password')).toBeFocused()
        await page.keyboard.type('not this one')
        await page.keyboard.press('Enter')
        await expect(app.getByText('The current password is wrong.')).toBeVisible()
        await app.getByLabel('Your password').fill(OWN)
        await page.keyboard.press('Enter')
        await expect(app.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
        secret = (await app.locator('code').textContent()) ?? ''
        await expect(app.getByLabel('Code', { exact: true })).toBeFocused()
        await page.keyboard.type('000000')
        await page.keyboard.press('Enter')
        await expect(app.getByText('That code is wrong or was used already.')).toBeVisible()
        await app.getByLabel('Code', { exact: true }).fill(codeOf(secret))
        await page.keyboard.press('Enter')
      })

      await test.step('ten recovery codes are shown this once, to save and to print', async () => {
        const list = app.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
        await expect(list).toHaveCount(10)
        codes = await list.allTextContents()
        const { name, text } = await savedBy(page, app.getByRole('button', { name: 'Download' }))
        expect(name).toBe(`recovery-codes-${username}.txt`)
        for (const code of codes) expect(text).toContain(code)
        await page.emulateMedia({ media: 'print' })
        await expect(page.locator('.print-sheet li').first()).toHaveCSS('visibility', 'visible')
        await expect(page.getByText(`Recovery codes of ${username}, Chaabi`)).toBeVisible()
        await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
        await page.emulateMedia({ media: 'screen' })
        await app.getByRole('button', { name: 'I have stored them' }).click()
        await expect(app.getByText('On', { exact: true })).toBeVisible()
        await expect(list).toHaveCount(0)
        await page.goto('/admin/dashboard')
        await expect(page.getByRole('heading', { name: 'Sales and top-ups' })).toBeVisible()
        await expect(urge).toBeHidden()
      })

      await test.step('from then on the login asks for a code, and takes a recovery code in its place', async () => {
        await logOut(page)
        await expect(page.getByLabel('Authenticator code')).toBeHidden()
        await logIn(page, username, OWN)
        await expect(page.getByLabel('Authenticator code')).toBeFocused()
        await page.keyboard.type('000000')
        await page.keyboard.press('Enter')
        await expect(page.getByRole('alert').getByText('That code is wrong or was used already.')).toBeVisible()
        await page.getByRole('button', { name: 'Use a recovery code' }).click()
        await expect(page.getByLabel('Recovery code')).toBeFocused()
        await page.keyboard.type(`${codes[0]?.toLowerCase()} `)
        await page.keyboard.press('Enter')
        await expect(page).toHaveURL(/\/admin(\/security)?$/)
      })

      await test.step('new recovery codes need a new proof, and replace the old ones', async () => {
        await page.goto('/admin/security')
        const renew = app.getByRole('button', { name: 'New recovery codes' })
        const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
        await renew.click()
        await page.getByRole('button', { name: 'Make new codes' }).click()
        await expect(proof).toBeVisible()
        await proof.getByRole('button', { name: 'Cancel' }).click()
        await expect(said(page, 'Nothing was changed, because you did not confirm that it is you.')).toBeVisible()
        await expect(renew).toBeFocused()
        await renew.click()
        await page.getByRole('button', { name: 'Make new codes' }).click()
        await proof.getByRole('button', { name: 'Password', exact: true }).click()
        await proof.getByLabel('Your password').fill('not this one')
        await page.keyboard.press('Enter')
        await expect(proof.getByText('The current password is wrong.')).toBeVisible()
        await proof.getByLabel('Your password').fill(OWN)
        await page.keyboard.press('Enter')
        await expect(proof).toBeHidden()
        const list = app.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
        await expect(list).toHaveCount(10)
        const renewed = await list.allTextContents()
        expect(renewed).not.toContain(codes[1])
        codes = renewed
        await app.getByRole('button', { name: 'I have stored them' }).click()
        await expect(renew).toBeFocused()
      })

      await test.step('a session elsewhere is seen and ended', async () => {
        const elsewhere = await people.visitor({
          userAgent: 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0',
        })
        const [totp = ''] = codes
        await callsOf(elsewhere.context.request).sessions.adminLogin({ username, password: OWN, totp })
        await page.reload()
        const list = page.getByRole('list', { name: 'Sessions' })
        await expect(list.getByText('Firefox on Windows')).toBeVisible()
        await expect(list.getByRole('listitem').filter({ hasText: 'This one' })).toHaveCount(1)
        await list.getByRole('button', { name: /^Log out Firefox on Windows/ }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
        await expect(said(page, 'Logged out there')).toBeVisible()
        await expect(list.getByText('Firefox on Windows')).toBeHidden()
        expect((await elsewhere.context.request.get('/api/admin/check')).status()).toBe(401)
      })

      await test.step('the second factor is turned off with password and code', async () => {
        await app.getByRole('button', { name: 'Turn off' }).click()
        const dialog = page.getByRole('dialog', { name: 'Turn off the second factor' })
        await dialog.getByLabel('Your password').fill(OWN)
        await dialog.getByLabel('Code').fill('000000')
        await dialog.getByRole('button', { name: 'Turn off' }).click()
        await expect(dialog.getByText('That code is wrong or was used already.')).toBeVisible()
        await dialog.getByLabel('Code').fill(codes[1] ?? '')
        await dialog.getByRole('button', { name: 'Turn off' }).click()
        await expect(dialog).toBeHidden()
        await expect(app.getByText('Off', { exact: true })).toBeVisible()
      })
    },
  )

  test(
    `${width} a new proof is asked in one dialog, and what was typed is still there`,
    repeatAt(viewport),
    async ({ people, shop }) => {
      const [{ username }, buyer] = await Promise.all([anAdmin(shop), people.account()])
      const person = await people.visitor({ viewport })
      const { secret } = await enrolAndReturn(person, username)
      const { page } = person
      const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
      const upiId = `${freshName()}@okaxis`
      const before = await shop.owner.settings.upi({})

      await test.step('cancelled: nothing is saved and nothing lost', async () => {
        await page.goto('/admin/dashboard')
        const field = page.getByLabel('UPI ID')
        await field.fill(upiId)
        const save = page.getByRole('button', { name: 'Save UPI ID' })
        await save.click()
        await expect(proof).toBeVisible()
        await expect(proof.getByLabel('Code', { exact: true })).toBeFocused()
        await page.keyboard.press('Escape')
        await expect(proof).toBeHidden()
        await expect(field).toHaveValue(upiId)
        await expect(save).toBeFocused()
        await expect(
          page.getByText('Nothing was changed, because you did not confirm that it is you.', { exact: false }),
        ).toBeVisible()
        expect((await shop.owner.settings.upi({})).upiId).toBe(before.upiId)
      })

      await test.step('confirmed in a dialog over a dialog: the same call goes through', async () => {
        await page.goto(`/admin/user-manager?search=${buyer.username}`)
        await page.getByRole('button', { name: `Edit ${buyer.username}` }).click()
        const dialog = page.getByRole('dialog', { name: `Edit ${buyer.username}` })
        await dialog.getByLabel('Amount (₹)').fill('20000')
        await dialog.getByLabel('Reason').fill('A large order by phone')
        await dialog.getByRole('button', { name: 'Save changes' }).click()
        await proof.getByLabel('Code', { exact: true }).fill('000000')
        await page.keyboard.press('Enter')
        await expect(proof.getByText('That code is wrong or was used already.')).toBeVisible()
        await expect(proof.getByLabel('Code', { exact: true })).toBeFocused()
        await proof.getByRole('button', { name: 'Cancel' }).click()
        await expect(dialog.getByLabel('Amount (₹)')).toHaveValue('20000')
        await expect(dialog.getByLabel('Reason')).toHaveValue('A large order by phone')
        await dialog.getByRole('button', { name: 'Save changes' }).click()
        await proof.getByLabel('Code', { exact: true }).fill(codeOf(secret, 1))
        await page.keyboard.press('Enter')
        await expect(said(page, `${buyer.username} saved. Balance ₹20,050`)).toBeVisible()
        const found = await shop.owner.users.list({ search: buyer.username })
        expect(found.users[0]?.balance, 'once').toBe(20_050)
      })

      await test.step('for ten minutes it is not asked again', async () => {
        await page.goto('/admin/dashboard')
        await page.getByLabel('UPI ID').fill(upiId)
        await page.getByRole('button', { name: 'Save UPI ID' }).click()
        await expect(said(page, `UPI ID saved. Buyers pay to ${upiId}.`)).toBeVisible()
        await shop.owner.settings.saveUpi({ upiId: before.upiId })
      })
    },
  )

  test(
    `${width} an owner makes, changes and removes other admins`,
    repeatAt(viewport),
    async ({ owner, people, shop }) => {
      const page = await owner({ viewport })
      const name = freshName()
      const row = rowOf(page, name)
      await page.goto('/admin/admins')

      await test.step('a first password is shown once', async () => {
        await page.getByRole('button', { name: 'New admin' }).click()
        const dialog = page.getByRole('dialog', { name: 'New admin' })
        await dialog.getByRole('button', { name: 'Add admin' }).click()
        await expect(dialog.getByText('Use at least 12 characters')).toBeVisible()
        await dialog.getByLabel('Username').fill(shop.admin.username)
        await dialog.getByLabel('Role').selectOption({ label: 'Payments' })
        await expect(
          dialog.getByText('Decides top-up requests, and changes buyers’ balances and prices.'),
        ).toBeVisible()
        await dialog.getByRole('button', { name: 'Make one up' }).click()
        await dialog.getByRole('button', { name: 'Add admin' }).click()
        await expect(dialog.getByText('An admin with this username already exists.')).toBeVisible()
        await dialog.getByLabel('Username').fill(name)
        await dialog.getByRole('button', { name: 'Add admin' }).click()
        const told = page.getByRole('dialog', { name: `Pass this on to ${name}` })
        const password = (await told.locator('code').last().textContent()) ?? ''
        expect(password).toMatch(/^(?:[a-z2-9]{4}-){4}[a-z2-9]{4}$/)
        const { context } = await people.visitor()
        await callsOf(context.request).sessions.adminLogin({ username: name, password })
        await told.getByRole('button', { name: 'Done' }).click()
        await expect(row.getByText('Payments')).toBeVisible()
        await expect(row.getByText('Password alone')).toBeVisible()
        expect((await context.request.get('/api/admin/check')).status()).toBe(200)

        await page.getByRole('button', { name: `Log ${name} out everywhere` }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
        await expect(said(page, `${name} is logged out everywhere`)).toBeVisible()
        expect((await context.request.get('/api/admin/check')).status()).toBe(401)
      })

      await test.step('the role is changed, and a lost phone is forgotten', async () => {
        await page.getByRole('button', { name: `Edit ${name}` }).click()
        const dialog = page.getByRole('dialog', { name: `Edit ${name}` })
        await dialog.getByLabel('Role').selectOption({ label: 'Support' })
        await dialog.getByLabel('New password').fill(GIVEN)
        await dialog.getByRole('button', { name: 'Save changes' }).click()
        await page
          .getByRole('dialog', { name: `Pass this on to ${name}` })
          .getByRole('button', { name: 'Done' })
          .click()
        await expect(row.getByText('Support')).toBeVisible()
        await enrol(await people.visitor(), name)
        await page.reload()
        await expect(row.getByText('App on')).toBeVisible()
        await page.getByRole('button', { name: `Take ${name}’s authenticator app away` }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Take it away' }).click()
        await expect(row.getByText('Password alone')).toBeVisible()
      })

      await test.step('who is removed cannot log in, until they are let back in', async () => {
        const { context } = await people.visitor()
        const tryLogin = () => context.request.post('/api/admin/login', { data: { username: name, password: GIVEN } })
        await page.getByRole('button', { name: `Remove ${name}` }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
        await expect(row.getByText('Removed')).toBeVisible()
        expect((await tryLogin()).status()).toBe(401)
        await page.getByRole('button', { name: `Let ${name} back in` }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Let in' }).click()
        await expect(row.getByText('Password alone')).toBeVisible()
        expect((await tryLogin()).status()).toBe(200)
      })
    },
  )

  test(`${width} a role sees what it may do, and why not the rest`, repeatAt(viewport), async ({ people, shop }) => {
    const { username } = await anAdmin(shop, 'stock')
    const { page, context } = await people.visitor({ viewport })
    await callsOf(context.request).sessions.adminLogin({ username, password: GIVEN })
    await page.goto('/admin/product-manager')
    const menu = page.getByRole('button', { name: 'Menu' })
    if (viewport === PHONE) await menu.click()
    const links = page.getByRole('navigation', { name: 'Admin' }).getByRole('link')
    await expect(links).toHaveText([
      'Dashboard',
      'Products',
      'Keys',
      'Top-up plans',
      'Referrals',
      'Account and security',
    ])

    await page.goto('/admin/user-manager')
    await expect(page.getByRole('heading', { name: 'Not for your role' })).toBeAttached()
    await expect(page.getByText('Your role, Stock, does not allow this. Ask an owner of the store.')).toBeVisible()
  })

  test(
    `${width} where the store demands a second factor, the panel leads to it and back`,
    repeatAt(viewport),
    async ({ people, shop }) => {
      const [{ username: first }, { username: second }] = await Promise.all([anAdmin(shop), anAdmin(shop)])
      const owner = await people.visitor({ viewport })
      const { calls } = await enrol(owner, first)
      const { page, context } = await people.visitor({ viewport })
      await callsOf(context.request).sessions.adminLogin({ username: second, password: GIVEN })
      await page.goto('/admin/user-manager?search=isha')
      await expect(page.locator('[data-row]').first()).toBeVisible()
      try {
        await test.step('it is switched on', async () => {
          await owner.page.goto('/admin/admins')
          await owner.page.getByRole('switch', { name: /^Ask every admin for an authenticator app/ }).click()
          await expect(said(owner.page, 'Every admin needs a second factor now')).toBeVisible()
        })
        await test.step('an open panel goes to the set-up at its next call', async () => {
          await page.getByLabel('Search name or email').fill('isha m')
          await expect(page).toHaveURL(/\/admin\/security\?next=/)
          await expect(page.getByText(/^This store asks every admin for a second factor/)).toBeVisible()
          await expect(panelOf(page, 'Password')).toBeHidden()
          await page.goto('/admin/payment-manager?status=all')
          await expect(page).toHaveURL(/\/admin\/security\?next=%2Fadmin%2Fpayment-manager/)
        })
        await test.step('and afterwards to where it was going', async () => {
          const app = panelOf(page, 'Authenticator app')
          await app.getByLabel('Your password').fill(GIVEN)
          await page.keyboard.press('Enter')
          const secret = (await app.locator('code').textContent()) ?? ''
          await app.getByLabel('Code', { exact: true }).fill(codeOf(secret))
          await page.keyboard.press('Enter')
          await expect(app.getByRole('list', { name: 'Recovery codes' })).toBeVisible()
          await app.getByRole('button', { name: 'I have stored them' }).click()
          await expect(page).toHaveURL(/\/admin\/payment-manager\?status=all/)
          await expect(page.locator('[data-row]').first()).toBeVisible()
        })
      } finally {
        await calls.settings.saveStore({ secondFactorRequired: false })
      }
    },
  )

  test(
    `${width} a buyer who has forgotten the password gets a link from the admin`,
    repeatAt(viewport),
    async ({ owner, people }) => {
      const [page, buyer] = await Promise.all([owner({ viewport }), people.buyer({ viewport })])
      const name = buyer.username
      const issue = async () => {
        const dialog = page.getByRole('dialog', { name: `Edit ${name}` })
        await dialog.getByRole('button', { name: /^Make (a|another) link$/ }).click()
        await expect(dialog.getByText(/It works for 30 more minutes/)).toBeVisible()
        return dialog
      }
      await page.goto(`/admin/user-manager?search=${name}`)
      await page.getByRole('button', { name: `Edit ${name}` }).click()
      await page.getByRole('button', { name: 'Login', exact: true }).click()
      const dialog = await issue()
      const link = dialog.locator('code')
      const first = (await link.textContent()) ?? ''
      await dialog.getByRole('button', { name: 'Make another link' }).click()
      await expect(link).not.toHaveText(first)
      const second = (await link.textContent()) ?? ''

      const { page: visitor } = await people.visitor({ viewport })
      const password = visitor.getByRole('textbox', { name: 'New password' })
      const submit = visitor.getByRole('button', { name: 'Set new password' })
      await test.step('a link that was replaced, or cut off, is dead', async () => {
        await visitor.goto(first)
        await password.fill('another long password')
        await submit.click()
        await expect(visitor.getByText('This link does not work')).toBeVisible()
        await visitor.goto('about:blank')
        await visitor.goto('/reset-password')
        await expect(visitor.getByText(/^A part of it is missing/)).toBeVisible()
      })
      await test.step('the new password opens the account, and the old sessions are over', async () => {
        await visitor.goto(second)
        await password.fill('short')
        await submit.click()
        await expect(visitor.getByText('Use at least 8 characters')).toBeVisible()
        await password.fill(name)
        await submit.click()
        await expect(password).toHaveAttribute('aria-invalid', 'true')
        await password.fill('another long password')
        await submit.click()
        await expect(visitor.getByText('Log in with your new password now.')).toBeVisible()
        expect((await buyer.context.request.get('/api/auth/me')).status()).toBe(401)
        await visitor.getByRole('link', { name: 'Go to login' }).click()
        expect(visitor.url()).not.toContain('#')
        await visitor.goto(second)
        await password.fill('yet another password')
        await submit.click()
        await expect(visitor.getByText(/^It was used already/)).toBeVisible()
      })
    },
  )
}

test('axe finds nothing on the screens and dialogs of this part, in either theme', async ({ people, shop }) => {
  test.slow()
  const [{ username }, { username: other }, buyer] = await Promise.all([
    anAdmin(shop),
    anAdmin(shop, 'stock'),
    people.account(),
  ])
  const person = await people.visitor({ reducedMotion: 'reduce' })
  const { page } = person
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
  const dialog = page.locator('dialog[open]')
  const look = async (what: string, within = 'html') => {
    for (const viewport of [PHONE, DESK]) {
      await page.setViewportSize(viewport)
      expect.soft(await findFaults(page, within), `${what}, ${viewport.width} px`).toEqual([])
    }
    await page.setViewportSize({ width: 320, height: 700 })
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    await expect.poll(overflow, `${what}: sideways at 320 px`).toBeLessThanOrEqual(0)
    await page.setViewportSize(PHONE)
  }

  await page.goto('/reset-password')
  await look('a link without its secret')
  await page.goto('/reset-password#secret')
  await expect(page.getByRole('textbox', { name: 'New password' })).toBeVisible()
  await look('a new password')

  const calls = callsOf(person.context.request)
  await calls.sessions.adminLogin({ username, password: GIVEN })
  await page.goto('/admin/security')
  await expect(page.getByRole('list', { name: 'Sessions' })).toBeVisible()
  await look('security, off')
  await button('Set up').click()
  await page.getByLabel('Your password').fill(GIVEN)
  await page.keyboard.press('Enter')
  const secret = (await page.locator('code').textContent()) ?? ''
  await look('security, scan')
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret))
  await page.keyboard.press('Enter')
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await expect(list).toBeVisible()
  await look('security, codes')
  const totp = (await list.getByRole('listitem').first().textContent()) ?? ''
  await button('I have stored them').click()
  await expect(list).toBeHidden()
  await look('security, on')
  await button('Turn off').click()
  await look('turn off', 'dialog[open]')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await calls.sessions.adminLogin({ username, password: GIVEN, totp })
  await page.goto(`/admin/user-manager?search=${buyer.username}`)
  await button(`Edit ${buyer.username}`).click()
  await button('Login').click()
  await button('Make a link').click()
  await expect(dialog.locator('code')).toBeVisible()
  await look('a reset link', 'dialog[open]')
  await page.goto('/admin/admins')
  await expect(rowOf(page, other)).toBeVisible()
  await look('admins')
  await button('New admin').click()
  await dialog.getByRole('button', { name: 'Add admin' }).click()
  await look('new admin, with faults', 'dialog[open]')
  await dialog.getByLabel('Username').fill(freshName())
  await button('Make one up').click()
  await dialog.getByRole('button', { name: 'Add admin' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(proof).toBeVisible()
  await look('a new proof', 'dialog[open]:last-of-type')
  await proof.getByRole('button', { name: 'Password', exact: true }).click()
  await proof.getByLabel('Your password').fill(GIVEN)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: /^Pass this on/ })).toBeVisible()
  await look('a first login', 'dialog[open]')
  await button('Done').click()
  await button(`Remove ${other}`).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await look('removal', 'dialog[open]')

  await calls.sessions.adminLogin({ username: other, password: GIVEN })
  await page.goto('/admin/user-manager')
  await expect(page.getByText(/^Your role, Stock, does not allow this/)).toBeVisible()
  await look('not for this role')
})

test('the last owner can be neither removed nor made something else', async ({ store, browser }) => {
  const context = await browser.newContext({ baseURL: store.url })
  const page = await context.newPage()
  await callsOf(context.request).sessions.adminLogin(store.admin)
  await page.goto('/admin/admins')
  const { username } = store.admin
  const words = 'A store needs an owner: make another admin owner first.'
  await page.getByRole('button', { name: `Edit ${username}` }).click()
  const dialog = page.getByRole('dialog', { name: `Edit ${username}` })
  await dialog.getByLabel('Role').selectOption({ label: 'Support' })
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(dialog.getByText(words)).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: `Remove ${username}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('alertdialog').getByText(words)).toBeVisible()
  await context.close()
})

test('the panel’s pages make no text into markup or script (Trusted Types)', async ({ people, shop, browser }) => {
  const { page: visitor } = await people.visitor()
  for (const path of ['/admin-login', '/admin/dashboard', '/ADMIN/']) {
    const policy = (await visitor.request.get(path)).headers()['content-security-policy'] ?? ''
    expect(policy, path).toContain("require-trusted-types-for 'script'; trusted-types 'none'")
  }
  // Not a person of `people`: what is refused here is reported in the console, as it should be.
  const context = await browser.newContext({ baseURL: shop.url })
  const page = await context.newPage()
  await page.goto('/admin-login')
  await logIn(page, shop.admin.username, shop.admin.password)
  await expect(page.getByRole('heading', { name: 'Sales and top-ups' })).toBeVisible()
  const tries = await page.evaluate(() => {
    const outcome = (name: string, act: () => unknown) => {
      try {
        act()
        return `${name} went through`
      } catch (error) {
        return `${name}: ${(error as Error).name}`
      }
    }
    const { trustedTypes } = globalThis as unknown as {
      trustedTypes: { createPolicy(name: string, rules: object): unknown }
    }
    return [
      outcome('innerHTML', () => (document.body.innerHTML = '<img src=x onerror="globalThis.hit = 1">')),
      outcome('outerHTML', () => (document.body.outerHTML = '<p>')),
      outcome('insertAdjacentHTML', () => document.body.insertAdjacentHTML('beforeend', '<p>')),
      outcome('script src', () => (document.createElement('script').src = '/assets/x.js')),
      outcome('a policy', () => trustedTypes.createPolicy('default', { createHTML: (text: string) => text })),
    ]
  })
  expect(tries).toEqual([
    'innerHTML: TypeError',
    'outerHTML: TypeError',
    'insertAdjacentHTML: TypeError',
    'script src: TypeError',
    'a policy: TypeError',
  ])
  await expect(page.getByRole('heading', { name: 'Sales and top-ups' })).toBeVisible()
  expect(await page.evaluate(() => 'hit' in globalThis)).toBe(false)
  await context.close()
})

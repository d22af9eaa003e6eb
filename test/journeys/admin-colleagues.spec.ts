/** Other admins and their roles, reset links, and how all of it reads. */
import { DESK, expect, inWholeList, PHONE, rowOf, said, test, repeatAt, actionOf } from './admin-counter.ts'
import { anAdmin, codeOf, enrol, findFaults, GIVEN, panelOf } from './admin-door.ts'
import { AXE_SIZES, callsOf, enterPanel, freshName, LONG } from './people.ts'

for (const viewport of [PHONE, DESK]) {
  const width = `at ${viewport.width} px`

  test(`${width} a role sees what it may do, and why not the rest`, repeatAt(viewport), async ({ people, shop }) => {
    const { username } = await anAdmin(shop, 'stock')
    const { page, context } = await people.visitor({ viewport })
    await enterPanel(context.request, { username, password: GIVEN })
    await page.goto('/admin/product-manager')
    const menu = page.getByRole('button', { name: 'Menu' })
    if (viewport === PHONE) await menu.click()
    const links = page.getByRole('navigation', { name: 'Admin' }).getByRole('link')
    await expect(links).toHaveText([
      'Dashboard',
      'Products',
      'Keys',
      /^Claims/,
      'Suppliers',
      'Buyer groups',
      'Top-up plans',
      'Referrals',
      'Settings',
      'Setup guide',
      'Account & security',
      'Open store',
    ])

    await page.goto('/admin/user-manager')
    await expect(page.getByRole('heading', { name: 'You don’t have access' })).toBeAttached()
    await expect(page.getByText('Your role (Stock) can’t do this. Ask the store owner.')).toBeVisible()
  })

  test(
    `${width} where the store demands a second factor, the panel leads to it and back`,
    repeatAt(viewport),
    async ({ people, shop }) => {
      const [{ username: first }, { username: second }] = await Promise.all([anAdmin(shop), anAdmin(shop)])
      const owner = await people.visitor({ viewport })
      const { calls } = await enrol(owner, first)
      const { page, context } = await people.visitor({ viewport })
      await enterPanel(context.request, { username: second, password: GIVEN })
      await page.goto('/admin/user-manager?search=isha')
      await expect(page.locator('[data-row]').first()).toBeVisible()
      try {
        await test.step('it is switched on', async () => {
          await owner.page.goto('/admin/admins')
          await owner.page.getByRole('switch', { name: /^Require two-step verification for all admins/ }).click()
          await expect(said(owner.page, 'Two-step verification is now required for all admins')).toBeVisible()
        })
        await test.step('an open panel goes to the set-up at its next call', async () => {
          await page.getByLabel('Search name, email or phone').fill('isha m')
          await expect(page).toHaveURL(/\/admin\/security\?next=/)
          await expect(page.getByText(/^This store requires two-step verification/)).toBeVisible()
          await expect(panelOf(page, 'Password')).toBeHidden()
          await page.goto('/admin/payment-manager?status=all')
          await expect(page).toHaveURL(/\/admin\/security\?next=%2Fadmin%2Fpayment-manager/)
        })
        await test.step('and afterwards to where it was going', async () => {
          const app = panelOf(page, 'Two-step verification')
          await app.getByLabel('Your password').fill(GIVEN)
          await page.keyboard.press('Enter')
          const secret = (await app.locator('code').textContent()) ?? ''
          await app.getByLabel('Code', { exact: true }).fill(await codeOf(secret))
          await page.keyboard.press('Enter')
          await expect(app.getByRole('list', { name: 'Recovery codes' })).toBeVisible()
          await app.getByRole('button', { name: 'I’ve saved them' }).click()
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
        await dialog.getByRole('button', { name: /^Create (new )?link$/ }).click()
        await expect(dialog.getByText(/Valid for 30 more minutes/)).toBeVisible()
        return dialog
      }
      await page.goto(`/admin/user-manager?search=${name}`)
      await (await actionOf(rowOf(page, name), `Edit ${name}`)).click()
      await page.getByRole('button', { name: 'Password', exact: true }).click()
      const dialog = await issue()
      const link = dialog.locator('code')
      const first = (await link.textContent()) ?? ''
      await dialog.getByRole('button', { name: 'Create new link' }).click()
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
        await expect(visitor.getByText(/^Part of the link is missing/)).toBeVisible()
      })
      await test.step('the new password opens the account, and the old sessions are over', async () => {
        await visitor.goto(second)
        await password.fill('short')
        await submit.click()
        await expect(visitor.getByText('Password must have at least 8 characters')).toBeVisible()
        await password.fill(name)
        await submit.click()
        await expect(password).toHaveAttribute('aria-invalid', 'true')
        await password.fill('another long password')
        // A second click must not find the link used up, and say that it does not work
        await submit.dblclick()
        await expect(visitor.getByText('Log in with your new password now.')).toBeVisible()
        expect((await buyer.context.request.get('/api/auth/me')).status()).toBe(401)
        await visitor.getByRole('link', { name: 'Login' }).click()
        expect(visitor.url()).not.toContain('#')
        await visitor.goto(second)
        await password.fill('yet another password')
        await submit.click()
        await expect(visitor.getByText(/^This link was already used or has expired/)).toBeVisible()
      })
    },
  )
}

test('axe finds nothing on the screens and dialogs of this part, in either theme', LONG, async ({ people, shop }) => {
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
    for (const viewport of AXE_SIZES) {
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
  await expect(page.getByRole('list', { name: 'Devices' })).toBeVisible()
  await look('security, off')
  await button('Set up').click()
  await page.getByLabel('Your password').fill(GIVEN)
  await page.keyboard.press('Enter')
  const secret = (await page.locator('code').textContent()) ?? ''
  await look('security, scan')
  await page.getByLabel('Code', { exact: true }).fill(await codeOf(secret))
  await page.keyboard.press('Enter')
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await expect(list).toBeVisible()
  await look('security, codes')
  const totp = (await list.getByRole('listitem').first().textContent()) ?? ''
  await button('I’ve saved them').click()
  await expect(list).toBeHidden()
  await look('security, on')
  await button('Turn off').click()
  await look('turn off', 'dialog[open]')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await calls.sessions.adminLogin({ username, password: GIVEN, totp })
  await page.goto(`/admin/user-manager?search=${buyer.username}`)
  await (await actionOf(rowOf(page, buyer.username), `Password link for ${buyer.username}`)).click()
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await expect(proof).toBeVisible()
  await look('a new proof', 'dialog[open]:last-of-type')
  await proof.getByRole('button', { name: 'Password', exact: true }).click()
  await proof.getByLabel('Your password').fill(GIVEN)
  await page.keyboard.press('Enter')
  await expect(dialog.locator('code')).toBeVisible()
  await look('a reset link', 'dialog[open]')
  await page.goto('/admin/admins')
  await inWholeList(rowOf(page, other))
  await look('admins')
  await button('New admin').click()
  await dialog.getByRole('button', { name: 'Add admin' }).click()
  await look('new admin, with faults', 'dialog[open]')
  await dialog.getByLabel('Username').fill(freshName())
  await button('Generate password').click()
  await dialog.getByRole('button', { name: 'Add admin' }).click()
  await expect(page.getByRole('dialog', { name: /^Share these details/ })).toBeVisible()
  await look('a first login', 'dialog[open]')
  await button('Done').click()
  await (await actionOf(rowOf(page, other), `Remove ${other}`)).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await look('removal', 'dialog[open]')

  await calls.sessions.adminLogin({ username: other, password: GIVEN })
  await page.goto('/admin/user-manager')
  await expect(page.getByText(/^Your role \(Stock\) can’t do this/)).toBeVisible()
  await look('not for this role')
})

test('the last owner can be neither removed nor made something else', async ({ store, browser }) => {
  const context = await browser.newContext({ baseURL: store.url })
  const page = await context.newPage()
  await enterPanel(context.request, store.admin)
  await page.goto('/admin/admins')
  const { username } = store.admin
  const words = 'The store needs at least one owner. Make another admin an owner first.'
  await (await actionOf(rowOf(page, username), `Edit ${username}`)).click()
  const dialog = page.getByRole('dialog', { name: `Edit ${username}` })
  await dialog.getByLabel('Role').selectOption({ label: 'Support' })
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(dialog.getByText(words)).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await (await actionOf(rowOf(page, username), `Remove ${username}`)).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('alertdialog').getByText(words)).toBeVisible()
  await context.close()
})

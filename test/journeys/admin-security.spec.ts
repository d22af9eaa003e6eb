/** The panel's protection: the own account, two-step verification, a new proof, and no text that becomes script. */
import {
  DESK,
  expect,
  failing,
  inWholeList,
  openSetting,
  PHONE,
  rowOf,
  said,
  savedBy,
  SORRY,
  test,
  repeatAt,
  actionOf,
  listBar,
} from './admin-counter.ts'
import { anAdmin, codeOf, enrol, enrolAndReturn, GIVEN, logIn, logOut, OWN, panelOf } from './admin-door.ts'
import { callsOf, enterPanel, freshName } from './people.ts'

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
      const app = panelOf(page, 'Two-step verification')
      let secret = ''
      let codes: string[] = []

      await test.step('no code is asked of who has no app, and the panel urges', async () => {
        await page.goto('/admin-login')
        await logIn(page, username, GIVEN)
        await expect(page).toHaveURL(/\/admin$/)
        await expect(urge.getByText('You’re using a temporary password. Set your own password.')).toBeVisible()
        await urge.getByRole('link', { name: 'Change password' }).click()
        await expect(page).toHaveURL(/\/admin\/security$/)
      })

      await test.step('the password that was given is changed', async () => {
        const form = page.getByRole('form', { name: 'Change password' })
        const submit = form.getByRole('button', { name: 'Change password' })
        await form.getByLabel('Current password').fill('not this one')
        await form.getByLabel('New password').fill('too short')
        await submit.click()
        await expect(form.getByText('Password must have at least 12 characters')).toBeVisible()
        await form.getByLabel('New password').fill(OWN)
        await submit.click()
        await expect(form.getByText('Incorrect password.')).toBeVisible()
        await expect(form.getByLabel('Current password')).toBeFocused()
        await form.getByLabel('Current password').fill(GIVEN)
        await submit.click()
        await expect(form.getByText('Password changed')).toBeVisible()
        await page.goto('/admin/audit')
        await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toBeVisible()
        await expect(urge, 'on the dashboard alone').toHaveCount(0)
        await page.goto('/admin')
        await expect(urge.getByText(/^Anyone with your password can open this panel/)).toBeVisible()
        await urge.getByRole('link', { name: 'Set up now' }).click()
      })

      await test.step('the app is set up by keyboard alone', async () => {
        await expect(app.getByText('Off', { exact: true })).toBeVisible()
        await app.getByRole('button', { name: 'Set up' }).focus()
        await page.keyboard.press('Enter')
        await expect(app.getByLabel('Your password')).toBeFocused()
        await page.keyboard.type('not this one')
        await page.keyboard.press('Enter')
        await expect(app.getByText('Your current password is incorrect.')).toBeVisible()
        await app.getByLabel('Your password').fill(OWN)
        await page.keyboard.press('Enter')
        await expect(app.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
        secret = (await app.locator('code').textContent()) ?? ''
        await expect(app.getByLabel('Code', { exact: true })).toBeFocused()
        await page.keyboard.type('000000')
        await page.keyboard.press('Enter')
        await expect(app.getByText('That code is wrong or already used. Enter a new one.')).toBeVisible()
        await app.getByLabel('Code', { exact: true }).fill(await codeOf(secret))
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
        await expect(page.getByText(`Recovery codes for ${username}, Chaabi`)).toBeVisible()
        await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
        await page.emulateMedia({ media: 'screen' })
        await page.context().grantPermissions(['clipboard-write'])
        await app.getByRole('button', { name: 'Copy all' }).click()
        await expect(app.locator('output', { hasText: 'Copied' })).toHaveCount(1)
        const question = page.getByRole('alertdialog', { name: 'Leave without saving the codes?' })
        await page.goBack()
        await question.getByRole('button', { name: 'Go back' }).click()
        await expect(page.locator('dialog')).toHaveCount(1)
        // The second and third in a row are those that a page cannot prevent
        await page.keyboard.press('Escape')
        await expect(question).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(page.locator('dialog')).toHaveCount(1)
        await expect(list.first()).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(list.first()).toBeVisible()
        await question.getByRole('button', { name: 'Go back' }).click()
        await expect(list).toHaveCount(10)
        await app.getByRole('button', { name: 'I’ve saved them' }).click()
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
        await expect(
          page.getByRole('alert').getByText('That code is wrong or already used. Enter a new one.'),
        ).toBeVisible()
        await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
        await expect(page.getByLabel('Recovery code')).toBeFocused()
        await page.keyboard.type(`${codes[0]?.toLowerCase()} `)
        await page.keyboard.press('Enter')
        await expect(page).toHaveURL(/\/admin(\/security)?$/)
      })

      await test.step('new recovery codes need a new proof, and replace the old ones', async () => {
        await page.goto('/admin/security')
        const renew = app.getByRole('button', { name: 'New recovery codes' })
        const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
        await renew.click()
        await page.getByRole('button', { name: 'Create new codes' }).click()
        await expect(proof).toBeVisible()
        // It takes a recovery code, too, for which a phone must show its letters
        await expect(proof.getByLabel('Code', { exact: true })).not.toHaveAttribute('inputmode', 'numeric')
        await proof.getByRole('button', { name: 'Cancel' }).click()
        await expect(said(page, 'Nothing changed. You didn’t confirm.')).toBeVisible()
        await expect(renew).toBeFocused()
        await renew.click()
        await page.getByRole('button', { name: 'Create new codes' }).click()
        await proof.getByRole('button', { name: 'Password', exact: true }).click()
        await proof.getByLabel('Your password').fill('not this one')
        await page.keyboard.press('Enter')
        await expect(proof.getByText('Incorrect password.')).toBeVisible()
        await proof.getByLabel('Your password').fill(OWN)
        await page.keyboard.press('Enter')
        await expect(proof).toBeHidden()
        const list = app.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
        await expect(list).toHaveCount(10)
        const renewed = await list.allTextContents()
        expect(renewed).not.toContain(codes[1])
        codes = renewed
        await app.getByRole('button', { name: 'I’ve saved them' }).click()
        await expect(renew).toBeFocused()
      })

      await test.step('a session elsewhere is seen and ended', async () => {
        const elsewhere = await people.visitor({
          userAgent: 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0',
        })
        const [totp = ''] = codes
        await callsOf(elsewhere.context.request).sessions.adminLogin({ username, password: OWN, totp })
        await page.reload()
        const list = page.getByRole('list', { name: 'Devices' })
        await expect(list.getByText('Firefox on Windows')).toBeVisible()
        await expect(list.getByRole('listitem').filter({ hasText: 'This device' })).toHaveCount(1)
        await list.getByRole('button', { name: /^Logout: Firefox on Windows/ }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Logout' }).click()
        await expect(said(page, 'Device logged out')).toBeVisible()
        await expect(list.getByText('Firefox on Windows')).toBeHidden()
        await expect(list).toBeFocused()
        expect((await elsewhere.context.request.get('/api/admin/check')).status()).toBe(401)
      })

      await test.step('the second factor is turned off with password and code', async () => {
        await app.getByRole('button', { name: 'Turn off' }).click()
        const dialog = page.getByRole('dialog', { name: 'Turn off two-step verification' })
        await dialog.getByRole('button', { name: 'Turn off' }).click()
        await expect(dialog.getByText('Enter your password')).toBeVisible()
        await dialog.getByLabel('Your password').fill(OWN)
        await dialog.getByLabel('Code').fill('000000')
        await dialog.getByRole('button', { name: 'Turn off' }).click()
        await expect(dialog.getByText('That code is wrong or already used. Enter a new one.')).toBeVisible()
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
      const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
      const upiId = `${freshName()}@okaxis`
      const before = await shop.owner.settings.upi({})

      await test.step('a part that cannot be fetched leaves the rest, and can be had later', async () => {
        const lost = /assets\/(upi-preview|step-up-dialog)[^/]*\.js$/
        await page.route(lost, (route) => route.abort())
        await page.goto('/admin/dashboard')
        await openSetting(page, 'UPI ID')
        await page.getByLabel('UPI ID', { exact: true }).fill(upiId)
        const line = page.getByRole('alert').filter({ hasText: 'Part of this page didn’t load.' })
        // A browser may keep the failure permanently
        await line.getByRole('button', { name: 'Try again' }).click()
        await line.getByRole('button', { name: 'Reload page' }).click()
        await expect(page.getByLabel('UPI ID', { exact: true })).toHaveCount(0)
        await openSetting(page, 'UPI ID')
        await page.getByLabel('UPI ID', { exact: true }).fill(upiId)
        await expect(line).toBeVisible()
        await page.getByRole('button', { name: 'Save UPI ID' }).click()
        await proof.getByRole('button', { name: 'Cancel' }).click()
        await page.unroute(lost)
        await line.getByRole('button', { name: 'Try again' }).click()
        await expect(page.getByRole('img', { name: `QR code to pay ${upiId}` })).toBeVisible()
        await expect(page.getByLabel('UPI ID', { exact: true })).toHaveValue(upiId)
      })

      await test.step('cancelled: nothing is saved and nothing lost', async () => {
        const field = page.getByLabel('UPI ID', { exact: true })
        const save = page.getByRole('button', { name: 'Save UPI ID' })
        await save.click()
        await expect(proof).toBeVisible()
        await expect(proof.getByLabel('Code', { exact: true })).toBeFocused()
        await page.keyboard.press('Escape')
        await expect(proof).toBeHidden()
        await expect(field).toHaveValue(upiId)
        await expect(save).toBeFocused()
        await expect(page.getByText('Nothing changed. You didn’t confirm.', { exact: false })).toBeVisible()
        expect((await shop.owner.settings.upi({})).upiId).toBe(before.upiId)
      })

      await test.step('confirmed in a dialog over a dialog: the same call goes through', async () => {
        await page.goto(`/admin/user-manager?search=${buyer.username}`)
        await (await actionOf(rowOf(page, buyer.username), `Edit ${buyer.username}`)).click()
        const dialog = page.getByRole('dialog', { name: `Edit ${buyer.username}` })
        await dialog.getByLabel('Amount (₹)').fill('20000')
        await dialog.getByLabel('Reason').fill('A large order by phone')
        await dialog.getByRole('button', { name: 'Save changes' }).click()
        await proof.getByLabel('Code', { exact: true }).fill('000000')
        await page.keyboard.press('Enter')
        await expect(proof.getByText('That code is wrong or already used. Enter a new one.')).toBeVisible()
        await expect(proof.getByLabel('Code', { exact: true })).toBeFocused()
        await proof.getByRole('button', { name: 'Cancel' }).click()
        // Or the code is typed into the dialog that is just closing
        await expect(proof).toBeHidden()
        await expect(dialog.getByLabel('Amount (₹)')).toHaveValue('20000')
        await expect(dialog.getByLabel('Reason')).toHaveValue('A large order by phone')
        await dialog.getByRole('button', { name: 'Save changes' }).click()
        await proof.getByLabel('Code', { exact: true }).fill(await codeOf(secret, 1))
        await page.keyboard.press('Enter')
        await expect(said(page, `${buyer.username} saved. Balance ₹20,050`)).toBeVisible()
        const found = await shop.owner.users.list({ search: buyer.username })
        expect(found.users[0]?.balance, 'once').toBe(20_050)
      })

      await test.step('for ten minutes it is not asked again', async () => {
        await page.goto('/admin/dashboard')
        await openSetting(page, 'UPI ID')
        await page.getByLabel('UPI ID', { exact: true }).fill(upiId)
        await page.getByRole('button', { name: 'Save UPI ID' }).click()
        await expect(said(page, `UPI ID saved. Buyers now pay to ${upiId}.`)).toBeVisible()
        await shop.owner.settings.saveUpi({ upiId: before.upiId })
      })
    },
  )

  test(
    `${width} keys are shown by how they end until it is sure who asks`,
    repeatAt(viewport),
    async ({ people, shop }) => {
      const { username } = await anAdmin(shop, 'stock')
      const { _id: productId } = await shop.owner.catalogue.create({
        name: freshName(),
        prices: [{ duration: '10 Days', price: 20 }],
      })
      const keys = [`COVER-${viewport.width}-ABCD`, `COVER-${viewport.width}-EFGH`]
      await shop.owner.keys.add({ productId, duration: '10 Days', keys })
      const person = await people.visitor({ viewport })
      const { secret } = await enrolAndReturn(person, username)
      const { page } = person
      const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
      const editor = page.getByRole('dialog', { name: 'Edit key' })

      await page.goto(`/admin/key-manager?product=${productId}&duration=10%20Days`)
      await expect(page.getByText('…EFGH', { exact: true })).toBeVisible()
      await expect(page.getByText(keys[1] ?? '')).toHaveCount(0)
      await page.getByRole('button', { name: 'Edit key …EFGH' }).click()
      await proof.getByRole('button', { name: 'Cancel' }).click()
      await expect(proof).toBeHidden()
      await expect(editor).toBeHidden()

      const letThrough = await failing(page, 'GET', '/keys')
      await (await actionOf(listBar(page), 'Show full keys')).click()
      await expect(said(page, SORRY)).toBeVisible()
      await letThrough()

      await page.getByRole('button', { name: 'Edit key …EFGH' }).click()
      await proof.getByLabel('Code', { exact: true }).fill(await codeOf(secret, 1))
      await page.keyboard.press('Enter')
      await expect(editor.getByLabel('Key', { exact: true })).toHaveValue(keys[1] ?? '')
      await page.keyboard.press('Escape')
      for (const key of keys) await expect(page.getByText(key, { exact: true })).toBeVisible()
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
        await expect(dialog.getByText('Password must have at least 12 characters')).toBeVisible()
        await dialog.getByLabel('Username').fill(shop.admin.username)
        await dialog.getByLabel('Role').selectOption({ label: 'Payments' })
        await expect(dialog.getByText('Approves or rejects top-ups. Edits wallets and custom prices.')).toBeVisible()
        await dialog.getByRole('button', { name: 'Generate password' }).click()
        await dialog.getByRole('button', { name: 'Add admin' }).click()
        await expect(dialog.getByText('An admin with this username already exists.')).toBeVisible()
        await dialog.getByLabel('Username').fill(name)
        await dialog.getByRole('button', { name: 'Add admin' }).click()
        const told = page.getByRole('dialog', { name: `Share these details with ${name}` })
        const password = (await told.locator('code').last().textContent()) ?? ''
        expect(password).toMatch(/^(?:[a-z2-9]{4}-){4}[a-z2-9]{4}$/)
        const { context } = await people.visitor()
        await enterPanel(context.request, { username: name, password })
        await told.getByRole('button', { name: 'Done' }).click()
        await expect((await inWholeList(row)).getByText('Payments')).toBeVisible()
        await expect(row.getByText('Password only')).toBeVisible()
        expect((await context.request.get('/api/admin/check')).status()).toBe(200)

        await (await actionOf(row, `Log ${name} out of all devices`)).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Logout' }).click()
        await expect(said(page, `${name} logged out of all devices`)).toBeVisible()
        expect((await context.request.get('/api/admin/check')).status()).toBe(401)
      })

      await test.step('the role is changed, and a lost phone is forgotten', async () => {
        await (await actionOf(rowOf(page, name), `Edit ${name}`)).click()
        const dialog = page.getByRole('dialog', { name: `Edit ${name}` })
        await dialog.getByLabel('Role').selectOption({ label: 'Support' })
        await dialog.getByLabel('New password').fill(GIVEN)
        await dialog.getByRole('button', { name: 'Save changes' }).click()
        await page
          .getByRole('dialog', { name: `Share these details with ${name}` })
          .getByRole('button', { name: 'Done' })
          .click()
        await expect(row.getByText('Support')).toBeVisible()
        await enrol(await people.visitor(), name)
        await page.reload()
        await inWholeList(row)
        await expect(row.getByText('On')).toBeVisible()
        await (await actionOf(row, `Remove ${name}’s authenticator app`)).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Remove app' }).click()
        await expect(row.getByText('Password only')).toBeVisible()
      })

      await test.step('who is removed cannot log in, until they are let back in', async () => {
        const { context } = await people.visitor()
        const tryLogin = () => context.request.post('/api/admin/login', { data: { username: name, password: GIVEN } })
        await (await actionOf(row, `Remove ${name}`)).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
        await expect(row.getByText('Removed')).toBeVisible()
        expect((await tryLogin()).status()).toBe(401)
        await page.getByRole('button', { name: `Restore access for ${name}` }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Restore access' }).click()
        await expect(row.getByText('Password only')).toBeVisible()
        expect((await tryLogin()).status()).toBe(200)
      })
    },
  )
}

test('on a low screen the narrowed sidebar keeps Logout in view, and scrolls down to the last page', async ({
  owner,
}) => {
  const page = await owner({ viewport: { width: 1280, height: 400 } })
  await page.goto('/admin/dashboard')
  await page.getByRole('button', { name: 'Collapse sidebar' }).click()
  const menu = page.getByRole('navigation', { name: 'Admin' })
  const last = menu.getByRole('group').last().getByRole('link').last()
  await expect(menu.getByRole('button', { name: 'Logout' })).toBeInViewport({ ratio: 1 })
  await expect(last).not.toBeInViewport()
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport({ ratio: 1 })
  await expect(menu.getByRole('button', { name: 'Logout' })).toBeInViewport({ ratio: 1 })
  await page.goto('/admin/security')
  await expect(last, 'the page that is open').toBeInViewport({ ratio: 1 })
})

test('the panel’s pages make no text into markup or script (Trusted Types)', async ({ people, shop, browser }) => {
  const { page: visitor } = await people.visitor()
  for (const path of ['/admin-login', '/admin/dashboard', '/ADMIN/']) {
    const policy = (await visitor.request.get(path)).headers()['content-security-policy'] ?? ''
    expect(policy, path).toContain("require-trusted-types-for 'script'; trusted-types service-worker")
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

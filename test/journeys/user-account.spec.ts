/** A buyer's own account: sessions, a new password while the page polls, the data to take along, and the way out. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { freshUtr, said, savedBy } from './admin-counter.ts'
import { openRow } from './account-rows.ts'
import { DESK, expect, PASSWORD, PHONE, stopTransitions, test, repeatAt } from './people.ts'

const NEW = 'a new long password'

async function checkBothThemes(page: Page, within: string): Promise<void> {
  await page.evaluate(stopTransitions)
  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme)
    const { violations } = await new AxeBuilder({ page }).include(within).analyze()
    expect.soft(violations.map(({ id, nodes }) => [theme, id, nodes.map((node) => node.html)])).toEqual([])
  }
}

test.use({ reducedMotion: 'reduce' })

test('each row of the account opens by a press or a link, keeps what is typed, and Back closes it', async ({
  people,
}) => {
  const { page } = await people.buyer({ viewport: PHONE })
  await page.goto('/')
  await page.goto('/account')
  const rows = page.getByRole('main').locator('details[id]')
  const opened = page.getByRole('main').locator('details[id][open]')
  await expect(rows).toHaveCount(3)
  const isLayer = () => page.evaluate(() => (history.state as { isLayer?: true } | null)?.isLayer)
  for (let at = 0; at < 3; at++) {
    await rows.nth(at).locator('summary').click()
    await expect(opened).toHaveCount(1)
    // Pressed before the scripts came, a row is open at once, and Back knows of it a little later
    await expect.poll(isLayer).toBe(true)
    await page.goBack()
    await expect(opened).toHaveCount(0)
    await expect(page).toHaveURL(/\/account$/)
  }
  const current = (await openRow(page, 'Password and devices')).getByLabel('Current password')
  await current.fill('half typed')
  await openRow(page, 'Profile')
  for (const left of [1, 0]) {
    await page.goBack()
    await expect(opened).toHaveCount(left)
  }
  await openRow(page, 'Password and devices')
  await expect(current).toHaveValue('half typed')
  // Closed by hand, a row leaves nothing for Back to close
  await rows.nth(1).locator('summary').click()
  await expect.poll(isLayer).toBeUndefined()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Account' })).toHaveCount(0)
  for (const id of ['profile', 'password', 'notifications']) {
    await page.goto(`/account#${id}`)
    await expect(page.locator(`#${id}`)).toHaveAttribute('open', '')
    await page.getByRole('main').getByRole('link', { name: 'हिन्दी' }).waitFor()
  }
})

for (const viewport of [PHONE, DESK]) {
  const width = `at ${viewport.width} px`

  test(
    `${width} a buyer sees the own session, and changes the password while the page polls`,
    repeatAt(viewport),
    async ({ people, shop, playwright }) => {
      const { page, context, username } = await people.buyer({ viewport, reducedMotion: 'reduce' })
      await page.goto('/account')
      await openRow(page, 'Profile')
      await openRow(page, 'Notifications')
      await openRow(page, 'Password and devices')
      const session = page.getByRole('list', { name: 'Devices' }).getByRole('listitem')
      await expect(session).toHaveCount(1)
      await expect(session.getByText('This device')).toBeVisible()
      await expect(session.getByText(/^Chrome on /)).toBeVisible()
      await checkBothThemes(page, 'main')

      // The moment between the server's commit and the arrival of its answer, made long: the page asks with the old
      // cookie.
      await page.route('**/api/auth/change-password', async (route) => {
        const request = await playwright.request.newContext({
          baseURL: shop.url,
          storageState: await context.storageState(),
        })
        const refused = page.waitForResponse((answer) => answer.url().endsWith('/auth/me') && answer.status() === 401)
        const answer = await request.post('/api/auth/change-password', {
          data: route.request().postDataJSON() as object,
        })
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
        if (answer.ok()) await refused
        await context.addCookies((await request.storageState()).cookies)
        await route.fulfill({ status: answer.status(), json: (await answer.json()) as object })
        await request.dispose()
      })
      const form = page.getByRole('form', { name: 'Change password' })
      await form.getByLabel('Current password').fill(PASSWORD)
      await form.getByLabel('New password').fill(NEW)
      await page.keyboard.press('Enter')
      await expect(form.getByText('Password changed')).toBeVisible()
      await page.getByRole('link', { name: 'Terms and policy' }).click()
      await expect(page).toHaveURL(/terms-policy/)
      await page.goto('/account')
      await openRow(page, 'Password and devices')
      await openRow(page, 'Profile')
      await expect(page.locator('main').getByText(username, { exact: true })).toBeVisible()
      await expect(page.getByRole('alertdialog')).toBeHidden()
      await expect(session).toHaveCount(1)
    },
  )

  test(
    `${width} a buyer takes the data along, deletes the account, and keeps it after all`,
    repeatAt(viewport),
    async ({ people, shop }) => {
      const { page, id, username, calls } = await people.buyer({ viewport, reducedMotion: 'reduce' })
      await page.goto('/account')
      const opener = page.getByRole('button', { name: 'Delete my account' }).first()
      const dialog = page.getByRole('dialog', { name: 'Delete my account' })
      const submit = dialog.getByRole('button', { name: 'Delete my account' })

      await test.step('the data is a file', async () => {
        const { name, text } = await savedBy(page, page.getByRole('button', { name: 'Download my data' }))
        expect(name).toBe('my-data.json')
        expect(JSON.parse(text)).toMatchObject({ account: { username }, consents: [{ givenFor: 'sign-up' }] })
        expect(text).not.toContain('argon2')
      })

      await test.step('money in the wallet, or a request that waits, stands in the way', async () => {
        await opener.click()
        await expect(dialog.getByText(/^You have ₹50 in your wallet/)).toBeVisible()
        await expect(submit).toBeHidden()
        await dialog.getByRole('button', { name: 'Close' }).last().click()
        await expect(opener).toBeFocused()
        await shop.owner.users.update({ id, balance: -50, expiresInDays: null })
        await calls.payments.addMoney({ amount: 61, utr: freshUtr(), payerName: '9812345671' })
        await page.reload()
        await opener.click()
        await dialog.getByLabel('Your password').fill(PASSWORD)
        let answer: () => void = () => undefined
        const held = new Promise<void>((resolve) => {
          answer = resolve
        })
        await page.route('**/api/auth/close-account', (route) => held.then(() => route.continue()))
        await submit.click()
        await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
        answer()
        await expect(dialog.getByText(/^You have a pending top-up request/)).toBeVisible()
        await checkBothThemes(page, 'dialog[open]')
        await page.keyboard.press('Escape')
        await expect(opener).toBeFocused()
        const { payments } = await shop.owner.payments.list({ search: username })
        for (const payment of payments)
          if (payment.status === 'pending') await shop.owner.payments.reject({ id: payment._id })
      })

      await test.step('with the password the account is marked, and everybody logged out', async () => {
        await opener.focus()
        await page.keyboard.press('Enter')
        await expect(dialog.getByLabel('Your password')).toBeFocused()
        await page.keyboard.type('not this one')
        await page.keyboard.press('Enter')
        await expect(dialog.getByText('Incorrect password.')).toBeVisible()
        await dialog.getByLabel('Your password').fill(PASSWORD)
        await page.keyboard.press('Enter')
        const told = page.getByRole('alertdialog', { name: /^Your account will be deleted on / })
        await expect(told).toBeVisible()
        await told.getByRole('button', { name: 'OK' }).click()
        await expect(page).toHaveURL(/\/login/)
        expect((await page.request.get('/api/auth/me')).status()).toBe(401)
      })

      await test.step('within seven days it is kept', async () => {
        await page.getByLabel('Username').fill(username)
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await page.getByRole('button', { name: 'Login' }).click()
        await expect(page.getByText('This account is set to be deleted')).toBeVisible()
        await checkBothThemes(page, 'main')
        await page.getByRole('button', { name: 'Cancel deletion and log in' }).click()
        await expect(said(page, 'Account deletion cancelled')).toBeVisible()
        await expect(page).toHaveURL(`${shop.url}/`)
        await page.goto('/account')
        await expect(page.getByRole('heading', { name: 'Your data' })).toBeVisible()
      })
    },
  )
}

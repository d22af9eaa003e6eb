/** An admin without two-step verification confirms by the password, in the panel that they logged in to. */
import { DESK, expect, openSetting, PHONE } from './admin-counter.ts'
import { logIn } from './admin-door.ts'
import { person, test } from './store.ts'

for (const viewport of [PHONE, DESK])
  test(`another UPI ID asks for the password at ${viewport.width} px`, async ({ browser, store }) => {
    const { page, context } = await person(browser, store, { viewport })
    await page.goto('/admin-login')
    await logIn(page, store.admin.username, store.admin.password)
    // A new store begins with the first step
    await page.getByRole('button', { name: 'Leave the guide' }).click()
    await openSetting(page, 'UPI ID')
    const upiId = page.getByLabel('UPI ID', { exact: true })
    const save = page.getByRole('button', { name: 'Save UPI ID' })
    const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
    const password = proof.getByLabel('Your password')
    await upiId.fill('shop@okaxis')

    await test.step('Escape changes nothing and keeps what was typed', async () => {
      await save.click()
      await expect(password).toBeFocused()
      await expect(proof.getByRole('button', { name: 'Code' })).toHaveCount(0)
      await page.keyboard.press('Escape')
      await expect(proof).toBeHidden()
      await expect(page.getByText('Nothing changed. You didn’t confirm.').first()).toBeVisible()
      await expect(upiId).toHaveValue('shop@okaxis')
    })

    await test.step('a wrong password is said at its field, and the right one saves', async () => {
      await save.click()
      await expect(password).toHaveAttribute('autocomplete', 'current-password')
      await expect(proof.locator('input[autocomplete=username]')).toHaveValue(store.admin.username)
      await password.fill('a wrong password')
      await page.keyboard.press('Enter')
      await expect(proof.getByText('Incorrect password.')).toBeVisible()
      await expect(password).toBeFocused()
      await password.fill(store.admin.password)
      await page.keyboard.press('Enter')
      await expect(proof).toBeHidden()
      await expect
        .poll(async () => (await (await page.request.get('/api/settings/upi')).json()).upiId)
        .toBe('shop@okaxis')
    })

    await test.step('and so are other calls for ten minutes', async () => {
      await page.goto('/admin/admins')
      await page.getByRole('button', { name: 'New admin' }).click()
      const dialog = page.getByRole('dialog', { name: 'New admin' })
      await dialog.getByLabel('Username').fill('second')
      await dialog.getByRole('button', { name: 'Generate password' }).click()
      await dialog.getByRole('button', { name: 'Add admin' }).click()
      await expect(page.getByRole('dialog', { name: /^Share these details/ })).toBeVisible()
    })
    await context.close()
  })

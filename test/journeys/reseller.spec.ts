/** A reseller makes a token in the browser, and a program buys with it by plain HTTP. The owner lets it and sees it. */
import { AxeBuilder } from '@axe-core/playwright'
import { openRow } from './account-rows.ts'
import { actionOf, rowOf, said, test } from './admin-counter.ts'
import { DESK, expect, liftFinger, LOOKS_AT_ALL, PASSWORD, PHONE, stopTransitions } from './people.ts'

for (const viewport of LOOKS_AT_ALL ? [PHONE, DESK] : [PHONE])
  test(`a reseller at ${viewport.width} px: let in, a token, a purchase by a program, and its end`, async ({
    owner,
    people,
    shop,
    playwright,
  }) => {
    const [desk, buyer] = await Promise.all([owner({ viewport }), people.buyer({ viewport, balance: 600 })])
    const { page, username } = buyer
    const product = (await shop.owner.catalogue.list({})).find(({ name }) => name === 'Orbit Arena Pro')
    const [{ duration, price = 0 } = { duration: '' }] = (product?.prices ?? []).filter(({ available }) => available)

    await test.step('the owner makes the buyer a reseller', async () => {
      await page.goto('/account')
      await expect(page.getByText('Notifications', { exact: true })).toBeVisible()
      await expect(page.getByText('For your own website or program')).toHaveCount(0)
      await desk.goto(`/admin/user-manager?search=${username}`)
      await (await actionOf(rowOf(desk, username), `Edit ${username}`)).click()
      const dialog = desk.getByRole('dialog', { name: `Edit ${username}` })
      await dialog.getByRole('button', { name: 'Prices' }).click()
      await dialog.getByRole('switch', { name: 'Reseller' }).click()
      await expect(said(desk, `${username} may buy with programs`)).toBeVisible()
      await expect(dialog.getByText('No tokens · Never used')).toBeVisible()
    })

    let token = ''
    await test.step('the reseller makes a token, which is shown once', async () => {
      await page.reload()
      const row = await openRow(page, 'API')
      await expect(row.getByText('No tokens yet')).toBeVisible()
      await row.getByRole('button', { name: 'New token' }).click()
      const form = page.getByRole('dialog', { name: 'New token' })
      await expect(form.getByLabel('Your password')).toBeFocused()
      await form.getByLabel('Name').fill('')
      await liftFinger(page)
      await form.getByRole('button', { name: 'Make token' }).click()
      await expect(form.getByText('Name is required')).toBeVisible()
      await form.getByLabel('Name').fill('Website')
      await form.getByLabel('Only from these addresses').fill('localhost')
      await form.getByLabel('Your password').fill('not the password')
      await liftFinger(page)
      await form.getByRole('button', { name: 'Make token' }).click()
      await expect(form.getByText(/^Enter IP addresses like/)).toBeVisible()
      await form.getByLabel('Only from these addresses').fill('127.0.0.1\n::1')
      await liftFinger(page)
      await form.getByRole('button', { name: 'Make token' }).click()
      await expect(form.getByText('Your current password is incorrect.')).toBeVisible()
      await form.getByLabel('Your password').fill(PASSWORD)
      await liftFinger(page)
      await form.getByRole('button', { name: 'Make token' }).click()
      const made = page.getByRole('dialog', { name: 'Your new token' })
      token = await made.getByText(/^chaabi_[\w-]{43}$/).innerText()
      await page.evaluate(stopTransitions)
      expect((await new AxeBuilder({ page }).include('dialog[open]').analyze()).violations).toEqual([])
      await made.getByRole('button', { name: 'Done' }).click()
      await expect(row.getByText('Website', { exact: true })).toBeVisible()
      await expect(row.getByText(/Never used · Ends .+ · 127\.0\.0\.1, ::1/)).toBeVisible()
      await page.reload()
      await openRow(page, 'API')
      expect(await page.content()).not.toContain(token)
    })

    const program = await playwright.request.newContext({
      baseURL: shop.url,
      extraHTTPHeaders: { authorization: `Bearer ${token}` },
    })
    const order = { productId: product?._id, duration, quantity: 1, expectedPrice: price }
    const buy = (number: string) =>
      program.post('/api/keys/buy', { headers: { 'idempotency-key': number }, data: order })

    await test.step('a program buys once, however often it asks', async () => {
      const [first, again] = [await buy('order-1'), await buy('order-1')]
      expect(first.status()).toBe(200)
      expect(await again.json()).toEqual(await first.json())
      const own = await program.get('/api/tokens/own')
      expect(await own.json()).toMatchObject({ username, balance: 600 - price, canBuy: true })
    })

    await test.step('the owner sees the purchase of a program, and when a token was used', async () => {
      await desk.goto(`/admin/user-manager?search=${username}`)
      await (await actionOf(rowOf(desk, username), `Edit ${username}`)).click()
      const dialog = desk.getByRole('dialog', { name: `Edit ${username}` })
      await dialog.getByRole('button', { name: 'Prices' }).click()
      await expect(dialog.getByText('1 token · Used just now')).toBeVisible()
      await desk.goto(`/admin/purchases?search=${username}`)
      await expect(desk.getByTitle('Bought by a program')).toBeVisible()
    })

    await test.step('the reseller ends the token, and nothing is bought with it', async () => {
      await page.reload()
      const row = await openRow(page, 'API')
      await expect(row.getByText(/Used just\snow/)).toBeVisible()
      await row.getByRole('button', { name: 'End the token “Website”' }).click()
      await page.waitForTimeout(1_100)
      await page.getByRole('alertdialog').getByRole('button', { name: 'End token' }).click()
      await expect(row.getByText('No tokens yet')).toBeVisible()
      const late = await buy('order-2')
      expect([late.status(), ((await late.json()) as { code: string }).code]).toEqual([401, 'TOKEN_INVALID'])
      await program.dispose()
    })
  })

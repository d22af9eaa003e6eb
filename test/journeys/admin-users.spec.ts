/** What the owner does for and against single users, and what these see of it. */
import { DESK, expect, failing, PHONE, rowOf, said, SORRY, test } from './admin-counter.ts'

for (const viewport of [PHONE, DESK]) {
  test(`a user at ${viewport.width} px: wallet, own price, hidden product, device, deletion`, async ({
    owner,
    people,
    shop,
  }) => {
    const [page, buyer] = await Promise.all([owner({ viewport }), people.buyer({ balance: 300 })])
    const name = buyer.username
    const row = rowOf(page, name)
    const dialog = page.getByRole('dialog', { name: `Edit ${name}` })
    const open = () => page.getByRole('button', { name: `Edit ${name}` }).click()
    const save = dialog.getByRole('button', { name: 'Save changes' })
    const movements = () => buyer.calls.wallet.history({})
    await Promise.all([page.goto(`/admin/user-manager`), buyer.page.goto('/')])

    await test.step('is found by a part of the name', async () => {
      await page.getByLabel('Search name or email').fill(name.slice(2))
      await expect(page).toHaveURL(/search=/)
      await expect(page.locator('[data-row]')).toHaveCount(1)
      await expect(row.getByText('₹300')).toBeVisible()
    })

    await test.step('money is added for a term and with a reason, after a preview', async () => {
      await open()
      await dialog.getByLabel('Amount (₹)').fill('1e3')
      await expect(dialog.getByText('Enter an amount in rupees, such as 250 or 99.50')).toBeVisible()
      await dialog.getByLabel('Amount (₹)').fill('100.50')
      await expect(dialog.getByLabel('Expires after')).toHaveValue('60')
      await dialog.getByLabel('Expires after').selectOption({ label: '30 days' })
      await dialog.getByLabel('Reason').fill('For the long wait')
      await expect(dialog.getByText('₹400.50')).toBeVisible()
      await expect(dialog.getByText(/^What is left of the ₹100\.50 on .* expires then\.$/)).toBeVisible()
      const letThrough = await failing(page, 'PUT', /custom-prices$/)
      await save.click()
      await expect(dialog.getByText(`Failed to update user. ${SORRY}`)).toBeVisible()
      await letThrough()
      await save.click()
      await expect(said(page, `${name} saved. Balance ₹400.50`)).toBeVisible()
      await expect(said(buyer.page, 'Balance increased by ₹100.50')).toBeVisible()
      expect((await movements())[0]).toMatchObject({ delta: 100.5, description: expect.stringContaining('long wait') })
    })

    await test.step('no more than is there can be deducted, and a deduction comes back after its term', async () => {
      await open()
      await dialog.getByRole('button', { name: 'Deduct money' }).click()
      await dialog.getByLabel('Amount (₹)').fill('400.51')
      await expect(dialog.getByText(/^Only ₹400\.50 can be deducted/)).toBeVisible()
      await dialog.getByLabel('Amount (₹)').fill('0.50')
      await dialog.getByLabel('Lapses after').selectOption({ label: 'Other…' })
      await dialog.getByLabel('Days').fill('3')
      await expect(dialog.getByText(/the deduction lapses and the ₹0\.50 return to the wallet/)).toBeVisible()
      await dialog.getByLabel('Lapses after').selectOption({ label: 'Never (permanent)' })
      await expect(dialog.getByText(/^The deduction is permanent/)).toBeVisible()
      await save.click()
      await expect(row.getByText('₹400', { exact: true })).toBeVisible()
      await expect.poll(async () => (await movements())[0]).toMatchObject({ kind: 'admin_debit', delta: -0.5 })
    })

    await test.step('an own price is what this buyer pays', async () => {
      await open()
      await dialog.getByRole('button', { name: 'Prices' }).click()
      const price = dialog.getByLabel('Price of Orbit Arena Pro, 5 Days')
      await price.fill('cheap')
      await save.click()
      await expect(dialog.getByText('Enter a price from ₹0, or nothing for the list price')).toBeVisible()
      await price.fill('55')
      await save.click()
      await expect(row.getByText('1 own price')).toBeVisible()
      const products = await buyer.calls.catalogue.list({})
      const prices = products.find((product) => product.name === 'Orbit Arena Pro')?.prices
      expect(prices?.find(({ duration }) => duration === '5 Days')).toMatchObject({ price: 55 })
    })

    await test.step('a hidden product is not in their shop', async () => {
      await open()
      await dialog.getByRole('button', { name: 'Hidden' }).click()
      await dialog.getByRole('switch', { name: 'Paper Kingdoms' }).click()
      await expect(dialog.getByRole('button', { name: 'Hidden •' })).toBeVisible()
      await save.click()
      await expect(row.getByText('1 hidden')).toBeVisible()
      await buyer.page.reload()
      await expect(buyer.page.getByText('₹55').first()).toBeVisible()
      await expect(buyer.page.getByText('Paper Kingdoms')).toHaveCount(0)
    })

    await test.step('what moved their money', async () => {
      await page.getByRole('button', { name: `Payments of ${name}` }).click()
      const payments = page.getByRole('dialog', { name: `Payments of ${name}` })
      await expect(payments.getByText('Added by admin').first()).toBeVisible()
      await expect(payments.getByText('−₹0.50')).toBeVisible()
      await payments.getByRole('button', { name: 'Close' }).click()
      await expect(payments).toBeHidden()
    })

    await test.step('their device is unlocked, which logs them out', async () => {
      await page.getByRole('button', { name: `Unlock the device of ${name}` }).click()
      const question = page.getByRole('alertdialog', { name: `Unlock the device of ${name}?` })
      await question.getByRole('button', { name: 'Unlock' }).click()
      await expect(said(page, `${name} can log in on any device now`)).toBeVisible()
      await expect(buyer.page).toHaveURL(/\/login/)
      await expect(page.getByRole('button', { name: `Unlock the device of ${name}` })).toBeDisabled()
    })

    await test.step('deleting names them and says what is lost', async () => {
      await page.getByRole('button', { name: `Delete ${name}` }).click()
      const question = page.getByRole('alertdialog', { name: `Delete ${name}?` })
      await expect(question.getByText('₹400 in the wallet can no longer be spent.')).toBeVisible()
      const letThrough = await failing(page, 'DELETE', /^\/api\/admin\/users\//)
      await question.getByRole('button', { name: 'Delete user' }).click()
      await expect(question.getByText(`Failed to delete user. ${SORRY}`)).toBeVisible()
      await letThrough()
      await question.getByRole('button', { name: 'Delete user' }).click()
      await expect(page.getByText(/^Nobody matches/)).toBeVisible()
      expect(await shop.owner.users.list({ search: name })).toMatchObject({ total: 0 })
    })
  })
}

test('the list of users has pages, and says when it could not be loaded', async ({ owner, people, shop }) => {
  const { total } = await shop.owner.users.list({})
  await Promise.all(Array.from({ length: Math.max(0, 11 - total) }, () => people.account()))
  const page = await owner()
  const letThrough = await failing(page, 'GET', '/admin/users')
  await page.goto('/admin/user-manager')
  await expect(page.getByText(SORRY)).toBeVisible()
  await letThrough()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.locator('[data-row]')).toHaveCount(10)
  const first = await page.locator('[data-row]').first().textContent()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/page=1/)
  await expect(page.locator('[data-row]').first()).not.toHaveText(first ?? '')
  await page.goBack()
  await expect(page.locator('[data-row]').first()).toHaveText(first ?? '')
})

/** A tile of the dashboard and the list that it opens count the same. */
import { DESK, expect, PHONE, test } from './admin-counter.ts'

for (const viewport of [PHONE, DESK]) {
  test(`each total at ${viewport.width} px opens a list of as many`, async ({ owner, people, shop }) => {
    // An admin's own addition is a payment of the type of a top-up, and no request of a buyer
    const { id } = await people.account()
    await shop.owner.users.update({ id, balance: 25, expiresInDays: null })
    const page = await owner({ viewport })
    for (const label of ['Total users', 'Total payments', 'Pending payments', 'Approved payments']) {
      await page.goto('/admin')
      const region = page.getByRole('region', { name: label === 'Pending payments' ? 'Today' : 'Totals' })
      const tile = region.getByRole('link', { name: new RegExp(`^${label}`) })
      await expect(tile).toContainText(/\d/)
      const count = /[\d,]+$/.exec((await tile.textContent()) ?? '')?.[0] ?? ''
      await tile.click()
      await expect(page).toHaveURL(/-manager/)
      const heading = page
        .getByRole('main')
        .getByRole('heading', { level: 2, name: /^(?:Users|Payments|Pending top-ups)/ })
      await expect(heading, label).toHaveText(new RegExp(`\\D${count}$`))
    }
  })
}

test('the list behind a total says that it has requests alone, and can be had whole', async ({ owner, shop }) => {
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin')
  await page.getByRole('link', { name: /^Approved payments/ }).click()
  await expect(page).toHaveURL(/source=request/)
  await page.getByRole('button', { name: 'Top-up requests only. Show all payments' }).click()
  await expect(page).not.toHaveURL(/source/)
  const { total } = await shop.owner.payments.list({ status: 'approved' })
  await expect(page.getByText(total.toLocaleString('en-IN'), { exact: true }).first()).toBeVisible()
})

test('a best seller leads to the sales that its sum is made of, and Back to the chosen days', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin')
  const days = page.getByRole('button', { name: '7 days' })
  await days.click()
  const sellers = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Best sellers' }) })
  await expect(sellers.getByText('Last 7 days')).toBeVisible()
  const seller = sellers.getByRole('link').first()
  const sum = /₹[\d,.]+$/.exec((await seller.textContent()) ?? '')?.[0]
  await seller.click()
  await expect(page.getByText(`${sum} · `)).toBeVisible()
  await page.goBack()
  await expect(days).toHaveAttribute('aria-pressed', 'true')
})

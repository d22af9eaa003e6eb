/** The books on a phone: what a sale earned, a cost that comes later, and the way from each figure to its rows. */
import { unique } from '../worlds/constants.ts'
import { expect, inWholeList, test } from './admin-counter.ts'
import { LONG, PHONE } from './people.ts'

test.use({ viewport: PHONE })

test('a sale is in the books, and a cost that is entered later, too', LONG, async ({ people, owner, shop }) => {
  const name = unique('Booked ')
  const { _id: productId } = await shop.owner.catalogue.create({
    name,
    description: 'Its invoice comes later.',
    hot: false,
    prices: [{ duration: '10 Days', price: 60 }],
  })
  const supplier = unique('Supplier ')
  await shop.owner.keys.add({
    productId,
    duration: '10 Days',
    keys: ['a', 'b', 'c'].map((each) => unique(`BK-${each}-`)),
    supplier,
  })
  const { calls, username } = await people.buyer({ balance: 200 })
  await calls.orders.place({ productId, duration: '10 Days', quantity: 1 })

  const page = await owner({ viewport: PHONE })
  const row = page.locator('[data-row]').filter({ hasText: name })

  await test.step('without a cost, and the screen says so', async () => {
    await page.goto('/admin/books')
    await inWholeList(row)
    await expect(row).toContainText('₹60')
    await expect(row).toContainText('1 unknown')
  })

  await test.step('another sale shows on the open page', async () => {
    await calls.orders.place({ productId, duration: '10 Days', quantity: 1 })
    await expect(row).toContainText('₹120')
  })

  await test.step('the figure leads to the batch, where the cost is entered', async () => {
    await page.goto(`/admin/books?view=batches&search=${encodeURIComponent(supplier)}`)
    await expect(row.getByText('No cost')).toBeVisible()
    await row.getByRole('button', { name: /^Enter cost/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit batch' })
    await dialog.getByLabel('Cost per key (₹)').fill('75')
    await page.waitForTimeout(1_100)
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog).toBeHidden()
    await expect(row.getByText('Loss', { exact: true })).toBeVisible()
    // Of the ₹120, ₹50 were the bonus of the sign-up
    await expect(row).toContainText('−₹80')
    await expect(row).toContainText('1 unsold, ₹75 in stock')
  })

  await test.step('unsold keys of an age lead to their batches', async () => {
    await page.getByRole('link', { name: /^Unsold, up to 30 days old/ }).click()
    await expect(page.getByRole('link', { name: /^Unsold, up to 30 days old/ })).toHaveAttribute('aria-current', 'true')
    await page.goto(`/admin/books?view=batches&status=31-60&search=${encodeURIComponent(supplier)}`)
    await expect(page.getByText(`Nothing found for “${supplier}”`)).toBeVisible()
  })

  await test.step('the product leads to its purchases, and Back to the books', async () => {
    await page.goto('/admin/books')
    await inWholeList(row)
    await row.getByRole('link', { name: '₹120' }).click()
    await expect(page).toHaveURL(new RegExp(`/admin/purchases\\?.*product=${productId}`))
    await page.goBack()
    await expect(row).toBeVisible()
  })

  await test.step('the bonus leads to the sales that it paid for', async () => {
    await row.getByRole('link', { name: '₹50', exact: true }).click()
    await expect(page).toHaveURL(/view=rows/)
    const sale = page.locator('[data-row]').filter({ hasText: name })
    await expect(sale).toHaveCount(1)
    await expect(sale).toContainText(username)
    await page.goBack()
    await expect(row).toBeVisible()
  })

  await test.step('what is owed, and the statement of the month', async () => {
    await page.getByRole('button', { name: 'Owed' }).click()
    await expect(page.getByText('Unspent credit of all buyers')).toBeVisible()
    await page.getByRole('link', { name: /^Paid by buyers/ }).click()
    await expect(page.getByText('Unspent credit · Paid by buyers')).toBeVisible()
    await expect(page.locator('[data-row]').first()).toBeVisible()
    await page.goBack()
    await page.getByRole('button', { name: 'Month' }).click()
    await page.getByRole('link', { name: 'Top-ups paid' }).click()
    await expect(page.getByText('Top-ups paid').first()).toBeVisible()
    await page.locator('[data-row]').getByRole('link', { name: 'Top-up request' }).first().click()
    await expect(page).toHaveURL(/\/admin\/payment-manager\?request=/)
    await page.goBack()
    await page.goBack()
    const sales = page.getByRole('row').filter({ hasText: 'Sales' })
    await expect(sales).toContainText('−₹')
    await sales.getByRole('link', { name: 'Sales' }).click()
    await expect(page).toHaveURL(/\/admin\/purchases\?.*from=/)
  })
})

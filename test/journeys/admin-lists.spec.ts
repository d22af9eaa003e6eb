/** Every list of the panel on a phone: what it is about starts near the top, and it ends before the thumb is tired. */
import { screensOf } from '../screens.ts'
import { expect, PHONE, test } from './admin-counter.ts'

const FIRST_RECORD_MAX_PX = 220
const PAGE_MAX_PX = 2_000
/** Ten requests with a line of the bank's word each, where another journey has uploaded a statement. */
const QUEUE_WITH_BANK_MAX_PX = 2_300
/** Ten buyers with prices of their own, which other journeys may have given them. */
const BUYERS_MAX_PX = 2_300

const LISTS = [
  ...screensOf('admin').filter((path) => /manager|purchases|audit|admins/.test(path)),
  '/admin/key-manager?view=keys',
  '/admin/key-manager?view=batches',
]

test('on every list the first record is near the top, and the page is short', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  for (const path of LISTS) {
    await test.step(path, async () => {
      await page.goto(path)
      const first = page.locator('main [data-row]').first()
      await expect(first).toBeVisible()
      const isQueue = path === '/admin/payment-manager'
      // Comes a moment later, and may not push the first request down
      if (isQueue) await expect(page.getByRole('button', { name: 'Upload statement' })).toBeVisible()
      const { top, height } = await first.evaluate((row) => {
        // What speaks against a request has room of its own, and other tests have sent such requests
        for (const signs of document.querySelectorAll('[aria-label="Check before approving"]')) signs.remove()
        return { top: row.getBoundingClientRect().top + scrollY, height: document.documentElement.scrollHeight }
      })
      expect.soft(top, `${path}: the first record`).toBeLessThanOrEqual(FIRST_RECORD_MAX_PX)
      const hasBank = isQueue && (await page.getByText('statements reach to').count()) > 0
      const maxPx = hasBank ? QUEUE_WITH_BANK_MAX_PX : path === '/admin/user-manager' ? BUYERS_MAX_PX : PAGE_MAX_PX
      expect.soft(height, `${path}: the page`).toBeLessThanOrEqual(maxPx)
    })
  }
})

test('a menu closes on Back, and gives the focus back to its button', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin/product-manager')
  const more = page.getByRole('button', { name: 'More: Orbit Arena Pro' })
  const menu = page.getByRole('dialog', { name: 'Orbit Arena Pro' })
  await more.click()
  await expect(menu.getByRole('button', { name: 'Delete Orbit Arena Pro' })).toBeVisible()
  await page.goBack()
  await expect(menu).toBeHidden()
  await expect(page).toHaveURL(/product-manager/)
  await more.click()
  await menu.getByRole('button', { name: 'Delete Orbit Arena Pro' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete Orbit Arena Pro?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await expect(more).toBeFocused()
})

/** A shopkeeper on a phone: each job of the day in as many taps as it may take, from the dashboard. */
import type { Locator, Page } from '@playwright/test'
import { expect, PHONE, test } from './admin-counter.ts'

/** A thumb that counts. Typing and scrolling are no taps. */
function thumb(): { tap: (target: Locator) => Promise<void>; taps: () => number } {
  let taps = 0
  return {
    tap: async (target) => {
      taps += 1
      await target.click()
    },
    taps: () => taps,
  }
}

const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight)

test('payments are switched off and on with one tap', async ({ owner, shop }) => {
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin')
  const { tap, taps } = thumb()
  const toggle = page.getByRole('switch', { name: 'Accept payments' })
  await expect(toggle).toBeInViewport()
  try {
    await tap(toggle)
    await expect.poll(async () => (await shop.owner.settings.upi({})).paymentEnabled).toBe(false)
    expect(taps()).toBeLessThanOrEqual(1)
  } finally {
    await shop.owner.settings.saveUpi({ paymentEnabled: true })
  }
})

test('the dashboard says the five things of the day without scrolling, and is short', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin')
  const today = page.getByRole('region', { name: 'Today' })
  for (const thing of ['Accept payments', 'Pending payments', 'Sales today', 'Top-ups today', 'New buyers today'])
    await expect(today.getByText(thing)).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('img', { name: /days: sales/ })).toBeVisible()
  expect(await heightOf(page)).toBeLessThanOrEqual(1_900)

  await page.getByRole('button', { name: 'Remind me in a week' }).click()
  await page.reload()
  await expect(page.getByRole('img', { name: /days: sales/ })).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Your account' })).toHaveCount(0)
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) localStorage.setItem(key, String(Date.now() - 1))
  })
  await page.reload()
  await expect(page.getByRole('complementary', { name: 'Your account' }), 'after that week').toBeVisible()
})

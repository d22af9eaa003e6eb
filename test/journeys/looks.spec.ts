/** Shapes that would say something else than they mean. */
import { expect, PHONE, test } from './admin-counter.ts'

test('a page that is not there still has the store around it', async ({ people }) => {
  const { page } = await people.visitor({ viewport: PHONE })
  await page.goto('/nowhere')
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  await expect(page.getByRole('main')).toHaveCount(1)
  await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Login' })).toBeVisible()
})

test('the bars of best sellers have tracks of one length', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin')
  const sellers = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Best sellers' }) })
    .last()
    .getByRole('link')
  await expect(sellers.nth(1)).toBeVisible()
  const tracks = await sellers.evaluateAll((rows) =>
    rows.map((row) => row.querySelector('svg')?.getBoundingClientRect().width),
  )
  expect(new Set(tracks).size, tracks.join(', ')).toBe(1)
})

/** The sales book. */
import {
  DESK,
  expect,
  failing,
  pagerAt,
  PHONE,
  rowOf,
  said,
  savedBy,
  test,
  repeatAt,
  actionOf,
  filterBy,
  listBar,
  withoutEvents,
} from './admin-counter.ts'
import { withoutData } from './people.ts'

for (const viewport of [PHONE, DESK]) {
  test(
    `the sales book at ${viewport.width} px: revenue, filters, pages, export`,
    repeatAt(viewport),
    async ({ owner, people, shop }) => {
      const [page, buyer] = await Promise.all([owner({ viewport }), people.buyer({ balance: 500 })])
      const name = `=SUM(1) ${viewport.width}`
      const product = await shop.owner.catalogue.create({ name, prices: [{ duration: '10 Days', price: 30.25 }] })
      const place = { productId: product._id, duration: '10 Days' }
      await shop.owner.keys.add({ ...place, keys: [1, 2, 3].map((n) => `BOOK-${viewport.width}-${n}`) })
      await buyer.calls.orders.place({ ...place, quantity: 2 })
      await buyer.calls.orders.place({ ...place, quantity: 1 })

      await test.step('a failure is said, with another try', async () => {
        await withoutEvents(page)
        await withoutData(page)
        const letThrough = await failing(page, 'GET', '/payments/purchases')
        await page.goto('/admin/purchases')
        await expect(page.getByText('Failed to fetch purchases')).toBeVisible()
        await letThrough()
        await page.getByRole('button', { name: 'Retry' }).click()
        const { total } = await shop.owner.orders.purchases({})
        expect(total).toBeGreaterThan(50)
        // Cards are shown by and by; the next page comes after the last of them
        const pager = await pagerAt(page, `1–50 of ${total}`)
        await pager.getByRole('button', { name: 'Next page' }).click()
        await expect(page.getByText(/^51–/)).toBeVisible()
      })

      await test.step('the revenue is that of the search', async () => {
        await page.getByLabel('Search buyer, email or product').fill(buyer.username)
        await expect(page.getByText('Revenue (search results)')).toBeVisible()
        await expect(page.getByText('₹90.75', { exact: true })).toBeVisible()
        await expect(page.locator('[data-row]')).toHaveCount(2)
        await expect(rowOf(page, '₹60.50').getByText('× ₹30.25')).toBeVisible()
      })

      await test.step('by product and period', async () => {
        await filterBy(page, () =>
          page.getByLabel('Product', { exact: true }).selectOption({ label: 'Paper Kingdoms' }),
        )
        await expect(page.getByText(`Nothing found for “${buyer.username}”`)).toBeVisible()
        await filterBy(page, async () => {
          await page.getByLabel('Product', { exact: true }).selectOption({ label: name })
          await page.getByLabel('Date range').selectOption({ label: 'Yesterday' })
        })
        await expect(page.getByText(`Nothing found for “${buyer.username}”`)).toBeVisible()
        await filterBy(page, () => page.getByLabel('Date range').selectOption({ label: 'Today' }))
        await expect(page.locator('[data-row]')).toHaveCount(2)
        await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d/)
      })

      await test.step('the export is what is shown, and runs nothing', async () => {
        const { name: file, text } = await savedBy(page, await actionOf(listBar(page), 'Export CSV'))
        expect(file).toBe('purchases.csv')
        const lines = text.trim().split('\r\n')
        expect(lines).toHaveLength(3)
        expect(lines[1]).toContain(`,'${name},10 Days,1,30.25,30.25,`)
        expect(lines[2]).toContain(`,'${name},10 Days,2,30.25,60.5,`)
        await expect(said(page, 'purchases.csv saved')).toBeVisible()
      })
      await shop.owner.catalogue.remove({ id: product._id })
    },
  )
}

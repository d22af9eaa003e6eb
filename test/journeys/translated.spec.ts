/** A browser translates pages for its reader. What is data and no language must come through as it is. */
import type { Page } from '@playwright/test'
import { freshUtr } from './admin-counter.ts'
import { enterPanel, expect, PHONE, test } from './people.ts'

/** @returns the shown texts that hold `data` and that a translator would change */
const touched = (page: Page, data: readonly string[]) =>
  page.evaluate((wanted) => {
    const found: string[] = []
    let seen = 0
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement, textContent } = node
      if (!parentElement || parentElement.closest('script, style, output.sr-only, .sr-only')) continue
      if (!wanted.some((each) => textContent?.includes(each))) continue
      seen += 1
      if (parentElement.closest('[translate="no"]') === null) found.push(`${parentElement.tagName}: ${textContent}`)
    }
    return { found, seen }
  }, data)

test('a translator leaves keys, references, UPI IDs, names and addresses alone', async ({ people, shop }) => {
  const { page, calls, username } = await people.buyer({ balance: 500, viewport: PHONE })
  const product = (await shop.owner.catalogue.list({})).find(({ name }) => name === 'Night Circuit VIP')
  const order = { productId: product?._id ?? '', duration: '10 Days', quantity: 1 }
  const { keys } = await calls.orders.place(order)
  const utr = freshUtr()
  await calls.payments.addMoney({ amount: 61, utr, payerName: '9812345678' })
  const data = [keys[0]?.key ?? '', utr, username, 'chaabi.demo@okaxis']
  const look = async (path: string) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    await expect.poll(async () => (await touched(page, data)).seen, path).toBeGreaterThan(0)
    expect.soft((await touched(page, data)).found, path).toEqual([])
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  const own = ['/my-key', `/my-key?key=${keys[0]?._id}`, '/wallet-history#requests', '/account']
  for (const path of own) await look(path)
  await page.goto('/')
  await page.getByRole('main').getByRole('button', { name: 'Add Money' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '₹200' }).click()
  await expect(page.getByRole('dialog').getByText('chaabi.demo@okaxis').first()).toBeVisible()
  expect.soft((await touched(page, data)).found, 'Add money').toEqual([])

  await enterPanel(page.request, shop.admin)
  const panel = ['/admin', '/admin/payment-manager?status=all&search=', '/admin/user-manager?search=']
  for (const path of panel) await look(path.endsWith('=') ? `${path}${username}` : path)
})

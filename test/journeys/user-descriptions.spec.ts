/** A product's description can be read whole before buying. */
import type { Locator, Page } from '@playwright/test'
import { DESK, expect, freshName, PHONE, test } from './admin-counter.ts'
import type { Shop } from './people.ts'

const END = 'Keys are region-free.'
const HOSTILE =
  `Line one of the description, long enough to be cut on every card\n<img src=x ` +
  `onerror="document.title='hit'">\n${'W'.repeat(300)}\n${END}`

async function withProduct(shop: Shop, work: (name: string) => Promise<void>): Promise<void> {
  const name = `Atlas ${freshName()}`
  const prices = [{ duration: '10 Days', price: 20 }]
  const { _id } = await shop.owner.catalogue.create({ name, description: HOSTILE, prices })
  try {
    await work(name)
  } finally {
    await shop.owner.catalogue.remove({ id: _id })
  }
}

const cardOf = (page: Page, name: string) => page.getByRole('article').filter({ hasText: name })

/** True if its last words are within its visible part. */
const showsEnd = (text: Locator) =>
  text.evaluate((element, end) => {
    const node = element.firstChild
    const at = node?.textContent?.indexOf(end) ?? -1
    if (!node || at < 0) return false
    const range = document.createRange()
    range.setStart(node, at)
    range.setEnd(node, at + end.length)
    return range.getBoundingClientRect().bottom <= element.getBoundingClientRect().bottom + 1
  }, END)

for (const viewport of [PHONE, DESK]) {
  test(`at ${viewport.width} px a card opens by tap and by key, and closes again`, async ({ people, shop }) => {
    await withProduct(shop, async (name) => {
      const { page } = await people.visitor({ viewport })
      await page.goto('/')
      const card = cardOf(page, name)
      const text = card.getByText(/^Line one/)
      await text.scrollIntoViewIfNeeded()
      expect(await showsEnd(text)).toBe(false)
      const toggle = card.locator('summary')
      if (viewport === PHONE) await toggle.tap()
      else await toggle.click()
      await expect.poll(() => showsEnd(text)).toBe(true)

      await toggle.focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => showsEnd(text)).toBe(false)
      await page.keyboard.press('Space')
      await expect.poll(() => showsEnd(text)).toBe(true)
      expect(await text.evaluate((each) => getComputedStyle(each).whiteSpace)).toBe('pre-line')
      await expect(page).not.toHaveTitle('hit')
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
    })
  })

  test(`at ${viewport.width} px Buy Key shows all of it under the product`, async ({ people, shop }) => {
    await withProduct(shop, async (name) => {
      const { page } = await people.buyer({ viewport })
      await page.goto(`/buy?product=${encodeURIComponent(name)}`)
      const text = page.getByRole('group', { name: 'Your order' }).getByText(/^Line one/)
      await expect(text).toBeVisible()
      expect(await showsEnd(text)).toBe(true)
      expect(await text.evaluate((each) => getComputedStyle(each).whiteSpace)).toBe('pre-line')
      await expect(page).not.toHaveTitle('hit')
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
    })
  })
}

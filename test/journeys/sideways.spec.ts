/**
 * No screen scrolls sideways or lays a text over another: at 320 px (WCAG 1.4.10), and on a phone with text of twice
 * the size (WCAG 1.4.4). A few screens in every run; every screen, state and dialog of the store in the long set.
 */
import type { BrowserContext } from '@playwright/test'
import { overlaps, setTextSize, sideways } from './fit.ts'
import { callsOf, DEMO_PASSWORD, DESK, enterPanel, expect, gotoDrawn, LONG, PHONE, test } from './people.ts'
import { ADMIN, BUYER, NEWCOMER, VISITOR, type View } from './views.ts'

const NARROW = { width: 320, height: 640 }
const FEW = ['visitor dashboard', 'signup', 'dashboard', 'buy', 'my key', 'add money', 'admin payment-manager']

for (const [which, tag] of [
  ['a few screens', {}],
  ['every screen', LONG],
] as const) {
  const chosen = (views: readonly View[]) => (tag === LONG ? views : views.filter(({ name }) => FEW.includes(name)))

  test(
    `${which}: none scrolls sideways on a small phone, nor with text of twice the size`,
    tag,
    async ({ people, shop, browser }) => {
      test.setTimeout(tag === LONG ? 600_000 : 90_000)
      const options = { viewport: PHONE, reducedMotion: 'reduce' } as const
      const visitor = await people.visitor(options)
      await walk(visitor.context, chosen(VISITOR))

      const buyer = await people.visitor(options)
      await callsOf(buyer.context.request).sessions.login({ username: 'aarav', password: DEMO_PASSWORD })
      await walk(buyer.context, chosen(BUYER))
      await callsOf(buyer.context.request).sessions.logout({})

      const newcomer = await people.buyer({ ...options, balance: 50 })
      await walk(newcomer.context, chosen(NEWCOMER))

      const storageState = await shop.ownerRequest.storageState()
      const owner = await browser.newContext({ baseURL: shop.url, storageState, ...options })
      await walk(owner, chosen(ADMIN))
      await owner.close()
    },
  )
}

test('the largest prices and longest names leave room for each other at a desk', async ({ people, shop }) => {
  const prices = ['10 Days', '1 Month', '1 Year'].map((duration) => ({ duration, price: 999_999.99 }))
  const { _id: id } = await shop.owner.catalogue.create({ name: 'W'.repeat(60), description: 'w'.repeat(200), prices })
  const { page, context } = await people.visitor({ viewport: DESK })
  await enterPanel(context.request, shop.admin)
  await gotoDrawn(page, '/admin/product-manager?search=WWW')
  await expect(page.getByText('₹9,99,999.99').first()).toBeVisible()
  expect(await overlaps(page)).toEqual([])
  await shop.owner.catalogue.remove({ id })
})

async function walk(context: BrowserContext, views: readonly View[]): Promise<void> {
  for (const { name, path, prepare } of views) {
    await test.step(name, async () => {
      const page = await context.newPage()
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached()
      try {
        await prepare?.(page)
      } catch (error) {
        // One state that could not be reached is no reason to look at no other.
        expect.soft(error, name).toBeUndefined()
      }
      for (const percent of [130, 150, 200]) {
        await setTextSize(page, percent)
        expect.soft(await sideways(page), `${name}, text of ${percent} %`).toEqual([])
      }
      expect.soft(await overlaps(page), `${name}, text of 200 %`).toEqual([])
      await setTextSize(page, 100)
      await page.setViewportSize(NARROW)
      await setTextSize(page, 100)
      expect.soft(await sideways(page), `${name} at ${NARROW.width} px`).toEqual([])
      expect.soft(await overlaps(page), `${name} at ${NARROW.width} px`).toEqual([])
      await page.close()
    })
  }
}

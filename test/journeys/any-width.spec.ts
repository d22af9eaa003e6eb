/** The panel is drawn right at any width before its scripts come, whatever browser asks for it, and without them. */
import { DESK, enterPanel, expect, gotoDrawn, PHONE_AGENT, test } from './people.ts'

const LISTS = [
  '/admin/product-manager',
  '/admin/user-manager',
  '/admin/payment-manager?status=all',
  '/admin/purchases',
  '/admin/referral-manager',
  '/admin/audit',
]
const WIDTHS = [360, 447, 768, 900, 901, 1280]

for (const [agent, userAgent] of [
  ['a phone', PHONE_AGENT],
  ['a desk', undefined],
] as const) {
  test(`without scripts ${agent}’s browser has the lists of the panel at any width`, async ({ people, shop }) => {
    const { page, context } = await people.visitor({
      viewport: DESK,
      javaScriptEnabled: false,
      ...(userAgent && { userAgent }),
    })
    await enterPanel(context.request, shop.admin)
    for (const path of LISTS) {
      await gotoDrawn(page, path)
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 })
        const isWide = width > 900
        const at = `${path} at ${width} px`
        const rows = page.locator('[data-row]').filter({ visible: true })
        await expect(rows.first(), at).toBeVisible()
        await expect(page.getByRole('main').getByRole('table'), at).toHaveCount(isWide ? 1 : 0)
        await expect(page.locator('li[data-row]').filter({ visible: true }).first(), at).toBeVisible({
          visible: !isWide,
        })
        await expect(page.getByRole('button', { name: /^Filters/ }), at).toHaveCount(isWide ? 0 : 1)
        const search = await page.getByRole('textbox').first().boundingBox()
        expect(search?.width, `${at}: room for the search`).toBeGreaterThan(100)
        const isSideways = await page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth)
        expect(isSideways, at).toBe(false)
      }
    }
  })
}

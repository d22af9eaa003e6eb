/**
 * Every screen and opened dialog of the user area, in both themes, on a phone and on a desk: no finding of axe, no
 * horizontal scroll, nothing refused by the content security policy (people.ts watches for that).
 * With SCREENSHOTS set to a folder, `npm run screenshots -- all`, it leaves a picture of each there, and of the
 * admin's, whose own journeys look for the rest. SCREENSHOTS_OF leaves out those without this word in their name.
 */
import path from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContext } from '@playwright/test'
import { sideways } from './fit.ts'
import { DEMO_PASSWORD, DESK, expect, PHONE, test, callsOf, LONG, stopTransitions } from './people.ts'
import { ADMIN, BUYER, NEWCOMER, VISITOR, type View } from './views.ts'

const FOLDER = process.env['SCREENSHOTS']
const ONLY = process.env['SCREENSHOTS_OF'] ?? ''

for (const viewport of [PHONE, DESK]) {
  test(`every screen at ${viewport.width} px, in both themes`, LONG, async ({ people, shop, browser }) => {
    test.setTimeout(FOLDER ? 1_800_000 : 600_000)
    const options = { viewport, reducedMotion: 'reduce', hasTouch: viewport === PHONE } as const
    const visitor = await people.visitor(options)
    await walk(visitor.context, VISITOR)

    const buyer = await people.visitor(options)
    await callsOf(buyer.context.request).sessions.login({ username: 'aarav', password: DEMO_PASSWORD })
    await walk(buyer.context, BUYER)
    await callsOf(buyer.context.request).sessions.logout({})

    const newcomer = await people.buyer({ ...options, balance: 50 })
    await walk(newcomer.context, NEWCOMER)

    if (!FOLDER) return
    const storageState = await shop.ownerRequest.storageState()
    const owner = await browser.newContext({ baseURL: shop.url, storageState, ...options })
    await walk(owner, ADMIN, false)
    await owner.close()
  })
}

/** Runs in the page: a picture is longer than the screen, and what is not on the screen is not drawn. */
function drawAll(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('* { content-visibility: visible !important }')
  document.adoptedStyleSheets.push(sheet)
}

async function walk(context: BrowserContext, views: readonly View[], isChecked = true): Promise<void> {
  for (const { name, path: where, prepare, fullPage = true } of views) {
    if (!name.includes(ONLY)) continue
    await test.step(name, async () => {
      const page = await context.newPage()
      await page.goto(where)
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached()
      try {
        await prepare?.(page)
      } catch (error) {
        // One state that could not be reached is no reason to look at no other.
        expect.soft(error, name).toBeUndefined()
        await page.close()
        return
      }
      if (FOLDER) await page.waitForTimeout(600)
      await page.evaluate(stopTransitions)
      if (FOLDER) await page.evaluate(drawAll)
      for (const theme of ['dark', 'light'] as const) {
        // The colours are all that a theme changes.
        await page.evaluate((next) => Object.assign(document.documentElement.dataset, { theme: next }), theme)
        const look = `${page.viewportSize()?.width}-${theme}`
        if (FOLDER) {
          await page.evaluate(() => document.fonts.ready)
          const file = `${name.replaceAll(/\W+/g, '-')}--${look}.png`
          await page.screenshot({ path: path.join(FOLDER, file), fullPage, animations: 'disabled' })
        }
        if (!isChecked) continue
        expect.soft(await sideways(page), `${name}, ${look}`).toEqual([])
        const axe = new AxeBuilder({ page })
        const { violations } = await (theme === 'dark' ? axe : axe.withRules('color-contrast')).analyze()
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
        expect.soft(found, `${name}, ${look}`).toEqual([])
      }
      await page.close()
    })
  }
}

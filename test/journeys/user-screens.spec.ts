/**
 * Every screen and opened dialog of the user area, in both themes, on a phone and on a desk: no finding of axe, no
 * horizontal scroll, nothing refused by the content security policy (people.ts watches for that).
 */
import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContext } from '@playwright/test'
import { sideways } from './fit.ts'
import { DEMO_PASSWORD, DESK, expect, PHONE, test, callsOf, LONG, stopTransitions } from './people.ts'
import { BUYER, NEWCOMER, VISITOR, type View } from './views.ts'

for (const viewport of [PHONE, DESK]) {
  test(`every screen at ${viewport.width} px, in both themes`, LONG, async ({ people }) => {
    test.setTimeout(600_000)
    const options = { viewport, reducedMotion: 'reduce', hasTouch: viewport === PHONE } as const
    const visitor = await people.visitor(options)
    await walk(visitor.context, VISITOR)

    const buyer = await people.visitor(options)
    await callsOf(buyer.context.request).sessions.login({ username: 'aarav', password: DEMO_PASSWORD })
    await walk(buyer.context, BUYER)
    await callsOf(buyer.context.request).sessions.logout({})

    const newcomer = await people.buyer({ ...options, balance: 50 })
    await walk(newcomer.context, NEWCOMER)
  })
}

async function walk(context: BrowserContext, views: readonly View[]): Promise<void> {
  for (const { name, path: where, prepare } of views) {
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
      await page.evaluate(stopTransitions)
      for (const theme of ['dark', 'light'] as const) {
        // The colours are all that a theme changes.
        await page.evaluate((next) => Object.assign(document.documentElement.dataset, { theme: next }), theme)
        const look = `${page.viewportSize()?.width}-${theme}`
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

/** Cards on a phone with the longest names, amounts and chips: each name keeps room to be read. */
import type { BrowserContext, Page } from '@playwright/test'
import { screensOf } from '../screens.ts'
import { expect, PHONE, test } from './admin-counter.ts'
import { callsOf, DEMO_PASSWORD, LONG, withoutData } from './people.ts'

const LETTERS = 12
const LISTS = [
  ...screensOf('admin').filter((path) => /manager|purchases|claims|books|audit|admins|dashboard/.test(path)),
  '/admin/key-manager?view=keys',
  '/admin/key-manager?view=batches',
  '/admin/payment-manager?status=all',
]
const NAMES = /^(?:name|username|code|supplier|websiteName)$/
const AMOUNTS = /^(?:balance|amount|bonus|rewardAmount|costPerKey|unitPrice|price)$/
const LONG_NAME = 'Mahanadi Subscriptions 2026 Premium'

/** Gives what a list holds a long name, a large amount, and the state with the longest chip. */
function longest(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return key === 'prices' ? value.map(soldOutFirst) : value.map((each) => longest(each))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, longest(each, name)]))
  if (typeof value === 'string' && NAMES.test(key)) return `${LONG_NAME} ${value}`
  if (typeof value === 'number' && AMOUNTS.test(key)) return value + 99_00_000
  return value
}

/** Some durations are out of stock and others not: "Partly out of stock". */
const soldOutFirst = (price: object, at: number) => ({ ...price, available: at === 0 ? 0 : 12_345 })

async function withLongest(context: BrowserContext): Promise<void> {
  await context.route(/\/api\/(?!events|auth\/|admin\/check|pictures)/, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const answer = await route.fetch()
    // A page that was left in between has disposed of the answer
    const body: unknown = await answer.json().catch(() => undefined)
    if (body !== undefined) await route.fulfill({ response: answer, json: longest(body) })
  })
}

/** Names that are narrower than twelve letters of their own font. */
function squeezed(page: Page): Promise<string[]> {
  return page.evaluate((letters) => {
    const names = document.querySelectorAll<HTMLElement>('[data-name], main article h2, main article h3')
    return [...names].flatMap((name) => {
      const ruler = document.createElement('span')
      ruler.textContent = 'n'.repeat(letters)
      ruler.className = 'absolute'
      name.append(ruler)
      const needed = ruler.getBoundingClientRect().width
      ruler.remove()
      const { width } = name.getBoundingClientRect()
      // One that is squeezed to nothing is as wrong as one that is narrow
      return !name.checkVisibility() || width >= needed
        ? []
        : [`${name.textContent}: ${Math.round(width)} px of ${needed}`]
    })
  }, LETTERS)
}

test(
  'no card on a phone breaks its name letter by letter, in the panel or in the store',
  LONG,
  async ({ owner, people }) => {
    test.setTimeout(120_000)
    const panel = await owner({ viewport: PHONE })
    await withoutData(panel)
    await withLongest(panel.context())
    for (const path of LISTS) {
      await panel.goto(path)
      // Plans and keys have no name to make longer
      await expect(panel.locator('[data-name]').or(panel.getByText(LONG_NAME)).first(), path).toBeAttached()
      await expect(panel.getByRole('main').getByText('Loading…')).toHaveCount(0)
      expect.soft(await squeezed(panel), path).toEqual([])
    }
    const { page, context } = await people.visitor({ viewport: PHONE })
    await callsOf(context.request).sessions.login({ username: 'aarav', password: DEMO_PASSWORD })
    for (const path of ['/', '/my-key', '/buy', '/add-balance', '/account']) {
      await page.goto(path)
      await expect(page.getByRole('main').getByText('Loading…')).toHaveCount(0)
      expect.soft(await squeezed(page), path).toEqual([])
    }
    await callsOf(context.request).sessions.logout({})
  },
)

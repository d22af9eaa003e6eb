/** What an empty field says is read whole, on small phones and in both languages. */
import type { BrowserContext } from '@playwright/test'
import { LANGUAGES } from '../../contract/languages.ts'
import { screensOf } from '../screens.ts'
import { expect, test } from './admin-counter.ts'
import { callsOf, DEMO_PASSWORD, PHONE } from './people.ts'

const WIDTHS = [390, 360]
/** Demo buyers, each of whom keeps one language. */
const READERS: Record<string, string> = { en: 'aarav', hi: 'meera' }
const COOKIES = ['chaabi_language', 'chaabi_panel_language']

/** Names the empty fields whose words are wider than their room. */
function cutPlaceholders(): string[] {
  const brush = document.createElement('canvas').getContext('2d')!
  const inputs = document.querySelectorAll<HTMLInputElement>('input[placeholder], textarea[placeholder]')
  return [...inputs].flatMap((input) => {
    if (!input.checkVisibility() || input.placeholder.trim() === '') return []
    const { font, letterSpacing, paddingLeft, paddingRight } = getComputedStyle(input)
    const text = input.placeholder
    brush.font = font
    brush.letterSpacing = letterSpacing === 'normal' ? '0px' : letterSpacing
    const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
    const width = brush.measureText(text).width
    return width <= room ? [] : [`“${text}” needs ${Math.ceil(width)} of ${Math.floor(room)} px`]
  })
}

async function walk(context: BrowserContext, paths: readonly string[], language: string): Promise<void> {
  const page = await context.newPage()
  for (const path of paths) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached()
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    for (const width of WIDTHS) {
      await page.setViewportSize({ ...PHONE, width })
      expect.soft(await page.evaluate(cutPlaceholders), `${path} at ${width} px`).toEqual([])
    }
  }
  await page.close()
}

for (const language of Object.keys(LANGUAGES)) {
  test(`no empty field’s words are cut on a phone: ${language}`, async ({ people, owner, shop }) => {
    test.setTimeout(240_000)
    const speak = (context: BrowserContext) =>
      context.addCookies(COOKIES.map((name) => ({ name, value: language, url: shop.url })))
    const visitor = await people.visitor({ viewport: PHONE })
    await speak(visitor.context)
    await walk(visitor.context, screensOf('anyone'), language)
    await callsOf(visitor.context.request).sessions.login({
      username: READERS[language] ?? '',
      password: DEMO_PASSWORD,
    })
    await speak(visitor.context)
    await walk(visitor.context, screensOf('buyer'), language)
    await callsOf(visitor.context.request).sessions.logout({})
    const panel = await owner({ viewport: PHONE })
    await speak(panel.context())
    await walk(panel.context(), screensOf('admin'), language)
  })
}

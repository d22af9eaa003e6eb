/** A stock Firefox, as wide as a phone, driven by WebDriver BiDi. */
import puppeteer, { type ElementHandle } from 'puppeteer-core'
import { findInPage, type EngineTab, type Spot } from './tab.ts'

const START_MS_MAX = 30_000

export async function openFirefox(executablePath: string): Promise<EngineTab> {
  const firefox = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    timeout: START_MS_MAX,
    defaultViewport: { width: 390, height: 806 },
  })
  const page = await firefox.newPage()
  const spot = (element: ElementHandle<HTMLElement>): Spot => ({
    press: () => element.click(),
    async fill(text) {
      await element.click()
      // A click that missed what moved would leave the typing to another field
      await element.evaluate((field) => {
        field.focus()
        ;(field as HTMLInputElement).select()
      })
      await page.keyboard.type(text)
    },
  })
  return {
    tab: {
      goto: async (url) => void (await page.goto(url)),
      run: (work, ...args) => page.evaluate(work as (...given: unknown[]) => never, ...args),
      async find(...wanted) {
        const element = (await page.evaluateHandle(findInPage, ...wanted)).asElement()
        return element ? spot(element as ElementHandle<HTMLElement>) : undefined
      },
      key: (name) => page.keyboard.press(name),
      picture: async () => Buffer.from(await page.screenshot()),
    },
    stop: () => firefox.close(),
  }
}

/** A page on a phone's screen with a 4 × slower processor, as the benches of paint and of taps see it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import { findBrowser } from '../scripts/find-browser.ts'

export const RUNS = Number(process.env.RUNS ?? 3)
export const SETTLE_MS = 1_500
const CPU_SLOWDOWN = 4

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  })

interface Opened extends BrowserContextOptions {
  url: string
  /** "a=1; b=2" */
  cookie: string
  /** A script that notes what is measured. A text and no function, because tsx adds helpers that a page lacks. */
  observe: string
}

/** Opens a page and waits until it rests. @returns what `work` answers */
export async function onSlowPhone<T>(
  browser: Browser,
  { url, cookie, observe, ...options }: Opened,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    serviceWorkers: 'block',
    timezoneId: 'Asia/Kolkata',
    ...options,
  })
  await context.addCookies(
    cookie.split('; ').map((each) => {
      const at = each.indexOf('=')
      return { name: each.slice(0, at), value: each.slice(at + 1), url: new URL(url).origin }
    }),
  )
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    await page.addInitScript({ content: observe })
    await page.goto(url, { waitUntil: 'load' })
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
    await sleep(SETTLE_MS)
    return await work(page)
  } finally {
    await context.close()
  }
}

/** At a desk the panel's first drawing is right: nothing moves when the scripts come. */
import { DESK, expect, holdScripts, test } from './admin-counter.ts'
import { gotoDrawn, LONG } from './people.ts'
import { drawnFor, screensOf } from '../screens.ts'

const PAGES = [...screensOf('admin'), '/admin/payment-manager?status=all']

test('at a desk nothing of a panel page moves from its first drawing on', LONG, async ({ owner }) => {
  const page = await owner({ viewport: DESK, hasTouch: false })
  await page.addInitScript(() => {
    const moved: string[] = []
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; sources: { node?: Node }[] })[])
        for (const { node } of entry.sources)
          moved.push(`${entry.value.toFixed(4)} ${node instanceof Element ? node.outerHTML.slice(0, 120) : ''}`)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const shifts = new Map<string, unknown>()
  for (const path of PAGES) {
    const release = await holdScripts(page)
    // "9 min ago" grows by a digit while the scripts are held
    await page.clock.setFixedTime(Date.now())
    // A page that the server leaves to browsers has its frame from the scripts
    if (drawnFor('admin').includes(path.replace(/\?.*/, ''))) await gotoDrawn(page, path)
    else await page.goto(path, { waitUntil: 'commit' })
    await page.waitForFunction(() => document.readyState !== 'loading')
    // Painted as the server drew it, in the store's font, which comes late to a busy machine
    await page.evaluate(() => Promise.allSettled([...document.fonts].map((font) => font.load())))
    await page.waitForTimeout(300)
    await page.evaluate(() => void (Reflect.get(window, 'moved') as string[]).splice(0))
    release()
    await page.waitForFunction(() => !('noteEarly' in globalThis))
    await page.waitForTimeout(700)
    const moved = await page.evaluate(() => Reflect.get(window, 'moved') as string[])
    if (moved.length > 0) shifts.set(path, moved)
    await page.unroute('**/assets/*.js')
  }
  expect(Object.fromEntries(shifts)).toEqual({})
})

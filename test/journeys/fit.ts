/** Checks that a page keeps within its width, with text of any size. */
import type { Page } from '@playwright/test'

/** In per cent of the browser's own; as in its settings, so that media queries in rem follow, too. */
export async function setTextSize(page: Page, percent: number): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard: Math.round((16 * percent) / 100) } })
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
}

/** Names each element that is wider than the page or its dialog, so that a failure says where to look. */
export function sideways(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const rooms = [document.documentElement, ...document.querySelectorAll('dialog[open], dialog[open] > div')]
    const found: string[] = []
    for (const room of rooms) {
      if (room.scrollWidth <= room.clientWidth) continue
      const edge = room.getBoundingClientRect().left + room.clientWidth
      // The smallest of those that stick out, and not what they are in.
      const wide = [...room.querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right > edge + 1)
      const inner = wide.filter((each) => !wide.some((other) => other !== each && each.contains(other)))
      const names = inner
        .slice(0, 4)
        .map((each) => `${each.tagName} "${each.textContent?.slice(0, 30)}" ${each.getAttribute('class')}`)
      found.push(`${room.tagName} by ${room.scrollWidth - room.clientWidth} px: ${names.join(' | ')}`)
    }
    return found
  })
}

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

/**
 * Names texts that lie over each other, as a long amount over what stands beside it. Bars and layers that stay in place
 * may do so, and what screen readers skip.
 */
export function overlaps(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const PX_MAX = { wide: 2, high: 4 }
    // The boxes of lines that stand close lie over each other; their letters do not
    const PART_MAX = 0.35
    const SEEN = { contentVisibilityAuto: true, opacityProperty: true, visibilityProperty: true }
    const rooms = new Map<Element, Set<Element> | undefined>()
    /** What an element is cut off by; undefined where its text does not count. */
    const cutsOf = (element: Element | null): Set<Element> | undefined => {
      if (!element) return new Set()
      if (rooms.has(element)) return rooms.get(element)
      const { position, overflowX, overflowY, contentVisibility } = getComputedStyle(element)
      const outer = cutsOf(element.parentElement)
      const isApart = position === 'fixed' || position === 'sticky' || element.ariaHidden === 'true'
      const isUnseen = contentVisibility === 'hidden'
      const isCut = overflowX !== 'visible' || overflowY !== 'visible'
      const cuts = !outer || isApart || isUnseen ? undefined : isCut ? new Set([...outer, element]) : outer
      rooms.set(element, cuts)
      return cuts
    }
    const texts: { text: string; parent: Element; left: number; top: number; right: number; bottom: number }[] = []
    const range = document.createRange()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.trim().slice(0, 30)
      const parent = node.parentElement
      const cuts = text ? cutsOf(parent) : undefined
      if (!text || !cuts || !parent?.checkVisibility(SEEN)) continue
      range.selectNodeContents(node)
      const edges = [...cuts].map((each) => each.getBoundingClientRect())
      for (const rect of range.getClientRects()) {
        const left = Math.max(rect.left, ...edges.map((edge) => edge.left))
        const right = Math.min(rect.right, ...edges.map((edge) => edge.right))
        const top = Math.max(rect.top, ...edges.map((edge) => edge.top))
        const bottom = Math.min(rect.bottom, ...edges.map((edge) => edge.bottom))
        if (right - left > PX_MAX.wide && bottom - top > PX_MAX.high)
          texts.push({ text, parent, left, top, right, bottom })
      }
    }
    const found: string[] = []
    for (const [at, one] of texts.entries()) {
      for (const other of texts.slice(at + 1)) {
        const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left)
        const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
        const least = Math.min(one.bottom - one.top, other.bottom - other.top)
        if (wide > PX_MAX.wide && high > PART_MAX * least && one.parent !== other.parent)
          found.push(`"${one.text}" and "${other.text}" by ${Math.round(wide)} × ${Math.round(high)} px`)
      }
    }
    return found
  })
}

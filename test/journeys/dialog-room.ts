/**
 * Runs in the page: whether a person can reach all that is in what lies on top of it.
 * @returns what is cut off, or scrolls in less room than it could have; each named by its place
 */
export function cutOffInPage(): string[] {
  const top = document.querySelector('[popover][data-open]') ?? [...document.querySelectorAll('dialog[open]')].at(-1)
  if (!top) return ['nothing lies over the page']
  const found: string[] = []
  const box = top.getBoundingClientRect()
  if (box.top < -1 || box.bottom > innerHeight + 1 || box.left < -1 || box.right > innerWidth + 1) {
    found.push(`${top.tagName} is not on the screen: ${JSON.stringify(box)}`)
  }
  /** It has the height that it was given at most, so that it must scroll. */
  const isFull = (each: Element): boolean => {
    const { maxHeight } = getComputedStyle(each)
    const most = maxHeight.endsWith('px') ? Number.parseFloat(maxHeight) : innerHeight
    return each.getBoundingClientRect().height >= most - 2
  }
  /** Nobody can read or use anything in it, such as the art of a cover. */
  const isDecoration = (each: Element): boolean => {
    const copy = each.cloneNode(true) as Element
    for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove()
    return copy.textContent?.trim() === '' && copy.querySelector('button, a, input, select, textarea') === null
  }
  for (const each of [top, ...top.querySelectorAll('*')]) {
    const { overflowY, display, position } = getComputedStyle(each)
    const isHidden =
      isDecoration(each) ||
      each.scrollHeight <= each.clientHeight + 1 ||
      each.clientHeight === 0 ||
      position === 'absolute'
    if (overflowY === 'visible' || display === 'inline' || isHidden || /^(TEXTAREA|SELECT|INPUT)$/.test(each.tagName)) {
      continue
    }
    const where = `${each.tagName}.${each.getAttribute('class')}: ${each.scrollHeight} px in ${each.clientHeight}`
    if (overflowY === 'hidden' || overflowY === 'clip') found.push(`${where} are cut off`)
    else if (!isFull(top) && !isFull(each)) found.push(`${where} scroll, though there is room`)
  }
  return found
}

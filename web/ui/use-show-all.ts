import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** Shows a short list first. The button that shows the rest disappears, so the focus moves to the first new item. */
export function useShowAll() {
  const [isWhole, setWhole] = useState(false)
  const firstMore = useRef<HTMLLIElement>(null)
  /** Shows all without moving the focus, for items found on the page. */
  const open = () => setWhole(true)
  const showAll = () => {
    flushSync(open)
    firstMore.current?.focus()
  }
  /** @param at the item's index; @param shown how many showed before */
  const propsOf = (at: number, shown: number) => (at === shown ? { ref: firstMore, tabIndex: -1 } : undefined)
  return { isWhole, open, showAll, propsOf }
}

import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** A list that begins short. The button that shows all of it goes, so the focus goes on to the first that it has shown. */
export function useShowAll() {
  const [isWhole, setWhole] = useState(false)
  const firstMore = useRef<HTMLLIElement>(null)
  /** Without the focus: for what is found on the page, and not pressed. */
  const open = () => setWhole(true)
  const showAll = () => {
    flushSync(open)
    firstMore.current?.focus()
  }
  /** @param at the item's place; @param shown how many there were before */
  const propsOf = (at: number, shown: number) => (at === shown ? { ref: firstMore, tabIndex: -1 } : undefined)
  return { isWhole, open, showAll, propsOf }
}

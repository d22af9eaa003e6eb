import type { ReactNode } from 'react'
import { SIDEBAR_BREAKPOINT_PX } from '../../../contract/limits.ts'
import { useMedia } from '../../platform/use-media.ts'

interface Faces {
  /** From 901 px. */
  wide: ReactNode
  narrow: ReactNode
}

/** One of two faces by the window's width. Until scripts know it the page has both, and CSS shows the right one. */
export function AtWidth({ wide, narrow }: Faces) {
  const isWide = useIsWide()
  return (
    <>
      {isWide !== false && <div className="contents max-wide:hidden">{wide}</div>}
      {isWide !== true && <div className="contents wide:hidden">{narrow}</div>}
    </>
  )
}

/** True where lists are tables. @returns undefined until hydration: draw both faces, as `AtWidth` does */
const useIsWide = (): boolean | undefined => useMedia(`(min-width: ${SIDEBAR_BREAKPOINT_PX + 1}px)`)

import type { ReactNode } from 'react'
import { useIsWide } from '../../platform/admin/use-is-wide.ts'

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

import type { ReactNode } from 'react'
import { Button } from '../../buttons/button.tsx'
import { EmptyState } from '../../page/empty-state.tsx'

interface NoMatchesProps {
  icon: ReactNode
  title: string
  text?: string | undefined
  /** "Show all products". */
  showAll: string
  onShowAll: () => void
}

/** A search or filter has found nothing: says so, with a button back to all rows. */
export function NoMatches({ showAll, onShowAll, ...said }: NoMatchesProps) {
  const button = (
    <Button variant="secondary" onClick={onShowAll}>
      {showAll}
    </Button>
  )
  return <EmptyState {...said} action={button} />
}

import type { ReactNode } from 'react'
import { t } from '../../../platform/i18n.ts'
import { Button } from '../../buttons/button.tsx'
import { EmptyState } from '../../page/empty-state.tsx'

interface NoMatchesProps {
  icon: ReactNode
  /** What was searched for, which is then named. Empty for a filter alone. */
  search?: string
  /** After a filter alone. */
  title: string
  text?: string | undefined
  /** "Show all products". */
  showAll: string
  onShowAll: () => void
}

/** A search or filter has found nothing: says so, with a button back to all rows. */
export function NoMatches({ icon, search, title, text, showAll, onShowAll }: NoMatchesProps) {
  const button = (
    <Button variant="secondary" onClick={onShowAll}>
      {showAll}
    </Button>
  )
  const found = search ? t('Nothing found for “{search}”', { search }) : title
  return <EmptyState icon={icon} title={found} text={text} action={button} />
}

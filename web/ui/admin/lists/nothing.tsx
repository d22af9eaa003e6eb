import type { ComponentProps, ReactNode } from 'react'
import { EmptyState } from '../../page/empty-state.tsx'
import { NoMatches } from './no-matches.tsx'

interface NothingProps {
  icon: ReactNode
  /** While there is nothing yet: the first step. False after a search or filter that has found nothing. */
  first: Omit<ComponentProps<typeof EmptyState>, 'icon'> | false
  none: Omit<ComponentProps<typeof NoMatches>, 'icon'>
}

/** Stands in the place of a list without rows. */
export function Nothing({ icon, first, none }: NothingProps) {
  return first ? <EmptyState icon={icon} {...first} /> : <NoMatches icon={icon} {...none} />
}

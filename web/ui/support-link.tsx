import type { ReactNode } from 'react'
import { getBoot } from '../platform/boot.ts'

interface SupportLinkProps {
  className: string
  children: ReactNode
}

/** Leads to support. Shows nothing if the store has no support link. */
export function SupportLink({ className, children }: SupportLinkProps) {
  const { supportUrl } = getBoot()
  return (
    supportUrl && (
      <a href={supportUrl} target="_blank" rel="noopener noreferrer" className={className}>
        {children}
      </a>
    )
  )
}

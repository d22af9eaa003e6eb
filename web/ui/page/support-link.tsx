import type { ReactNode } from 'react'
import { getBoot } from '../../platform/calls/boot.ts'

interface SupportLinkProps {
  className: string
  children: ReactNode
  /** Says how else to get help, for a store without a support link. */
  otherwise?: ReactNode
}

/** Leads to support. Without a support link it shows `otherwise`, or nothing. */
export function SupportLink({ className, children, otherwise }: SupportLinkProps) {
  const { supportUrl } = getBoot()
  return supportUrl ? (
    <a href={supportUrl} target="_blank" rel="noopener noreferrer" className={className}>
      {children}
    </a>
  ) : (
    otherwise
  )
}

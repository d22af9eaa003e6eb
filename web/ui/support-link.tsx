import type { ReactNode } from 'react'
import { getBoot } from '../platform/boot.ts'

interface SupportLinkProps {
  className: string
  children: ReactNode
}

/** Leads to where buyers get help; nothing where the store names no such place. */
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

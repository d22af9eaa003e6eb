import type { ReactNode } from 'react'
import { supportPlace } from '../../../contract/support-link.ts'
import { getBoot } from '../../platform/calls/boot.ts'
import { t } from '../../platform/i18n.ts'

interface SupportLinkProps {
  className: string
  children: ReactNode
  /** Says how else to get help, for a store without a support link. */
  otherwise?: ReactNode
}

/** Leads to support, and says where that is. Without a support link it shows `otherwise`, or nothing. */
export function SupportLink({ className, children, otherwise }: SupportLinkProps) {
  const support = useSupport()
  return support ? (
    <a href={support.url} target="_blank" rel="noopener noreferrer" className={className}>
      {children}
      <span className="ml-1 wrap-anywhere whitespace-normal">· {support.place}</span>
    </a>
  ) : (
    otherwise
  )
}

/** Where support is, for people: the service, or the website's name. Undefined without a support link. */
export function useSupport(): { url: string; place: string } | undefined {
  const { supportUrl: url } = getBoot()
  if (!url) return undefined
  const place = supportPlace(url)
  return { url, place: place === 'Email' ? t('Email') : place }
}

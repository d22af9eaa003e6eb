import { useEffect, useRef, type ReactNode } from 'react'
import { usePageTitle } from '../../platform/navigation/page-title.ts'
import { cx } from '../cx.ts'

interface PageProps {
  /** The heading, and the tab's title. */
  title: string
  /** Hides the heading from all but screen readers, if the design has none. */
  hideTitle?: boolean
  description?: ReactNode
  /** Buttons at the right end of the title's line. */
  actions?: ReactNode
  className?: string
  children: ReactNode
}

/**
 * Frames a screen: `<Page title description actions>`. Sets the tab's title. After a change of page it focuses the
 * heading, so that a screen reader starts there, as on a freshly loaded page.
 */
export function Page({ title, hideTitle, description, actions, className, children }: PageProps) {
  usePageTitle(title)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // Skips the first page, where the browser itself has just started at the top.
    if (isFirstPage) isFirstPage = false
    else heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className={className}>
      <header
        className={cx(
          'flex flex-wrap items-start justify-between gap-x-6 gap-y-3',
          hideTitle ? 'sr-only' : 'mb-6 sm:mb-8',
        )}
      >
        <div className="min-w-0">
          <h1 ref={heading} tabIndex={-1} className="text-2xl font-semibold sm:text-3xl">
            {title}
          </h1>
          {description && <p className="mt-1 text-pretty text-fg-2">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

let isFirstPage = true

import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../cx.ts'

interface PanelProps extends Omit<ComponentProps<'section'>, 'title'> {
  title?: ReactNode
  /** Under the title. */
  description?: ReactNode
  /** At the right end of the title's line. */
  actions?: ReactNode
  /** The faint lime light, on the balance panel and the best plan only. */
  glow?: boolean
}

/** Frames part of a page, with 20 px corners and 20–24 px padding. `<Panel title description actions glow>` */
export function Panel({ title, description, actions, glow, className, children, ...rest }: PanelProps) {
  return (
    <section
      {...rest}
      className={cx('rounded-panel border border-line bg-surface p-4 sm:p-6', glow && 'glow', className)}
    >
      {(title || actions) && (
        <header className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="min-w-0">
            <h2 className="text-lg font-semibold">{title}</h2>
            {description && <p className="mt-0.5 text-sm text-fg-2">{description}</p>}
          </div>
          {actions}
        </header>
      )}
      {children}
    </section>
  )
}

import type { ReactNode } from 'react'
import { cx } from '../cx.ts'

interface EmptyStateProps {
  /** A lucide icon of 22 px. */
  icon?: ReactNode
  title: ReactNode
  /** The next step, in a sentence. */
  text?: ReactNode
  /** The button or link for that step. */
  action?: ReactNode
  className?: string
}

/** `<EmptyState icon title text action />` */
export function EmptyState({ icon, title, text, action, className }: EmptyStateProps) {
  return (
    <div className={cx('grid justify-items-center gap-1 px-4 py-12 text-center', className)}>
      {icon && (
        <div className="mb-2 grid size-12 place-items-center rounded-full bg-hover text-fg-2" aria-hidden>
          {icon}
        </div>
      )}
      <p className="font-semibold">{title}</p>
      {text && <p className="max-w-sm text-sm text-fg-2">{text}</p>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  )
}

import { t } from '../../platform/i18n.ts'
import { cx } from '../cx.ts'

/** Shows a grey shape in the place and size of loading content: `<Skeleton className="h-5 w-32" />`. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={cx('skeleton', className)} />
}

/** Wraps skeletons and says once that something is loading. */
export function Loading({ className, children }: { className?: string; children: React.ReactNode }) {
  return (
    <output aria-live="polite" className={cx('loading block', className)}>
      <span className="sr-only">{t('Loading…')}</span>
      {children}
    </output>
  )
}

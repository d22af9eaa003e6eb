import { Flame } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../platform/i18n.ts'
import { cx } from './cx.ts'

/** Shows the one loud label, for offers only: `<Badge>Popular</Badge>`. */
export function Badge({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex h-6 items-center gap-1 rounded-full bg-hot px-2.5 text-xs font-semibold whitespace-nowrap ' +
          'text-on-hot',
        className,
      )}
    >
      {children}
    </span>
  )
}

/** Shows HOT SALE, in these words at every width. */
export function HotSaleBadge({ className }: { className?: string }) {
  return (
    <Badge className={cx('tracking-normal', className)}>
      <Flame size={13} strokeWidth={2.25} aria-hidden />
      {t('HOT SALE')}
    </Badge>
  )
}

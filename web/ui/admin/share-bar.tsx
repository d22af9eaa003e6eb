import { cx } from '../cx.ts'

interface ShareBarProps {
  /** 0 to 1. */
  share: number
  tone?: 'brand' | 'warn' | 'bad' | 'neutral'
  className?: string
}

const FILLS = { brand: 'fill-brand', warn: 'fill-warn', bad: 'fill-bad', neutral: 'fill-fg-3' }

/** A bar of the used or finished share. Decorative, because the numbers are next to it. */
export function ShareBar({ share, tone = 'brand', className }: ShareBarProps) {
  const width = Math.min(1, Math.max(0, share))
  return (
    <svg aria-hidden className={cx('block h-1.5 w-full overflow-hidden rounded-full bg-hover', className)}>
      <rect width={`${(width * 100).toFixed(2)}%`} height="100%" rx="3" className={FILLS[tone]} />
    </svg>
  )
}

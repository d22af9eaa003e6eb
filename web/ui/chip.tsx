import type { ReactNode } from 'react'
import { cx } from './cx.ts'

interface ChipProps {
  /**
   * ok/warn/bad/info: a state · brand: chosen or yours · neutral: none of these
   * outline: a plain fact such as "10 Days" · cover: over a product's art
   */
  tone?: 'ok' | 'warn' | 'bad' | 'info' | 'brand' | 'neutral' | 'outline' | 'cover'
  icon?: ReactNode
  className?: string
  children: ReactNode
}

const TONES = {
  ok: 'bg-ok/14 text-ok',
  warn: 'bg-warn/14 text-warn',
  bad: 'bg-bad/14 text-bad',
  info: 'bg-info/14 text-info',
  brand: 'bg-brand-bg text-brand',
  neutral: 'bg-hover text-fg-2',
  cover: 'bg-black/55 font-medium! text-white',
  outline: 'border border-line font-normal! text-fg-2',
}

/** Shows a small label for a state. `<Chip tone="ok">Active</Chip>` */
export function Chip({ tone = 'neutral', icon, className, children }: ChipProps) {
  return (
    <span
      className={cx(
        'inline-flex min-h-6 shrink-0 items-center gap-1 rounded-full px-2.5 text-xs font-semibold whitespace-nowrap',
        TONES[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  )
}

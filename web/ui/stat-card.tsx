import type { ReactNode } from 'react'
import { cx } from './cx.ts'

interface StatCardProps {
  label: ReactNode
  /** Undefined while it loads: a skeleton of the same height. */
  value: ReactNode
  /** Under the value: "+12.4% on last period". */
  note?: ReactNode
  tone?: 'ok' | 'warn' | 'bad' | 'neutral'
  /** Colours the value too, as for Money added. */
  toned?: boolean
  glow?: boolean
  className?: string
}

const TONES = { ok: 'text-ok', warn: 'text-warn', bad: 'text-bad', neutral: 'text-fg-3' }

/** One number with its name. `<StatCard label value note tone />` */
export function StatCard({ label, value, note, tone = 'neutral', toned, glow, className }: StatCardProps) {
  return (
    <div className={cx('min-w-0 rounded-card border border-line bg-surface p-4', glow && 'glow', className)}>
      <p className="text-sm text-fg-2">{label}</p>
      <p className={cx('tabular mt-1 truncate text-2xl font-semibold tracking-[-0.03em]', toned && TONES[tone])}>
        {value ?? <span className="skeleton inline-block h-6 w-24 align-middle" />}
      </p>
      {note && <p className={cx('mt-1 text-xs font-medium', TONES[tone])}>{note}</p>}
    </div>
  )
}

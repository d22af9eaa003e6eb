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

/** Shows one number with its name. `<StatCard label value note tone />` */
export function StatCard({ label, value, note, tone = 'neutral', toned, glow, className }: StatCardProps) {
  return (
    <div className={cx('@container min-w-0 rounded-card border border-line bg-surface p-4', glow && 'glow', className)}>
      <p className="text-sm text-fg-2">{label}</p>
      <p
        className={cx(
          'tabular mt-1 leading-8 font-semibold tracking-[-0.03em] wrap-anywhere',
          sizeOf(value),
          toned && TONES[tone],
        )}
      >
        {value ?? <span className="skeleton inline-block h-6 w-24 max-w-full align-middle" />}
      </p>
      {note && <p className={cx('mt-1 text-xs font-medium', TONES[tone])}>{note}</p>}
    </div>
  )
}

/** Returns a font size of up to 24 px, smaller for long values, so that the card shows the whole amount. */
function sizeOf(value: ReactNode): string {
  const length = typeof value === 'string' ? value.length : 0
  if (length <= 6) return 'text-2xl'
  if (length <= 9) return 'text-[clamp(.75rem,20cqi,1.5rem)]'
  if (length <= 12) return 'text-[clamp(.75rem,15cqi,1.5rem)]'
  return 'text-[clamp(.75rem,11cqi,1.5rem)]'
}

import { COUNTDOWN_INTERVAL_MS } from '../../contract/limits.ts'
import { MINUTE_MS } from '../../contract/time.ts'
import { useNow } from '../platform/clock.ts'
import { t } from '../platform/i18n.ts'
import { cx } from './cx.ts'

interface CountdownProps {
  /** ISO time by the server's clock. */
  until: string
  className?: string
}

/**
 * Shows the time left, as "2d 07h 41m" with dim units, updated every minute. A dash when over. `<Countdown until />`
 */
export function Countdown({ until, className }: CountdownProps) {
  const now = useNow(COUNTDOWN_INTERVAL_MS)
  const leftMs = Date.parse(until) - now
  if (leftMs <= 0) return <span className={cx('font-mono text-fg-3', className)}>–</span>
  const minutes = Math.max(1, Math.floor(leftMs / MINUTE_MS))
  const units = [t('d'), t('h'), t('m')]
  const parts = { d: Math.floor(minutes / 1440), h: Math.floor(minutes / 60) % 24, m: minutes % 60 }
  return (
    <span role="timer" className={cx('font-mono whitespace-nowrap tracking-[-0.03em]', className)}>
      <span className="sr-only">
        {t(
          '{d, plural, one {# day} other {# days}}, {h, plural, one {# hour} other {# hours}}, {m, plural, one {# ' +
            'minute} other {# minutes}} left',
          parts,
        )}
      </span>
      <span aria-hidden>
        {(['d', 'h', 'm'] as const).map((unit, index) => (
          <span key={unit}>
            {index > 0 && ' '}
            {index > 0 ? String(parts[unit]).padStart(2, '0') : parts[unit]}
            <span className="text-fg-3">{units[index]}</span>
          </span>
        ))}
      </span>
    </span>
  )
}

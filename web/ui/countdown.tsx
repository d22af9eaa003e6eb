import { COUNTDOWN_INTERVAL_MS } from '../../contract/limits.ts'
import { MINUTE_MS } from '../../contract/time.ts'
import { useNow } from '../platform/clock.ts'
import { t, unbroken } from '../platform/i18n.ts'
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
  const [d, h, m] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60] as const
  return (
    <span role="timer" className={cx('font-mono whitespace-nowrap tracking-[-0.03em]', className)}>
      <span className="sr-only">
        {t(
          '{d, plural, one {# day} other {# days}}, {h, plural, one {# hour} other {# hours}}, {m, plural, one {# ' +
            'minute} other {# minutes}} left',
          { d, h, m },
        )}
      </span>
      <span aria-hidden>
        {[[d, t('d')] as const, [h, t('h')] as const, [m, t('m')] as const].map(([count, unit], index) => (
          <span key={unit}>
            {index > 0 ? `\u00A0${count < 10 ? 0 : ''}${count}` : count}
            <span className="text-fg-3">{unbroken(unit)}</span>
          </span>
        ))}
      </span>
    </span>
  )
}

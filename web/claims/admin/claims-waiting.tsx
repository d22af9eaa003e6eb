import { MessageSquareWarning } from 'lucide-react'
import { MINUTE_MS } from '../../../contract/time.ts'
import { useNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { Link } from '../../platform/navigation/router.tsx'
import { cx } from '../../ui/cx.ts'
import { useOpenClaims } from './claims-queries.ts'

/** On the dashboard: how many claims wait for an answer, and whether the promised time is over. */
export function ClaimsWaiting() {
  const { count, oldest } = useOpenClaims()
  const now = useNow(MINUTE_MS)
  if (count === 0) return null
  const isOverdue = oldest !== undefined && Date.parse(oldest.answerBy) <= now
  return (
    <Link
      to="/admin/claims"
      className="flex min-h-11 items-center gap-3 rounded-card border border-line bg-surface p-3.5 hover:border-line-2"
    >
      <MessageSquareWarning size={18} aria-hidden className={cx('shrink-0', isOverdue ? 'text-bad' : 'text-warn')} />
      <span className="min-w-0">
        <span className="block font-medium">
          {t('{count, plural, one {# claim waits} other {# claims wait}} for your answer', { count })}
        </span>
        {isOverdue && (
          <span className="block text-sm text-bad">
            {count === 1 ? t('The answer is overdue.') : t('The oldest is overdue.')}
          </span>
        )}
      </span>
    </Link>
  )
}

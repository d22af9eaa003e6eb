import { MessageSquareWarning } from 'lucide-react'
import { PAGE_SIZE_MAX } from '../../../contract/limits.ts'
import { MINUTE_MS } from '../../../contract/time.ts'
import { useNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { Link } from '../../platform/navigation/router.tsx'
import { NEED, NEED_WORDS } from '../../ui/admin/need.ts'
import { cx } from '../../ui/cx.ts'
import { useOpenClaims, useOverdueClaims } from './claims-queries.ts'

/** On the dashboard: how many claims wait for an answer, and for how many the promised time is over. */
export function ClaimsWaiting() {
  const { count, oldest } = useOpenClaims()
  const now = useNow(MINUTE_MS)
  const isOverdue = oldest !== undefined && Date.parse(oldest.answerBy) <= now
  const overdue = useOverdueClaims(now, isOverdue && count > 1)
  if (count === 0) return null
  return (
    <Link to="/admin/claims" className={cx(NEED, 'hover:bg-hover/40')}>
      <MessageSquareWarning size={18} aria-hidden className={cx('shrink-0', isOverdue ? 'text-bad' : 'text-warn')} />
      <span className={NEED_WORDS}>
        <span className="block font-medium">
          {t('{count, plural, one {# claim waits} other {# claims wait}} for your answer', { count })}
        </span>
        {isOverdue && <span className="block text-xs text-bad">{overdueText(count, overdue)}</span>}
      </span>
    </Link>
  )
}

function overdueText(count: number, overdue: number | undefined): string {
  if (count === 1) return t('The answer is overdue.')
  // Its line stays, so that nothing below moves once the count is here
  if (overdue === undefined) return '\u00A0'
  if (overdue >= count) return t('All of them are overdue.')
  return t('{count} of them overdue', { count: overdue < PAGE_SIZE_MAX ? overdue : `${overdue}+` })
}

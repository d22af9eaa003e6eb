import { MessageSquareWarning } from 'lucide-react'
import { t } from '../../platform/i18n.ts'
import { Link } from '../../platform/navigation/router.tsx'
import { useOpenClaims } from './claims-queries.ts'

/** On the dashboard: how many claims wait for an answer. */
export function ClaimsWaiting() {
  const count = useOpenClaims()
  if (count === 0) return null
  return (
    <Link
      to="/admin/claims"
      className="flex min-h-11 items-center gap-3 rounded-card border border-line bg-surface p-3.5 hover:border-line-2"
    >
      <MessageSquareWarning size={18} aria-hidden className="shrink-0 text-warn" />
      <span className="min-w-0 font-medium">
        {t('{count, plural, one {# claim waits} other {# claims wait}} for your answer', { count })}
      </span>
    </Link>
  )
}

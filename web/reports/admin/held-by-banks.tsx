import { Snowflake } from 'lucide-react'
import { dayOf, daysBetween } from '../../../contract/india.ts'
import type { Overview } from '../../../contract/reports.ts'
import { MINUTE_MS } from '../../../contract/time.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { calls } from '../../platform/admin/roles.ts'
import { useNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { NEED, NEED_WORDS } from '../../ui/admin/need.ts'

/** On the dashboard: what banks hold of the store’s money, and for how many days, because their time is counted. */
export function HeldByBanks({ held }: { held: Overview['held'] | undefined }) {
  const now = useNow(MINUTE_MS)
  if (!held?.since) return null
  const days = daysBetween(dayOf(held.since), dayOf(now))
  return (
    <AllowedLink
      call={calls.payments.list}
      to="/admin/payment-manager"
      search={{ status: 'all', bank: 'held' }}
      className={`${NEED} hover:bg-hover/40`}
    >
      <Snowflake size={18} aria-hidden className="shrink-0 text-warn" />
      <span className={NEED_WORDS}>
        <span className="block font-medium">{t('Held by banks: {amount}', { amount: formatRupees(held.amount) })}</span>
        <span className="block text-xs text-fg-2">
          {t('{count, plural, one {# payment} other {# payments}}', { count: held.count })}
          {' · '}
          {days === 0 ? t('since today') : t('{count, plural, one {for # day} other {for # days}}', { count: days })}
        </span>
      </span>
    </AllowedLink>
  )
}

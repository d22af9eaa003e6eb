import { CircleCheck, CircleX, Clock3, History } from 'lucide-react'
import type { ReactNode } from 'react'
import type { WishReason } from '../../contract/orders.ts'
import type { OwnTopUp } from '../../contract/payments.ts'
import { sayReason } from '../../contract/reason-words.ts'
import { RECENT_MS, recentRequests } from '../payments/recent-requests.ts'
import { useOwnRequests } from '../payments/use-own-requests.ts'
import { useNow } from '../platform/clock.ts'
import { t } from '../platform/i18n.ts'
import { formatRupees, sumRupees } from '../platform/money.ts'

const ICONS = { pending: Clock3, approved: CircleCheck, rejected: CircleX }
const TONES = { pending: 'text-warn', approved: 'text-ok', rejected: 'text-bad' }

/**
 * Reports on recent top-ups in one line. The line shows without any too, so that nothing moves when the answer arrives.
 * @param otherwise shown if nothing is pending or was reviewed within a day
 */
export function RequestLine({ otherwise }: { otherwise: ReactNode }) {
  const requests = useOwnRequests()
  const now = useNow(RECENT_MS / 24)
  const recent = recentRequests(requests.data ?? [], now)
  const pending = recent.filter(({ status }) => status === 'pending')
  const newest = pending[0] ?? recent[0]
  const Icon = newest ? ICONS[newest.status] : History
  return (
    <>
      <Icon size={16} aria-hidden className={`shrink-0 ${newest ? TONES[newest.status] : 'text-fg-3'}`} />
      <span aria-live="polite" className="line-clamp-2 min-w-0 flex-1 text-left large-text:line-clamp-none">
        {pending.length > 1
          ? t('{count} pending · {amount}', {
              count: pending.length,
              amount: formatRupees(sumRupees(pending.map(({ amount }) => amount))),
            })
          : newest
            ? words(newest)
            : otherwise}
      </span>
      {pending.length === 0 && recent.length > 1 && (
        <span className="shrink-0 text-xs text-fg-3">{t('+{count} more', { count: recent.length - 1 })}</span>
      )}
    </>
  )
}

/** The buyer ended it, or asks for another thing. */
const isOwnEnd = (reason: WishReason | undefined) => reason === 'cancelled' || reason === 'replaced'

function words({ status, amount, credited, reason, then }: OwnTopUp): string {
  const values = { amount: formatRupees(status === 'approved' ? credited : amount), reason: sayReason(t, reason) }
  if (status === 'pending') return t('Awaiting approval: {amount}', values)
  if (status === 'approved')
    return then?.state === 'ended' && !isOwnEnd(then.reason)
      ? t('Approved: {amount} added, nothing bought', values)
      : t('Approved: {amount} added', values)
  return t(reason ? 'Rejected: {amount}. {reason}' : 'Rejected: {amount}', values)
}

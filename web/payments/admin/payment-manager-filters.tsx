import { X } from 'lucide-react'
import { formatDate } from '../../platform/dates.ts'
import { t } from '../../platform/i18n.ts'
import { useNavigate } from '../../platform/router.tsx'
import { Button } from '../../ui/button.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import type { PaymentList } from './use-payment-list.ts'

const PATH = '/admin/payment-manager'

/** The status to list. */
export function PaymentFilters({ payments: { list, filter } }: { payments: PaymentList }) {
  return (
    <Segmented
      label={t('Show payments')}
      value={filter}
      onChange={(next) => list.setStatus(next === 'pending' ? undefined : next)}
      className="w-full sm:w-auto [&>button]:px-1.5 sm:[&>button]:px-3"
      options={[
        { value: 'pending', label: t('Pending') },
        { value: 'all', label: t('All') },
        { value: 'approved', label: t('Approved') },
        { value: 'rejected', label: t('Rejected') },
      ]}
    />
  )
}

/** One button for each filter that a link from another screen has set. In a sheet nobody would look for them. */
export function LinkFilters({ payments: { decidedOn, source } }: { payments: PaymentList }) {
  const navigate = useNavigate()
  if (!decidedOn && !source) return null
  return (
    <div className="flex flex-wrap gap-2">
      {decidedOn && (
        <Button
          size="sm"
          variant="secondary"
          icon={<X size={16} aria-hidden />}
          aria-label={t('Reviewed on {day}. Show all days', { day: formatDate(`${decidedOn}T12:00:00+05:30`) })}
          onClick={() => void navigate<typeof PATH>({ search: (present) => ({ ...present, decided: undefined }) })}
        >
          {t('Reviewed on {day}', { day: formatDate(`${decidedOn}T12:00:00+05:30`) })}
        </Button>
      )}
      {source && (
        <Button
          size="sm"
          variant="secondary"
          icon={<X size={16} aria-hidden />}
          aria-label={t('Top-up requests only. Show all payments')}
          onClick={() => void navigate<typeof PATH>({ search: (present) => ({ ...present, source: undefined }) })}
        >
          {t('Top-up requests')}
        </Button>
      )}
    </div>
  )
}

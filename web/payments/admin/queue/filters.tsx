import { t } from '../../../platform/i18n.ts'
import { navigate } from '../../../platform/navigation/router.tsx'
import { cx } from '../../../ui/cx.ts'
import { Segmented } from '../../../ui/fields/segmented.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import type { PaymentList } from './use-payment-list.ts'

const PATH = '/admin/payment-manager'

const PeriodFilter = lazyPart(
  () => import('../../../ui/admin/lists/period-filter.tsx').then((file) => file.PeriodFilter),
  { waiting: <div className="h-11" />, missing: 'line' },
)

/** The status and the days to list. What waits is listed whole. */
export function PaymentFilters({ payments: { list, filter, address } }: { payments: PaymentList }) {
  const isWhole = filter === 'pending'
  return (
    <>
      <Segmented
        label={t('Show payments')}
        value={filter}
        onChange={(next) => list.setStatus(next === 'pending' && !list.search ? undefined : next)}
        className="w-full sm:w-auto [&>button]:px-1.5 sm:[&>button]:px-3"
        options={[
          { value: 'pending', label: t('Pending') },
          { value: 'all', label: t('All') },
          { value: 'approved', label: t('Approved') },
          { value: 'rejected', label: t('Rejected') },
        ]}
      />
      {/* A phone keeps its place, so that another status doesn't move the sheet */}
      <fieldset disabled={isWhole} className={cx('contents', isWhole && 'wide:hidden')}>
        <PeriodFilter
          from={isWhole ? undefined : address.from}
          to={isWhole ? undefined : address.to}
          onChange={(period, replace) =>
            void navigate<typeof PATH>({ search: (present) => ({ ...present, page: undefined, ...period }), replace })
          }
        />
      </fieldset>
    </>
  )
}

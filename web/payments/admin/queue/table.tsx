import { PAYMENTS_PAGE_SIZE } from '../../../../contract/limits.ts'
import { useBankIsKnown } from '../../../bank/admin/bank-queries.ts'
import { t } from '../../../platform/i18n.ts'
import { cx } from '../../../ui/cx.ts'
import { DataTable } from '../../../ui/admin/lists/data-table.tsx'
import { controlsOf } from '../requests/actions.tsx'
import { columnsOf, faceOf, type RowContext } from '../requests/columns.tsx'
import { NoPayments } from './empty.tsx'
import type { PaymentList } from './use-payment-list.ts'

interface PaymentTableProps {
  payments: PaymentList
  context: RowContext
  currentId: string | undefined
  onCurrent: (id: string) => void
}

/** The rows, inside the element where the keys of the queue work. */
export function PaymentTable({ payments, context, currentId, onCurrent }: PaymentTableProps) {
  const { list, filter, query, rows, total } = payments
  const isBankKnown = useBankIsKnown()
  return (
    <div
      data-queue
      tabIndex={-1}
      className="-outline-offset-2!"
      // Keys decide about the row that has the focus, by keyboard or by pointer.
      onFocus={({ target }) => {
        const id = target.closest<HTMLElement>('[data-row]')?.dataset.row
        if (id !== undefined) onCurrent(id)
      }}
    >
      <DataTable
        label={t('Payments')}
        columns={columnsOf(context)}
        face={(payment) => faceOf(payment, context)}
        controls={controlsOf(context)}
        rows={isBankKnown ? rows : undefined}
        rowKey={(payment) => payment._id}
        rowClassName={(payment) => cx('max-wide:py-2', payment._id === currentId && 'bg-brand-bg/60!')}
        error={query.error}
        onRetry={query.refetch}
        skeletonRows={PAYMENTS_PAGE_SIZE}
        stale={query.isPlaceholderData}
        empty={
          <NoPayments
            filter={filter}
            search={list.search}
            isBeyond={list.page > 0 && total > 0}
            onFirst={() => list.setPage(0)}
            onAll={list.showAll}
          />
        }
      />
    </div>
  )
}

import { PAYMENTS_PAGE_SIZE } from '../../../../contract/limits.ts'
import type { Payment } from '../../../../contract/payments.ts'
import { t } from '../../../platform/i18n.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { BankActions, BankStrip, BankSummary } from '../../../bank/admin/queue/bank-strip.tsx'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { useMedia } from '../../../platform/use-media.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { ListPage } from '../../../ui/admin/lists/list-page.tsx'
import { Pagination } from '../../../ui/admin/lists/pagination.tsx'
import { SearchInput } from '../../../ui/fields/search-input.tsx'
import { openDialog } from '../../../ui/overlays/open-dialog.ts'
import { BulkBar } from './bulk.tsx'
import type { RowContext } from '../requests/columns.tsx'
import { LinkFilters, PaymentFilters } from './filters.tsx'
import { lastHeld, takeBack } from '../requests/held-approvals.ts'
import { isUndecided } from '../requests/decisions.ts'
import { useQueueKeys } from './keyboard.ts'
import { Arrivals, Finished, Folded } from './notices.tsx'
import { usePendingCount } from '../requests/queries.ts'
import { PaymentTable } from './table.tsx'
import { buyerOf, canDecide } from '../requests/words.ts'
import { useBulkApproval } from './use-bulk-approval.ts'
import { usePaymentList } from './use-payment-list.ts'
import { focusQueue, focusRow, useQueueCursor } from './use-queue-cursor.ts'

const TakeBackDialog = lazyPart(() =>
  import('../../../bank/admin/money/take-back-dialog.tsx').then((file) => file.TakeBackDialog),
)
const Deletion = lazyPart(() => import('../requests/deletion-dialog.tsx').then((file) => file.Deletion))
const KeyHints = lazyPart(() => import('./key-hints.tsx').then((file) => file.KeyHints), {
  missing: 'nothing',
})
const RejectDialog = lazyPart(() => import('../requests/reject-dialog.tsx').then((file) => file.RejectDialog))

/** The morning's queue: requests of buyers who have paid, to be approved or rejected, and all payments behind it. */
export function PaymentManagerScreen() {
  const queue = useQueue()
  const { payments, bulk, waiting, show, hasKeyboard } = queue
  const { list, filter, query, rows, open, folding, isDone, total } = payments
  usePageTitle(t('Payments'))
  return (
    <ListPage
      title={t('Payments')}
      heading={filter === 'pending' ? t('Pending top-ups') : t('Payments')}
      count={query.data?.total}
      isEstimate={query.data?.totalIsEstimate}
      summary={filter === 'pending' && <BankSummary />}
      actions={
        <>
          {hasKeyboard && <KeyHints />}
          <Arrivals count={isDone ? 0 : payments.arrivals} onShow={show} />
          {filter === 'pending' && <BankActions />}
        </>
      }
      search={<SearchInput label={t('Search name, UTR or phone')} value={list.search} onChange={list.setSearch} />}
      activeFilters={filter === 'pending' ? 0 : 1}
      filters={<PaymentFilters payments={payments} />}
      notice={
        <>
          <LinkFilters payments={payments} />
          <Finished isDone={isDone && !query.isFetching} left={waiting ?? 0} onShow={show} />
          {filter === 'pending' && <BankStrip />}
          {/* In the queue also over one request: with the next it would push that one from under a thumb */}
          {!isDone && (rows?.filter(canDecide).length ?? 0) > (filter === 'pending' ? 0 : 1) && (
            <BulkBar
              open={open}
              isQueue={filter === 'pending' && list.search === ''}
              isUndecided={(id) => isUndecided(payments.decisions.get(id))}
              chosen={bulk.chosen}
              onAll={bulk.tickAll}
              onApprove={(these) => void bulk.approveThese(these)}
            />
          )}
        </>
      }
      footer={
        <>
          {folding.count > 0 && <Folded {...folding} />}
          {total > 0 && (
            <Pagination
              page={list.page}
              pageSize={PAYMENTS_PAGE_SIZE}
              total={total}
              isEstimate={query.data?.totalIsEstimate}
              onPage={list.setPage}
            />
          )}
        </>
      }
    >
      <PaymentTable
        payments={payments}
        context={queue.context}
        currentId={queue.cursor.currentId}
        onCurrent={queue.cursor.setCurrentId}
      />
    </ListPage>
  )
}

/** The list with its keys, its bulk approval and its dialogs. */
function useQueue() {
  const payments = usePaymentList()
  const { decisions, gone, isOpen, approve } = payments
  const waiting = usePendingCount()
  const hasKeyboard = useMedia('(hover: hover) and (pointer: fine) and (width > 900px)')
  const bulk = useBulkApproval(payments)
  const cursor = useQueueCursor(payments)
  const { current, goOn, setCurrentId } = cursor
  const askWhy = (payment: Payment) =>
    openDialog(RejectDialog, { payment, onReject: payments.reject, onRejected: () => goOn(payment) })

  useQueueKeys({
    move: cursor.move,
    approve() {
      if (!current || !isOpen(current) || denied(calls.payments.approve)) return
      void approve(current)
      goOn(current)
    },
    undo() {
      const id = lastHeld()
      if (id === undefined) return
      takeBack(id)
      focusRow(id)
    },
    reject() {
      if (!current || !isOpen(current) || denied(calls.payments.reject)) return
      askWhy(current)
    },
  })
  const show = () => {
    // The waiting requests have moved up, so this page may be beyond the last one by now.
    if (payments.isDone && payments.list.page > 0) payments.list.setPage(0)
    else payments.renew()
    bulk.clear()
  }
  const context: RowContext = {
    decisions,
    gone,
    placeOf: ({ _id }) => payments.rows?.findIndex((each) => each._id === _id) ?? -1,
    ticked: bulk.ticked,
    isOpen,
    tick: bulk.tick,
    approve: (payment, isByKey) => {
      setCurrentId(payment._id)
      void approve(payment)
      // The button goes with the decision, and a focus on it would go too.
      if (isByKey) goOn(payment)
      // A phone has no keys to keep alive, and its screen reader would jump away from the row.
      else if (hasKeyboard) focusQueue()
    },
    reject: (payment) => {
      setCurrentId(payment._id)
      askWhy(payment)
    },
    remove: (payment) => openDialog(Deletion, { payment, onDeleted: payments.drop }),
    withdraw: (payment) =>
      openDialog(TakeBackDialog, { topUp: { id: payment._id, username: buyerOf(payment), amount: payment.amount } }),
  }
  return { payments, waiting, hasKeyboard, bulk, cursor, show, context }
}

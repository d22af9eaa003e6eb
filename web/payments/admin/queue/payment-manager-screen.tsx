import { PAYMENTS_PAGE_SIZE } from '../../../../contract/limits.ts'
import { paymentsOn } from '../../../../contract/panel-pages.ts'
import { files } from '../../../platform/admin/download.ts'
import { t } from '../../../platform/i18n.ts'
import { BankActions, BankStrip, BankSummary } from '../../../bank/admin/queue/bank-strip.tsx'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { useExport } from '../../../ui/admin/lists/export-action.tsx'
import { ListPage } from '../../../ui/admin/lists/list-page.tsx'
import { Pagination } from '../../../ui/admin/lists/pagination.tsx'
import { SearchInput } from '../../../ui/fields/search-input.tsx'
import { BulkBar } from './bulk.tsx'
import { PaymentFilters } from './filters.tsx'
import { isUndecided } from '../requests/decisions.ts'
import { Arrivals, Finished, Folded } from './notices.tsx'
import { PaymentTable } from './table.tsx'
import { canDecide } from '../requests/words.ts'
import { useQueue } from './use-queue.ts'

const LinkFilters = lazyPart(() => import('./link-filters.tsx').then((file) => file.LinkFilters), { missing: 'line' })
const KeyHints = lazyPart(() => import('./key-hints.tsx').then((file) => file.KeyHints), {
  missing: 'nothing',
})

/** The morning's queue: requests of buyers who have paid, to be approved or rejected, and all payments behind it. */
export function PaymentManagerScreen() {
  const queue = useQueue()
  const { payments, bulk, waiting, show, hasKeyboard } = queue
  const { list, filter, query, rows, open, folding, isDone, total } = payments
  usePageTitle(t('Payments'))
  const exporting = useExport({
    name: 'payments.csv',
    disabled: !query.data?.total,
    // The page is not the export's, and the store drops it
    fetch: (options) => files.payments.exportPayments(paymentsOn(payments.address).input, options),
  })
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
      activeFilters={[filter !== 'pending', payments.address.from ?? payments.address.to].filter(Boolean).length}
      more={filter === 'pending' ? [] : [exporting]}
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
              onPage={(next) => list.setPage(next, query.data?.payments)}
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

import { useState } from 'react'
import { flushSync } from 'react-dom'
import { X } from 'lucide-react'
import { PAYMENTS_PAGE_SIZE } from '../../../contract/limits.ts'
import type { Payment } from '../../../contract/payments.ts'
import { formatDate } from '../../platform/dates.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import { formatCount, formatRupees, sumRupees } from '../../platform/money.ts'
import { usePageTitle } from '../../platform/page-title.ts'
import { useNavigate, useSearch } from '../../platform/router.tsx'
import { useMedia } from '../../platform/use-media.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/confirm.ts'
import { cx } from '../../ui/cx.ts'
import { DataTable } from '../../ui/admin/data-table.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { ListPage } from '../../ui/admin/list-page.tsx'
import { Pagination } from '../../ui/admin/pagination.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { isUndecided, useDecisions, type Summary } from './payment-manager-decisions.ts'
import { useQueueKeys } from './payment-manager-keyboard.ts'
import { usePayments, usePendingCount } from './payment-manager-queries.ts'
import { useSteadyRows } from './payment-manager-rows.ts'
import { isSuspicious } from './payment-manager-risk-signals.ts'
import { buyerOf, canDecide, creditedBy } from './payment-manager-words.ts'
import { BulkBar, BulkSummary } from './payment-manager-bulk.tsx'
import { columnsOf, type RowContext } from './payment-manager-columns.tsx'
import { Arrivals, Finished } from './payment-manager-notices.tsx'
import { toFilter } from './payment-manager-filters.tsx'
import { NoPayments } from './payment-manager-empty.tsx'

const Deletion = lazyPart(() => import('./payment-manager-deletion.tsx').then((file) => file.Deletion))

const KeyHints = lazyPart(() => import('./payment-manager-key-hints.tsx').then((file) => file.KeyHints), {
  missing: 'nothing',
})

const RejectDialog = lazyPart(() => import('./payment-manager-reject.tsx').then((file) => file.RejectDialog))

const PATH = '/admin/payment-manager'

const NOBODY: ReadonlySet<string> = new Set()

/** The morning's queue: requests of buyers who have paid, to be approved or rejected, and all payments behind it. */
export function PaymentManagerScreen() {
  const list = useListSearch(PATH)
  const navigate = useNavigate()
  const filter = toFilter(list.status)
  const { decided: decidedOn, source } = useSearch(PATH)
  // Who has waited longest comes first; everything else is looked up from the newest on.
  const order = filter === 'pending' ? 'oldest' : 'newest'
  const status = filter === 'all' ? undefined : filter
  const query = usePayments({ search: list.search, status, decidedOn, source, order, page: list.page })
  const waiting = usePendingCount()
  const hasKeyboard = useMedia('(hover: hover) and (pointer: fine) and (width > 900px)')
  usePageTitle(waiting ? t('({count}) Payments', { count: formatCount(waiting) }) : t('Payments'))

  const fresh = query.isPlaceholderData ? undefined : query.data?.payments
  const slice = { order, isFirstPage: list.page === 0, pageSize: PAYMENTS_PAGE_SIZE } as const
  const {
    rows,
    arrivals = 0,
    gone = NOBODY,
    renew,
    drop,
  } = useSteadyRows(`${filter} ${decidedOn} ${source} ${list.page} ${list.search}`, fresh, slice)
  const { decisions, approve, reject, approveAll } = useDecisions()
  const [currentId, setCurrentId] = useState<string>()
  const [ticked, setTicked] = useState<ReadonlySet<string>>(NOBODY)
  const [summary, setSummary] = useState<Summary>()
  const [isBulk, setBulk] = useState(false)
  const rejection = useDialog<{ payment: Payment }>()
  const deletion = useDialog<{ payment: Payment }>()

  const isOpen = (payment: Payment) =>
    canDecide(payment) && !gone.has(payment._id) && isUndecided(decisions.get(payment._id))
  const open = rows?.filter(isOpen) ?? []
  // The answer to its approval was lost, and it is decided all the same.
  const isDecidedSince = ({ _id }: Payment) => {
    const row = rows?.find((payment) => payment._id === _id)
    return row !== undefined && !isOpen(row) && isUndecided(decisions.get(_id))
  }
  if (summary?.failed.some(({ payment }) => isDecidedSince(payment))) {
    const failed = summary.failed.filter(({ payment }) => !isDecidedSince(payment))
    setSummary(failed.length > 0 || summary.approved > 0 ? { ...summary, failed } : undefined)
  }
  const chosen = open.filter((payment) => ticked.has(payment._id))
  const current = rows?.find((payment) => payment._id === currentId)

  const go = (payment: Payment | undefined) => {
    if (!payment) return
    setCurrentId(payment._id)
    focusRow(payment._id)
  }
  const move = (by: 1 | -1) => {
    if (!rows) return
    const at = rows.findIndex((payment) => payment._id === currentId)
    go(at < 0 ? rows[0] : rows[at + by])
  }
  const goOn = (from: Payment) => {
    const at = rows?.findIndex((payment) => payment._id === from._id) ?? -1
    const next = rows?.find((payment, index) => index > at && isOpen(payment))
    if (next) go(next)
    else focusQueue()
  }
  useQueueKeys({
    move,
    approve() {
      if (isBulk || !current || !isOpen(current) || denied(calls.payments.approve)) return
      void approve(current)
      goOn(current)
    },
    reject() {
      if (isBulk || !current || !isOpen(current) || denied(calls.payments.reject)) return
      rejection.show({ payment: current })
    },
  })

  const tick = (id: string, on: boolean) => {
    const next = new Set(ticked)
    if (on) next.add(id)
    else next.delete(id)
    setTicked(next)
  }
  const approveChosen = async () => {
    const count = chosen.length
    const suspects = chosen.filter(isSuspicious)
    const isSure = await confirm({
      title: t('Approve {count, plural, one {# request} other {# requests}}?', { count }),
      body: [
        t('{amount} will be credited to {names}.', {
          amount: formatRupees(sumRupees(chosen.map(creditedBy))),
          names: chosen.map(buyerOf).join(', '),
        }),
        ...(suspects.length > 0
          ? [t('Check these carefully: {names}.', { names: suspects.map(buyerOf).join(', ') })]
          : []),
      ].join(' '),
      confirmLabel: t('Approve {count}', { count }),
    })
    if (!isSure) return
    setBulk(true)
    setSummary(undefined)
    setSummary(await approveAll(chosen))
    setTicked(NOBODY)
    setBulk(false)
  }
  const closed = (rows?.length ?? 0) - open.length
  const isDone = filter === 'pending' && rows !== undefined && rows.length > 0 && open.length === 0
  const show = () => {
    // Whoever waits has moved up, and this page may be beyond the last one by now.
    if (isDone && list.page > 0) list.setPage(0)
    else renew()
    setTicked(NOBODY)
    setSummary(undefined)
  }

  const context: RowContext = {
    decisions,
    gone,
    ticked,
    isBulk,
    isOpen,
    tick,
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
      rejection.show({ payment })
    },
    remove: (payment) => deletion.show({ payment }),
  }
  const total = query.data?.total ?? 0
  return (
    <ListPage
      title={t('Payment manager')}
      heading={filter === 'pending' ? t('Pending top-ups') : t('Payments')}
      count={query.data?.total}
      isEstimate={query.data?.totalIsEstimate}
      actions={
        <>
          {hasKeyboard && <KeyHints />}
          <Arrivals count={isDone ? 0 : arrivals} onShow={show} />
          {order === 'oldest' && !isDone && closed > 0 && (
            <Button size="sm" variant="secondary" disabled={isBulk} onClick={show}>
              {t('Clear {count} reviewed', { count: closed })}
            </Button>
          )}
        </>
      }
      search={<SearchInput label={t('Search name, UTR or phone')} value={list.search} onChange={list.setSearch} />}
      filters={
        <>
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
        </>
      }
      notice={
        <>
          <Finished isDone={isDone && !query.isFetching} left={waiting ?? 0} onShow={show} />
          <BulkBar
            // Stays while the last of them are decided, so that the rows do too.
            isShown={!isDone && (rows?.filter(canDecide).length ?? 0) > 1}
            open={open}
            chosen={chosen}
            pending={isBulk}
            onAll={(on) => setTicked(on ? new Set(open.map((payment) => payment._id)) : NOBODY)}
            onApprove={() => void approveChosen()}
          />
          <BulkSummary summary={summary} onClose={() => setSummary(undefined)} />
        </>
      }
      footer={
        total > 0 && (
          <Pagination
            page={list.page}
            pageSize={PAYMENTS_PAGE_SIZE}
            total={total}
            isEstimate={query.data?.totalIsEstimate}
            onPage={list.setPage}
          />
        )
      }
    >
      <div
        data-queue
        tabIndex={-1}
        className="-outline-offset-2!"
        // Keys decide about the row that one is in, however one got there.
        onFocus={({ target }) => {
          const id = target.closest<HTMLElement>('[data-row]')?.dataset.row
          if (id !== undefined) setCurrentId(id)
        }}
      >
        <DataTable
          label={t('Payments')}
          columns={columnsOf(context)}
          rows={rows}
          rowKey={(payment) => payment._id}
          rowClassName={(payment) => cx(payment._id === currentId && 'bg-brand-bg/60!')}
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
              onAll={() => list.setStatus('all')}
            />
          }
        />
      </div>
      {rejection.target && (
        <RejectDialog
          key={`reject-${rejection.turn}`}
          open={rejection.open}
          payment={rejection.target.payment}
          onClose={rejection.close}
          onReject={async (payment, reason) => {
            const failure = await reject(payment, reason)
            if (failure !== undefined) return failure
            // The dialog gives the focus back to the button that opened it, and then it goes on.
            flushSync(rejection.close)
            goOn(payment)
            return undefined
          }}
        />
      )}
      {deletion.target && (
        <Deletion
          key={`delete-${deletion.turn}`}
          open={deletion.open}
          payment={deletion.target.payment}
          onClose={deletion.close}
          onDeleted={drop}
        />
      )}
    </ListPage>
  )
}

/** After the row has been drawn as the current one. */
function focusRow(id: string): void {
  requestAnimationFrame(() => {
    const row = document.querySelector<HTMLElement>(`[data-row="${id}"]`)
    row?.scrollIntoView({ block: 'nearest' })
    const target = row?.querySelector<HTMLElement>('[data-approve]') ?? row?.querySelector<HTMLElement>('button')
    target?.focus({ preventScroll: true })
  })
}

function focusQueue(): void {
  document.querySelector<HTMLElement>('[data-queue]')?.focus({ preventScroll: true })
}

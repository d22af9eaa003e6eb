import { PAYMENTS_PAGE_SIZE } from '../../../../contract/limits.ts'
import { paymentsShown } from '../../../../contract/panel-pages.ts'
import type { Payment, PaymentStatus } from '../../../../contract/payments.ts'
import { useListSearch } from '../../../platform/admin/list-search.ts'
import { useSearch } from '../../../platform/navigation/router.tsx'
import { isUndecided, useDecisions } from '../requests/decisions.ts'
import { usePayments } from '../requests/queries.ts'
import { useSteadyRows } from './rows.ts'
import { canDecide } from '../requests/words.ts'
import { useEffect, useState } from 'react'

const PATH = '/admin/payment-manager'
const NOBODY: ReadonlySet<string> = new Set()

export type PaymentFilter = PaymentStatus | 'all'

export type PaymentList = ReturnType<typeof usePaymentList>

/** Loads the payments that the address asks for, and keeps the decisions made about them here. */
export function usePaymentList() {
  const list = useListSearch(PATH)
  const address = useSearch(PATH)
  const filter: PaymentFilter = paymentsShown(address)
  const order: 'oldest' | 'newest' = filter === 'pending' ? 'oldest' : 'newest'
  const query = usePayments(address)

  const fresh = query.isPlaceholderData ? undefined : query.data?.payments
  const slice = { order, isFirstPage: list.page === 0, pageSize: PAYMENTS_PAGE_SIZE } as const
  const { rows, arrivals = 0, gone = NOBODY, renew, drop } = useSteadyRows(JSON.stringify(address), fresh, slice)
  const { decisions, approve, approveOther, reject, approveAll, show } = useDecisions()

  const isOpen = (payment: Payment) =>
    canDecide(payment) && !gone.has(payment._id) && isUndecided(decisions.get(payment._id))
  const open = rows?.filter(isOpen) ?? []
  const isHeld = ({ _id }: Payment) => decisions.get(_id)?.phase === 'held'
  const held = rows?.filter(isHeld).length ?? 0
  const closed = rows?.filter((payment) => !isOpen(payment) && !isHeld(payment)) ?? []
  const folding = useFolding(
    // A failed decision stays, so that its error is read
    closed.flatMap(({ _id }) => (decisions.get(_id)?.phase === 'failed' ? [] : [_id])),
    order === 'oldest' && open.length > 0 && held === 0,
  )
  const fold = rows?.filter(({ _id }) => folding.folded.has(_id)) ?? []
  const unfolded = rows?.filter((payment) => !fold.includes(payment))
  return {
    list,
    filter,
    address,
    order,
    query,
    /** The rows. Reviewed requests come last, or are folded into one line. */
    rows: unfolded && (folding.isOpen || unfolded.length === 0 ? [...unfolded, ...fold] : unfolded),
    folding: { count: fold.length, isOpen: folding.isOpen, toggle: folding.toggle },
    arrivals,
    gone,
    // Only the queue lets go of what is decided. The other lists show what became of it
    renew: () => renew(order === 'oldest' ? new Set(closed.map(({ _id }) => _id)) : undefined),
    drop,
    decisions,
    approve,
    approveOther,
    reject,
    approveAll,
    show,
    isOpen,
    /** Requests of this page that can still be approved or rejected. */
    open,
    /** True if every request of this page has been decided. */
    isDone: filter === 'pending' && rows !== undefined && rows.length > 0 && open.length + held === 0,
    total: query.data?.total ?? 0,
  }
}

/** After so long without a decision, the last result was read. */
const PAUSE_MS = 3_000

/**
 * Folds what is reviewed in a pause: the rows below move up then, and no thumb should be on its way.
 * @param isPause false while an approval can be taken back, and where nothing is folded
 */
function useFolding(reviewed: readonly string[], isPause: boolean) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [isOpen, setOpen] = useState(false)
  const ids = reviewed.join(' ')
  useEffect(() => {
    if (!isPause || ids === '') return undefined
    const timer = setTimeout(() => setFolded(new Set(ids.split(' '))), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [ids, isPause])
  return { folded, isOpen, toggle: () => setOpen(!isOpen) }
}

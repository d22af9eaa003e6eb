import type { Payment } from '../../../../contract/payments.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { useMedia } from '../../../platform/use-media.ts'
import { openDialog } from '../../../ui/overlays/open-dialog.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import type { RowContext } from '../requests/columns.tsx'
import { lastHeld, takeBack } from '../requests/held-approvals.ts'
import { usePendingCount } from '../requests/queries.ts'
import { buyerOf } from '../requests/words.ts'
import { useQueueKeys } from './keyboard.ts'
import { useBulkApproval } from './use-bulk-approval.ts'
import { usePaymentList } from './use-payment-list.ts'
import { focusQueue, focusRow, useQueueCursor } from './use-queue-cursor.ts'

const TakeBackDialog = lazyPart(() =>
  import('../../../bank/admin/money/take-back-dialog.tsx').then((file) => file.TakeBackDialog),
)
const AmountDialog = lazyPart(() => import('../requests/amount-dialog.tsx').then((file) => file.AmountDialog))
const Deletion = lazyPart(() => import('../requests/deletion-dialog.tsx').then((file) => file.Deletion))
const HoldDialog = lazyPart(() => import('../requests/hold-dialog.tsx').then((file) => file.HeldDialog))
const RejectDialog = lazyPart(() => import('../requests/reject-dialog.tsx').then((file) => file.RejectDialog))

/** The list with its keys, its bulk approval and its dialogs. */
export function useQueue() {
  const payments = usePaymentList()
  const { decisions, gone, isOpen, approve } = payments
  const waiting = usePendingCount()
  const hasKeyboard = useMedia('(hover: hover) and (pointer: fine) and (min-width: 901px)')
  const bulk = useBulkApproval(payments)
  const cursor = useQueueCursor(payments)
  const { goOn, setCurrentId } = cursor
  const askWhy = (payment: Payment) =>
    openDialog(RejectDialog, { payment, onReject: payments.reject, onRejected: () => goOn(payment) })

  const byKey = (call: Parameters<typeof denied>[0], decide: (payment: Payment) => void) => () => {
    const current = cursor.current()
    if (current && isOpen(current) && !denied(call)) decide(current)
  }
  useQueueKeys({
    move: cursor.move,
    approve: byKey(calls.payments.approve, (payment) => {
      void approve(payment)
      goOn(payment)
    }),
    undo() {
      const id = lastHeld()
      if (id === undefined) return
      takeBack(id)
      focusRow(id)
    },
    reject: byKey(calls.payments.reject, askWhy),
  })
  const show = () => {
    // The waiting requests have moved up, so this page may be beyond the last one by now.
    if (payments.isDone && payments.list.page > 0) payments.list.setPage(0)
    else payments.renew()
    bulk.tickAll(false)
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
    approveOther: (payment) => openDialog(AmountDialog, { payment, onApprove: payments.approveOther }),
    remove: (payment) => openDialog(Deletion, { payment, onDeleted: payments.drop }),
    withdraw: (payment) =>
      openDialog(TakeBackDialog, {
        topUp: { id: payment._id, username: buyerOf(payment), amount: payment.amount },
        onTaken: payments.show,
      }),
    hold: (payment) => openDialog(HoldDialog, { payment, onDone: payments.show }),
  }
  return { payments, waiting, hasKeyboard, bulk, cursor, show, context }
}

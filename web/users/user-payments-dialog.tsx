import { ReceiptIndianRupee } from 'lucide-react'
import type { Payment, PaymentStatus } from '../../contract/payments.ts'
import type { AdminUser } from '../../contract/users.ts'
import { isRequest, kindOf } from '../payments/payment-manager-words.ts'
import { t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { Link } from '../platform/router.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Loading, Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { useUserPayments } from './user-queries.ts'

interface UserPaymentsDialogProps {
  open: boolean
  user: AdminUser
  onClose: () => void
}

/** What moved one user's money. */
export function UserPaymentsDialog({ open, user, onClose }: UserPaymentsDialogProps) {
  const payments = useUserPayments(user._id)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="wide"
      title={t('Payments of {name}', { name: user.username })}
      description={t('Balance {amount}', { amount: formatRupees(user.balance) })}
      footer={
        <Link
          to="/admin/payment-manager"
          search={{ status: 'all', search: user.email }}
          className={buttonClass({ variant: 'secondary' })}
        >
          {t('Open in Payments')}
        </Link>
      }
    >
      {/* Scrolls by keyboard too, which needs something to focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section tabIndex={0} aria-label={t('Payments')} className="min-h-60 rounded-control" data-autofocus>
        <Content payments={payments} />
      </section>
    </Dialog>
  )
}

function Content({ payments }: { payments: ReturnType<typeof useUserPayments> }) {
  const { data, error, refetch, isFetching } = payments
  if (error && !data) return <ErrorState error={error} onRetry={refetch} retrying={isFetching} />
  if (!data) {
    return (
      <Loading className="grid gap-4">
        {[1, 2, 3, 4].map((row) => (
          <Skeleton key={row} className="h-10" />
        ))}
      </Loading>
    )
  }
  if (data.length === 0) {
    return (
      <EmptyState
        icon={<ReceiptIndianRupee size={22} />}
        title={t('No payments yet')}
        text={t('Top-ups, purchases and your changes of the wallet will be listed here.')}
      />
    )
  }
  return (
    <ul className="divide-y divide-line">
      {data.map((payment) => (
        <Row key={payment._id} payment={payment} />
      ))}
    </ul>
  )
}

const TONES: Record<PaymentStatus, 'warn' | 'ok' | 'bad'> = { pending: 'warn', approved: 'ok', rejected: 'bad' }
const LABELS: Record<PaymentStatus, () => string> = {
  pending: () => t('Pending'),
  approved: () => t('Approved'),
  rejected: () => t('Rejected'),
}

function Row({ payment }: { payment: Payment }) {
  const { type, status, amount, productId, duration, utr, payerName, reason, createdAt } = payment
  const isOut = type === 'buy_key' || type === 'deduct_money'
  return (
    <li className="flex items-start justify-between gap-4 py-3 [contain-intrinsic-size:auto_4rem] [content-visibility:auto]">
      <div className="min-w-0 text-sm">
        <p className="font-medium wrap-anywhere">
          {kindOf(payment)}
          {productId && ` · ${productId.name}${duration && `, ${duration}`}`}
        </p>
        {isRequest(payment) && (
          <p className="font-mono text-xs wrap-anywhere text-fg-2">
            {utr} · {payerName}
          </p>
        )}
        {reason && <p className="text-xs wrap-break-word text-bad">{t('Reason: {reason}', { reason })}</p>}
        <Time value={createdAt} className="text-xs text-fg-3" />
      </div>
      <div className="grid shrink-0 justify-items-end gap-1">
        <span className="tabular font-semibold">{isOut ? `−${formatRupees(amount)}` : formatRupees(amount)}</span>
        {(status !== 'approved' || isRequest(payment)) && <Chip tone={TONES[status]}>{LABELS[status]()}</Chip>}
      </div>
    </li>
  )
}

import { X } from 'lucide-react'
import type { Payment } from '../../../contract/payments.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { formatRupees, sumRupees } from '../../platform/money.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { type Summary } from './payment-manager-decisions.ts'
import { buyerOf } from './payment-manager-words.ts'

interface BulkBarProps {
  isShown: boolean
  open: readonly Payment[]
  chosen: readonly Payment[]
  pending: boolean
  onAll: (on: boolean) => void
  onApprove: () => void
}

export function BulkBar({ isShown, open, chosen, pending, onAll, onApprove }: BulkBarProps) {
  if (!isShown && !pending) return null
  const isAll = chosen.length > 0 && chosen.length === open.length
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <label className="flex min-h-11 items-center gap-2.5 text-sm select-none">
        <input
          type="checkbox"
          className="checkbox"
          checked={isAll}
          disabled={pending || open.length === 0}
          onChange={(event) => onAll(event.target.checked)}
        />
        {chosen.length > 0
          ? t('{count} selected · {amount}', {
              count: chosen.length,
              amount: formatRupees(sumRupees(chosen.map((payment) => payment.amount))),
            })
          : t('Select all {count}', { count: open.length })}
      </label>
      {(chosen.length > 0 || pending) && (
        <Button size="sm" pending={pending} denied={denied(calls.payments.approve)} onClick={onApprove}>
          {t('Approve {count}', { count: chosen.length })}
        </Button>
      )}
    </div>
  )
}

export function BulkSummary({ summary, onClose }: { summary: Summary | undefined; onClose: () => void }) {
  return (
    <output className="block empty:hidden">
      {summary && (
        <div className="flex items-start gap-3 rounded-control border border-line-2 bg-sunken py-2 pr-1 pl-3.5 text-sm">
          <div className="grid min-w-0 flex-1 gap-1 py-1.5">
            <p className="font-medium">
              {t('{count, plural, one {# request} other {# requests}} approved, {amount} credited.', {
                count: summary.approved,
                amount: formatRupees(Math.round(summary.credited * 100) / 100),
              })}
            </p>
            {summary.failed.map(({ payment, message }) => (
              <p key={payment._id} className="text-bad">
                {t('{name}, {amount}: {message}', {
                  amount: formatRupees(payment.amount),
                  name: buyerOf(payment),
                  message,
                })}
              </p>
            ))}
          </div>
          <IconButton label={t('Dismiss')} icon={<X size={16} aria-hidden />} onClick={onClose} />
        </div>
      )}
    </output>
  )
}

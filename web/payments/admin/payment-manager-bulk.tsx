import { Undo2, X } from 'lucide-react'
import { SIDEBAR_BREAKPOINT_PX } from '../../../contract/limits.ts'
import type { Payment } from '../../../contract/payments.ts'
import { warningAbout } from '../../bank/admin/bank-line.tsx'
import { useConfirmed } from '../../bank/admin/bank-queries.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { formatRupees, sumRupees } from '../../platform/money.ts'
import { useMedia } from '../../platform/use-media.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { takeBack, useHeld } from './held-approvals.ts'
import type { Summary } from './payment-manager-decisions.ts'
import { buyerOf } from './payment-manager-words.ts'

interface BulkBarProps {
  isShown: boolean
  open: readonly Payment[]
  /** All requests that wait are listed, and nothing else. */
  isQueue: boolean
  chosen: readonly Payment[]
  onAll: (on: boolean) => void
  onApprove: (these: readonly Payment[]) => void
}

export function BulkBar({ isShown, open, isQueue, chosen, onAll, onApprove }: BulkBarProps) {
  const held = useHeld()
  const isWide = useMedia(`(width > ${SIDEBAR_BREAKPOINT_PX}px)`)
  const confirmed = (useConfirmed().data?.payments ?? []).filter(({ _id }) => !held.includes(_id))
  if (!isShown && held.length < 2) return null
  const isAll = chosen.length > 0 && chosen.length === open.length
  // “Select all” leaves out requests that the bank speaks against. An admin ticks or approves them one by one
  const agreed = open.filter((payment) => warningAbout(payment) === undefined)
  // A phone has room for one button, and what the bank confirms comes first
  const isByBank = !isWide && isQueue && chosen.length === 0 && confirmed.length > 0
  const meant = chosen.length > 0 ? chosen : isByBank ? confirmed : agreed
  const leftOut =
    chosen.length === 0 && held.length < 2 && !isByBank && meant.length < open.length
      ? open.filter(warningAbout).map(buyerOf).join(', ')
      : ''
  return (
    <div className="flex min-h-11 items-center justify-between gap-x-4 gap-y-2 wide:flex-wrap large-text:flex-wrap">
      <label className="flex min-h-11 min-w-0 items-center gap-2.5 text-sm select-none">
        <input
          type="checkbox"
          className="checkbox"
          checked={isAll}
          disabled={open.length === 0}
          onChange={(event) => onAll(event.target.checked)}
        />
        <span className="grid min-w-0">
          {chosen.length > 0
            ? t('{count} selected · {amount}', {
                count: chosen.length,
                amount: formatRupees(sumRupees(chosen.map((payment) => payment.amount))),
              })
            : t('Select all {count}', { count: open.length })}
          {leftOut && !isWide && (
            <span className="truncate text-xs text-warn">{t('Left out: {names}', { names: leftOut })}</span>
          )}
        </span>
      </label>
      {held.length > 1 ? (
        <Button
          size="sm"
          variant="secondary"
          icon={<Undo2 size={16} aria-hidden />}
          onClick={({ detail }) => detail < 2 && takeBack(...held)}
        >
          {t('Undo {count}', { count: held.length })}
        </Button>
      ) : (
        (chosen.length > 0 || isByBank || (open.length > 1 && agreed.length > 0)) && (
          <Button
            size="sm"
            variant={chosen.length > 0 || isByBank ? 'primary' : 'secondary'}
            denied={denied(calls.payments.approve)}
            // The second click of a double one would meet what has come in its place
            onClick={({ detail }) => detail < 2 && onApprove(meant)}
          >
            {chosen.length > 0
              ? t('Approve {count}', { count: meant.length })
              : isByBank
                ? t('Approve {count} confirmed', { count: meant.length })
                : meant.length < open.length
                  ? t('Approve {count} of {all}', { count: meant.length, all: open.length })
                  : t('Approve all {count}', { count: meant.length })}
          </Button>
        )
      )}
      {leftOut && isWide && (
        <p className="basis-full text-xs wrap-anywhere text-warn">
          {t('Left out, because the bank speaks against them: {names}.', { names: leftOut })}
        </p>
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

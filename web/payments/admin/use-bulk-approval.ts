import { useState } from 'react'
import type { Payment } from '../../../contract/payments.ts'
import { warningAbout } from '../../bank/admin/bank-line.tsx'
import { t } from '../../platform/i18n.ts'
import { formatRupees, sumRupees } from '../../platform/money.ts'
import { confirm } from '../../ui/confirm.ts'
import { isUndecided, type Summary } from './payment-manager-decisions.ts'
import { isSuspicious } from '../../../contract/review-requests.ts'
import { buyerOf, creditedBy } from './payment-manager-words.ts'
import type { PaymentList } from './use-payment-list.ts'

const NOBODY: ReadonlySet<string> = new Set()

/** Asks first if something speaks against a request. All others have an Undo instead. */
async function isSureAbout(these: readonly Payment[]): Promise<boolean> {
  const warnings = these.flatMap((payment) => {
    const message = warningAbout(payment)
    const words = { name: buyerOf(payment), amount: formatRupees(payment.amount) }
    return message === undefined ? [] : [t('{name}, {amount}: {message}.', { ...words, message })]
  })
  const suspects = these.filter((payment) => isSuspicious(payment) && warningAbout(payment) === undefined)
  if (warnings.length + suspects.length === 0) return true
  const count = these.length
  return confirm({
    title: t('Approve {count, plural, one {# request} other {# requests}}?', { count }),
    body: [
      t('{amount} will be credited to {names}.', {
        amount: formatRupees(sumRupees(these.map(creditedBy))),
        names: these.map(buyerOf).join(', '),
      }),
      ...warnings,
      ...(suspects.length > 0
        ? [t('Check these carefully: {names}.', { names: suspects.map(buyerOf).join(', ') })]
        : []),
    ].join(' '),
    confirmLabel: t('Approve {count}', { count }),
    danger: warnings.length > 0,
  })
}

/** Ticks requests of the list, and approves the ticked ones together. */
export function useBulkApproval(payments: Pick<PaymentList, 'rows' | 'open' | 'isOpen' | 'decisions' | 'approveAll'>) {
  const { rows, open, isOpen, decisions, approveAll } = payments
  const [ticked, setTicked] = useState<ReadonlySet<string>>(NOBODY)
  const [summary, setSummary] = useState<Summary>()
  const chosen = open.filter((payment) => ticked.has(payment._id))

  // The answer to its approval was lost, and it is decided all the same.
  const isDecidedSince = ({ _id }: Payment) => {
    const row = rows?.find((payment) => payment._id === _id)
    return row !== undefined && !isOpen(row) && isUndecided(decisions.get(_id))
  }
  if (summary?.failed.some(({ payment }) => isDecidedSince(payment))) {
    const failed = summary.failed.filter(({ payment }) => !isDecidedSince(payment))
    setSummary(failed.length > 0 || summary.approved > 0 ? { ...summary, failed } : undefined)
  }

  const tick = (id: string, on: boolean) => {
    const next = new Set(ticked)
    if (on) next.add(id)
    else next.delete(id)
    setTicked(next)
  }
  const approveThese = async (these: readonly Payment[]) => {
    if (!(await isSureAbout(these))) return
    setSummary(undefined)
    setTicked(NOBODY)
    const made = await approveAll(these)
    if (made.approved > 0 || made.failed.length > 0) setSummary(made)
  }
  return {
    ticked,
    tick,
    tickAll: (on: boolean) => setTicked(on ? new Set(open.map((payment) => payment._id)) : NOBODY),
    chosen,
    approveThese,
    summary,
    closeSummary: () => setSummary(undefined),
    clear: () => {
      setTicked(NOBODY)
      setSummary(undefined)
    },
  }
}

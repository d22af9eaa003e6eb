import type { Payment } from '../../../../contract/payments.ts'
import { warningAbout } from '../../../bank/admin/queue/bank-line.tsx'
import { serverNow } from '../../../platform/clock.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees, sumRupees } from '../../../platform/money.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { useTicks } from '../../../ui/admin/lists/ticks.tsx'
import { confirm } from '../../../ui/overlays/confirm.ts'
import { FAILURE_MS } from '../requests/decisions.ts'
import { isConfirmed, marksOf } from './marks.ts'
import { buyerOf, creditedBy } from '../requests/words.ts'
import type { PaymentList } from './use-payment-list.ts'

/** Names each buyer once: “diya (₹800), kabir (₹300)”. */
function sumsByName(these: readonly Payment[]): string {
  const names = [...new Set(these.map(buyerOf))]
  const sum = (name: string) => sumRupees(these.filter((each) => buyerOf(each) === name).map(creditedBy))
  return names.map((name) => `${name} (${formatRupees(sum(name))})`).join(', ')
}

/**
 * Asks about what is marked, with the sum of all, and each mark once.
 * @param more what else is to be said
 */
function isSureAbout(these: readonly Payment[], marked: readonly Payment[], more: readonly string[]): Promise<boolean> {
  const amount = formatRupees(sumRupees(these.map(creditedBy)))
  const count = these.length
  const marksNow = (payment: Payment) => marksOf(payment, serverNow())
  const said = [...new Set(marked.flatMap(marksNow))].map((mark) => {
    const those = marked.filter((payment) => marksNow(payment).includes(mark))
    return those.length === count ? mark : `${sumsByName(those)}: ${mark}`
  })
  return confirm({
    title: t('Approve {count, plural, one {# request} other {# requests}}?', { count }),
    body: [t('{amount} will be credited to {names}.', { amount, names: sumsByName(these) }), ...said, ...more].join(
      '\n\n',
    ),
    confirmLabel: t('Approve {count} · {amount}', { count, amount }),
    danger: marked.some((payment) => warningAbout(payment) !== undefined),
    rests: true,
  })
}

/** Ticks requests of the list, and approves several together. */
export function useBulkApproval({ rows, open, approveAll }: Pick<PaymentList, 'rows' | 'open' | 'approveAll'>) {
  const ticks = useTicks(open)
  const approveThese = async (wanted: readonly Payment[]) => {
    // Large payments are approved one by one
    const these = wanted.filter(({ large }) => !large)
    const left = (ticks.chosen.length > 0 ? wanted : open).filter(({ large }) => large).length
    const more =
      left > 0 ? [t('{count, plural, one {# large one} other {# large ones}} left to you', { count: left })] : []
    const marked = these.filter((payment) => marksOf(payment, serverNow()).length > 0)
    const isAsked = marked.length > 0
    if (!isAsked) more.forEach((text) => toast(text, { tone: 'info' }))
    else if (!(await isSureAbout(these, marked, more))) return
    if (these.length === 0) return
    ticks.tickAll(false)
    const { approved, credited, failed } = await approveAll(these, (one) => !isAsked && isConfirmed(one))
    if (approved > 0)
      toast(
        t('{count, plural, one {# request} other {# requests}} approved, {amount} credited.', {
          count: approved,
          amount: formatRupees(credited),
        }),
      )
    // The others say it in their rows
    const elsewhere = failed.filter(({ payment }) => !rows?.some(({ _id }) => _id === payment._id))
    const names = elsewhere.map(({ payment }) => buyerOf(payment)).join(', ')
    const [first] = elsewhere
    if (first)
      toast(t('Not approved: {names}. {message}', { names, message: first.message }), {
        tone: 'bad',
        durationMs: FAILURE_MS,
      })
  }
  return { ...ticks, approveThese }
}

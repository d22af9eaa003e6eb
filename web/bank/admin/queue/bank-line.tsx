import { CircleCheck, CircleHelp, Info, TriangleAlert } from 'lucide-react'
import type { Payment } from '../../../../contract/payments.ts'
import type { PaymentBank } from '../../../../contract/payment-signs.ts'
import { middayOf } from '../../../../contract/india.ts'
import { askFor } from '../../../../contract/panel-pages.ts'
import { formatDate, formatDateTime } from '../../../platform/dates.ts'
import { t } from '../../../platform/i18n.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { formatRupees } from '../../../platform/money.ts'
import { usePanel } from '../../../platform/admin/panel-query.ts'
import { useCall } from '../../../platform/calls/use-call.ts'
import { toast, toastError } from '../../../platform/navigation/toast.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { confirm } from '../../../ui/overlays/confirm.ts'
import { cx } from '../../../ui/cx.ts'
import { useLargeWarning } from './large.ts'
import { AT_ONCE } from '../bank-queries.ts'

const LOOKS = {
  ok: { tone: 'text-ok', Icon: CircleCheck },
  info: { tone: 'text-info', Icon: Info },
  warn: { tone: 'text-warn', Icon: TriangleAlert },
  bad: { tone: 'text-bad', Icon: TriangleAlert },
  quiet: { tone: 'text-fg-3', Icon: CircleHelp },
} as const

const LOOK_OF: Record<PaymentBank['verdict'], keyof typeof LOOKS> = {
  confirmed: 'ok',
  alert: 'info',
  proposed: 'info',
  hint: 'quiet',
  amount: 'warn',
  late: 'warn',
  differs: 'bad',
  rivals: 'bad',
  payer: 'bad',
  unseen: 'quiet',
}

const NO_DAY = /^\d{4}-\d{2}-\d{2}$/
const momentOf = (at: string) => (NO_DAY.test(at) ? formatDate(middayOf(at)) : formatDateTime(at))

/** What the bank says of a request, in one line. */
export function bankText(bank: PaymentBank): string {
  const { verdict, amount = 0, at, payer, seenTo, why, rivals = [] } = bank
  const money = [formatRupees(amount), at && momentOf(at), payer].filter(Boolean).join(' · ')
  switch (verdict) {
    case 'confirmed':
      return t('In the bank: {money}', { money })
    case 'alert':
      return t('Only an SMS alert so far: {money}.', { money })
    case 'proposed':
      return t('We read {amount}, {reference}, in this message. Compare, then approve.', {
        amount: formatRupees(amount),
        reference: why ?? '',
      })
    case 'hint':
      return t('Possible match: {money}. {why}.', { money, why: t(why ?? '') })
    case 'amount':
      return t('The bank shows {amount}', { amount: formatRupees(amount) })
    case 'late':
      return t('In the bank, but at another time: {money}', { money })
    case 'differs':
      return t('Alert and statement don’t match: {money}', { money })
    case 'rivals':
      return rivals.length > 0
        ? t('Also submitted by {names}', { names: rivals.join(', ') })
        : t('A request with this UTR was rejected before: {money}', { money })
    case 'payer':
      return t('This payer has paid for another user: {money}', { money })
    case 'unseen':
    default:
      if (why) return t('{sentence}.', { sentence: [why] })
      return seenTo === undefined
        ? t('Not seen in a statement')
        : t('Not in the bank yet (statements up to {day})', { day: formatDate(middayOf(seenTo)) })
  }
}

/** @returns what the bank says, if it speaks against the request */
export const warningAbout = ({ bank }: Payment): string | undefined =>
  bank && ['warn', 'bad'].includes(LOOK_OF[bank.verdict]) ? bankText(bank) : undefined

/** Asks once more about a request that the bank speaks against. */
export const isSureDespite = (warning: string, { amount }: Payment): Promise<boolean> =>
  confirm({
    title: t('Approve {amount} anyway?', { amount: formatRupees(amount) }),
    body: warning,
    confirmLabel: t('Approve'),
    danger: true,
    rests: true,
  })

/** @returns what the bank says of a request; undefined before the first statement, when it would be the same for all */
export const bankOf = ({ bank }: Payment): PaymentBank | undefined =>
  bank?.verdict === 'unseen' && !bank.why && bank.seenTo === undefined ? undefined : bank

/** The bank's word, in one line. */
export function BankWord({ bank }: { bank: PaymentBank }) {
  const { tone, Icon } = LOOKS[LOOK_OF[bank.verdict]]
  return (
    <p className={cx('flex items-start gap-1.5 text-xs', tone)}>
      <Icon size={16} aria-hidden className="shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {bankText(bank)}
        {bank.verdict === 'proposed' && <ProposedText creditId={bank.creditId} />}
      </span>
    </p>
  )
}

/** The message itself, for those who may read it. */
function ProposedText({ creditId }: { creditId: string | undefined }) {
  const { data } = usePanel(askFor('bank', 'unread', { outcome: 'proposed', limit: 100 }), {
    enabled: denied(calls.bank.unread) === undefined,
  })
  const message = data?.alerts.find((alert) => alert.creditId === creditId)
  return message?.text ? (
    <q className="mt-1 block text-fg-2 before:content-none after:content-none">
      {message.text}
      {message.why === 'names no account' && <span className="block">{t('This message names no account.')}</span>}
    </q>
  ) : null
}

/** What can be done where the bank shows another amount. */
export function CreditInstead({ payment }: { payment: Payment }) {
  return payment.bank?.verdict === 'amount' ? <CreditButton payment={payment} bank={payment.bank} /> : null
}

function CreditButton({ payment, bank }: { payment: Payment; bank: PaymentBank }) {
  const { amount = 0, creditId = '' } = bank
  const shown = formatRupees(amount)
  const change = useCall('bank.creditInstead', AT_ONCE)
  const largeWarning = useLargeWarning()
  const ask = async () => {
    const isSure = await confirm({
      title: t('Credit {shown} instead of {amount}?', { shown, amount: formatRupees(payment.amount) }),
      body: [
        t('The request is rejected with “The bank shows {shown}”, and {name} gets {shown}.', {
          shown,
          name: payment.userId?.username ?? '',
        }),
        largeWarning(amount, bank.proof),
      ]
        .filter(Boolean)
        .join('\n'),
      confirmLabel: t('Credit {shown}', { shown }),
    })
    if (isSure)
      change.mutate(
        { id: payment._id, creditId, expectedAmount: amount },
        { onSuccess: () => toast(t('{shown} credited', { shown })), onError: toastError },
      )
  }
  return (
    <Button
      size="sm"
      variant="secondary"
      pending={change.isPending}
      denied={denied(calls.bank.creditInstead)}
      onClick={() => void ask()}
    >
      {t('Credit {shown} instead', { shown })}
    </Button>
  )
}

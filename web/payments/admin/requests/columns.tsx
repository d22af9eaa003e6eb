import type { Payment } from '../../../../contract/payments.ts'
import { sayReason } from '../../../../contract/reason-words.ts'
import { MINUTE_MS } from '../../../../contract/time.ts'
import { bankOf, BankWord, CreditInstead } from '../../../bank/admin/queue/bank-line.tsx'
import { agoText } from '../../../platform/ago.ts'
import { useNow } from '../../../platform/clock.ts'
import { formatExact } from '../../../platform/dates.ts'
import { durationText, t } from '../../../platform/i18n.ts'
import { formatRupees } from '../../../platform/money.ts'
import { useUpi } from '../../../settings/use-upi.ts'
import { Chip } from '../../../ui/chip.tsx'
import { CopyButton } from '../../../ui/buttons/copyable.tsx'
import { cx } from '../../../ui/cx.ts'
import type { Column } from '../../../ui/admin/lists/data-table.tsx'
import { Email } from '../../../ui/admin/email.tsx'
import type { RecordFace } from '../../../ui/admin/lists/record-card.tsx'
import { TickOne } from '../../../ui/admin/lists/ticks.tsx'
import { Money } from '../../../ui/money.tsx'
import { Time } from '../../../ui/time.tsx'
import type { Decision } from './decisions.ts'
import { orderText } from '../../wishes/wish-words.ts'
import { riskSignalsOf } from './risk-signals.ts'
import { PayerPhone } from './payer-phone.tsx'
import { buyerOf, canDecide, isRequest, kindOf } from './words.ts'

/** RTGS references are longer than a phone is wide. */
const UTR_ONE_LINE_MAX = 16

export interface RowContext {
  decisions: ReadonlyMap<string, Decision>
  gone: ReadonlySet<string>
  /** From 0, in the list. */
  placeOf: (payment: Payment) => number
  ticked: ReadonlySet<string>
  isOpen: (payment: Payment) => boolean
  tick: (id: string, on: boolean) => void
  approve: (payment: Payment, isByKey: boolean) => void
  reject: (payment: Payment) => void
  remove: (payment: Payment) => void
  approveOther: (payment: Payment) => void
  /** Takes an approval back. */
  withdraw: (payment: Payment) => void
  /** Marks it as held by the bank, or ends the mark. */
  hold: (payment: Payment) => void
}

export function columnsOf(context: RowContext): Column<Payment>[] {
  return [
    {
      title: t('Buyer'),
      className: 'xl:min-w-44',
      cell: (payment) => <Buyer payment={payment} context={context} />,
    },
    {
      title: t('Amount'),
      align: 'right',
      cell: (payment) => <Amount payment={payment} />,
    },
    {
      title: t('UTR'),
      cell: (payment) => <Reference payment={payment} />,
    },
    {
      title: t('Type'),
      className: 'xl:min-w-50',
      cell: (payment) => (
        <>
          <What payment={payment} />
          <Buys payment={payment} />
          {isRequest(payment) && (
            <>
              <Bank payment={payment} />
              <Signs payment={payment} />
            </>
          )}
        </>
      ),
    },
  ]
}

/**
 * The card of a payment on phones, and of the next request on the dashboard, which has nothing to tick. A pending
 * request shows the bank's verdict and its age instead of time and kind.
 */
export function faceOf(payment: Payment, context?: RowContext): RecordFace {
  const isOpen = canDecide(payment)
  const bank = isOpen ? bankOf(payment) : undefined
  return {
    name: buyerOf(payment),
    title: <Buyer payment={payment} context={context} isFace />,
    figure: <Amount payment={payment} />,
    facts: [bank ? <BankWord key="bank" bank={bank} /> : <What key="what" payment={payment} />],
    children: isRequest(payment) && (
      <>
        <Buys payment={payment} />
        <Reference payment={payment} isFace />
        {isOpen ? (
          <CreditInstead payment={payment} />
        ) : (
          payment.bank?.verdict !== 'unseen' && <Bank payment={payment} />
        )}
        <Signs payment={payment} />
      </>
    ),
  }
}

const wishOf = ({ then }: Payment) => (then?.state === 'ended' ? undefined : then)

/** What a payment buys or bought. */
function Buys({ payment }: { payment: Payment }) {
  const wish = wishOf(payment)
  if (!wish) return null
  const order = orderText(wish)
  return (
    <span className="block text-xs font-normal wrap-anywhere text-fg-2">
      {wish.state === 'bought' ? t('bought {order}', { order }) : t('then buys {order}', { order })}
    </span>
  )
}

function Bank({ payment }: { payment: Payment }) {
  const bank = bankOf(payment)
  return (
    bank && (
      <div className="grid justify-items-start gap-1 pb-1">
        <BankWord bank={bank} />
        <CreditInstead payment={payment} />
      </div>
    )
  )
}

function Amount({ payment }: { payment: Payment }) {
  return (
    <>
      <Money rupees={payment.amount} className="text-lg font-semibold" />
      {payment.asked !== undefined && (
        <p className="text-xs font-normal whitespace-nowrap text-fg-2">
          {t('Entered: {amount}', { amount: formatRupees(payment.asked) })}
        </p>
      )}
      {payment.meta && payment.meta.bonus !== payment.amount && (
        <p className="text-xs font-normal whitespace-nowrap text-brand">
          {t('Offer: credit {amount}', { amount: formatRupees(payment.meta.bonus) })}
        </p>
      )}
    </>
  )
}

interface BuyerProps {
  payment: Payment
  context: RowContext | undefined
  /** True on a card, which shows the age beside the name, because its facts need the room. */
  isFace?: boolean
}

function Buyer({ payment, context, isFace }: BuyerProps) {
  const { _id, userId } = payment
  return (
    <div className="flex min-w-0 items-center gap-2">
      {context?.isOpen(payment) && (
        <TickOne
          amount={payment.amount}
          name={buyerOf(payment)}
          checked={context.ticked.has(_id)}
          onTick={(on) => context.tick(_id, on)}
        />
      )}
      <div className="min-w-0 max-wide:flex max-wide:flex-wrap max-wide:items-baseline max-wide:gap-x-2">
        <p translate="no" className="font-medium wrap-anywhere">
          {buyerOf(payment)}
        </p>
        {isFace && canDecide(payment) && bankOf(payment) ? (
          <p className="text-xs font-normal">
            <Waiting since={payment.createdAt} />
          </p>
        ) : (
          userId && (
            <p className="text-xs font-normal wrap-anywhere text-fg-3 wide:max-w-45 wide:truncate" title={userId.email}>
              <Email address={userId.email} />
            </p>
          )
        )}
      </div>
    </div>
  )
}

function Reference({ payment, isFace }: { payment: Payment; isFace?: boolean }) {
  if (!isRequest(payment)) return <span className="text-fg-3">–</span>
  return (
    <div className={cx('flex flex-wrap items-center justify-between gap-x-2', !isFace && 'wide:grid')}>
      <div className="-my-1.5 flex items-center large-text:flex-wrap">
        <code
          translate="no"
          className={cx(
            'tabular font-mono text-lg font-semibold tracking-wide select-all',
            payment.utr.length > UTR_ONE_LINE_MAX ? 'wrap-anywhere' : 'whitespace-nowrap',
          )}
        >
          {payment.utr}
        </code>
        <CopyButton text={payment.utr} what={t('UTR {utr}', { utr: payment.utr })} />
      </div>
      {payment.payerName !== '' && (
        <div className="-my-1.5 flex items-center text-fg-2 max-wide:-mr-3">
          <span translate="no" className="tabular font-mono text-sm wrap-anywhere">
            <PayerPhone payment={payment} />
          </span>
          <CopyButton text={payment.payerName} what={t('phone {phone}', { phone: payment.payerName })} />
        </div>
      )}
    </div>
  )
}

function Signs({ payment }: { payment: Payment }) {
  const now = useNow(MINUTE_MS)
  const signs = riskSignalsOf(payment, now, useUpi().data?.upiId)
  if (signs.length === 0) return null
  return (
    <ul
      aria-label={canDecide(payment) ? t('Check before approving') : t('Other requests')}
      className="flex flex-wrap gap-1 pb-1"
    >
      {signs.map(({ tone, text }) => (
        <li key={text} className="min-w-0">
          <Chip tone={tone} className="shrink! rounded-control! py-0.5 whitespace-normal!">
            {text}
          </Chip>
        </li>
      ))}
    </ul>
  )
}

/** How long a request has waited. */
function Waiting({ since }: { since: string }) {
  const now = useNow(MINUTE_MS)
  return (
    <time dateTime={since} title={formatExact(since)} className="text-warn">
      {agoText(since, now)}
    </time>
  )
}

function What({ payment }: { payment: Payment }) {
  return (
    <div className="max-wide:text-xs">
      <p className="max-wide:inline">
        {payment.status !== 'pending' && kindOf(payment)}
        {payment.productId && (
          <span className="text-fg-2">
            {' · '}
            {payment.productId.name}
            {payment.duration && `, ${durationText(payment.duration)}`}
          </span>
        )}
      </p>
      <p className="text-xs text-fg-3 max-wide:inline">
        <span className="wide:hidden"> · </span>
        {payment.status === 'pending' && (
          <>
            <Waiting since={payment.createdAt} />
            {' · '}
          </>
        )}
        <Time value={payment.createdAt} className="wide:inline-block" />
      </p>
      {payment.address && payment.status !== 'pending' && (
        <p className="text-xs wrap-anywhere text-fg-3">{t('IP address {address}', { address: payment.address })}</p>
      )}
      {payment.reason && (
        <p className={cx('text-xs wrap-break-word', payment.status === 'approved' ? 'text-fg-2' : 'text-bad')}>
          {t('Reason: {reason}', { reason: sayReason(t, payment.reason) })}
        </p>
      )}
      {payment.held && (
        <p className="text-xs wrap-anywhere text-warn">{t('Held by the bank: {note}', { note: payment.held.note })}</p>
      )}
    </div>
  )
}

import { MessageSquareWarning, MonitorSmartphone, ReceiptIndianRupee, ReceiptText } from 'lucide-react'
import type { Purchase } from '../../../contract/sales-book.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { durationText, t } from '../../platform/i18n.ts'
import { formatCount, formatRupees } from '../../platform/money.ts'
import { BuyerLink } from '../../ui/admin/buyer-link.tsx'
import { Email } from '../../ui/admin/email.tsx'
import type { Action } from '../../ui/admin/lists/action-menu.tsx'
import type { Column } from '../../ui/admin/lists/data-table.tsx'
import type { RecordFace } from '../../ui/admin/lists/record-card.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Money } from '../../ui/money.tsx'
import { Time } from '../../ui/time.tsx'

/** Leads to the reports of its keys, which may wait, to its receipt, and to the payment that it was bought with. */
export function actionsOf({ _id, username, productName, claims, topUpId }: Purchase): Action[] {
  const words = { username, product: productName }
  return [
    claims > 0 && {
      label: t('Claims'),
      name: t('Claims of {username} for {product}', words),
      icon: <MessageSquareWarning size={17} aria-hidden />,
      denied: denied(calls.claims.list),
      link: { to: '/admin/claims' as const, search: { order: _id } },
    },
    {
      label: t('Receipt'),
      name: t('Receipt of {username} for {product}', words),
      icon: <ReceiptText size={17} aria-hidden />,
      link: { to: '/receipt' as const, search: { id: _id } },
    },
    topUpId !== null && {
      label: t('Top-up request'),
      name: t('Top-up request of {username} for {product}', words),
      icon: <ReceiptIndianRupee size={17} aria-hidden />,
      denied: denied(calls.payments.list),
      link: { to: '/admin/payment-manager' as const, search: { request: topUpId } },
    },
  ].filter((action) => action !== false)
}

export function faceOf(purchase: Purchase): RecordFace {
  const { username, productName, duration, quantity, unitPrice, createdAt } = purchase
  return {
    name: username,
    title: <BuyerLink username={username} />,
    caption: <Time value={createdAt} />,
    facts: [
      productName,
      durationText(duration),
      <span key="quantity" className="tabular whitespace-nowrap">
        {formatCount(quantity)} × {formatRupees(unitPrice)}
      </span>,
      letIn(purchase),
      byProgram(purchase),
      refundOf(purchase),
      codeOf(purchase),
    ],
  }
}

export function columns(): Column<Purchase>[] {
  return [
    {
      title: t('Buyer'),
      cell: (purchase) => (
        <>
          <BuyerLink username={purchase.username} />
          <p className="text-xs wrap-anywhere text-fg-3">
            <Email address={purchase.email} />
          </p>
          {letIn(purchase)}
          {byProgram(purchase)}
        </>
      ),
    },
    {
      title: t('Product'),
      cell: ({ productName, productDescription }) => (
        <span className="wrap-anywhere" title={productDescription || undefined}>
          {productName}
        </span>
      ),
      small: ({ duration }) => durationText(duration),
    },
    {
      title: t('Quantity'),
      align: 'right',
      cell: ({ quantity, unitPrice }) => (
        <span className="tabular whitespace-nowrap">
          {formatCount(quantity)} <span className="text-fg-3">× {formatRupees(unitPrice)}</span>
        </span>
      ),
    },
    {
      title: t('Amount'),
      align: 'right',
      card: 'figure',
      cell: ({ amount }) => <Money rupees={amount} className="font-semibold" />,
      small: (purchase) => <span className="tabular">{refundOf(purchase)}</span>,
    },
    { title: t('Referral code'), cell: codeOf },
    {
      title: t('Date'),
      align: 'right',
      cell: ({ createdAt }) => <Time value={createdAt} className="whitespace-nowrap text-fg-2" />,
    },
  ]
}

const refundOf = ({ refunded }: Purchase) => refunded > 0 && t('Refunded {amount}', { amount: formatRupees(refunded) })

const codeOf = ({ referralCode }: Purchase) =>
  referralCode && (
    <span translate="no" className="font-mono text-xs whitespace-nowrap text-fg-2" title={t('Referral code')}>
      {referralCode}
    </span>
  )

const byProgram = ({ byToken }: Purchase) =>
  byToken && (
    <Chip>
      <span title={t('Bought by a program')}>{t('API')}</span>
    </Chip>
  )

const letIn = ({ letInBy }: Purchase) =>
  letInBy && (
    <span className="inline-flex items-center gap-1 text-xs text-warn">
      <MonitorSmartphone size={13} aria-hidden />
      {t('New device, opened by {admin}', { admin: letInBy })}
    </span>
  )

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
  const { username, productName, duration, quantity, unitPrice, amount, refunded, referralCode, createdAt, letInBy } =
    purchase
  return {
    name: username,
    title: <BuyerLink username={username} />,
    caption: <Time value={createdAt} />,
    figure: <Money rupees={amount} />,
    facts: [
      productName,
      durationText(duration),
      <span key="quantity" className="tabular whitespace-nowrap">
        {formatCount(quantity)} × {formatRupees(unitPrice)}
      </span>,
      letInBy && <LetIn key="let-in" by={letInBy} />,
      purchase.byToken && <ByProgram key="by-program" />,
      refunded > 0 && t('Refunded {amount}', { amount: formatRupees(refunded) }),
      referralCode && (
        <span translate="no" key="code" className="font-mono text-xs">
          {referralCode}
        </span>
      ),
    ],
  }
}

export function columns(): Column<Purchase>[] {
  return [
    {
      title: t('Buyer'),
      cell: ({ username, email, letInBy, byToken }) => (
        <>
          <BuyerLink username={username} />
          <p className="text-xs wrap-anywhere text-fg-3">
            <Email address={email} />
          </p>
          {letInBy && <LetIn by={letInBy} />}
          {byToken && <ByProgram />}
        </>
      ),
    },
    {
      title: t('Product'),
      cell: ({ productName, productDescription, duration }) => (
        <>
          <p className="wrap-anywhere" title={productDescription || undefined}>
            {productName}
          </p>
          <p className="text-xs text-fg-3">{durationText(duration)}</p>
        </>
      ),
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
      cell: ({ amount, refunded }) => (
        <>
          <Money rupees={amount} className="font-semibold" />
          {refunded > 0 && (
            <span className="tabular block text-xs text-fg-3">
              {t('Refunded {amount}', { amount: formatRupees(refunded) })}
            </span>
          )}
        </>
      ),
    },
    {
      title: t('Referral code'),
      cell: ({ referralCode }) => (
        <span translate="no" className="font-mono text-xs wrap-anywhere text-fg-2">
          {referralCode}
        </span>
      ),
    },
    {
      title: t('Date'),
      align: 'right',
      cell: ({ createdAt }) => <Time value={createdAt} className="whitespace-nowrap text-fg-2" />,
    },
  ]
}

const ByProgram = () => (
  <Chip>
    <span title={t('Bought by a program')}>{t('API')}</span>
  </Chip>
)

function LetIn({ by }: { by: string }) {
  return (
    <span className="inline-flex items-center gap-1 text-xs text-warn">
      <MonitorSmartphone size={13} aria-hidden />
      {t('New device, opened by {admin}', { admin: by })}
    </span>
  )
}

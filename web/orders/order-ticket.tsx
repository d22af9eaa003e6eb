import type { ReactNode } from 'react'
import type { Product } from '../../contract/catalogue.ts'
import { durationText, own, t } from '../platform/i18n.ts'
import { ShareProduct } from '../referrals/share-product.tsx'
import { cx } from '../ui/cx.ts'
import { Money } from '../ui/money.tsx'
import { ProductCover } from '../ui/pictures/product-cover.tsx'
import type { OrderTerms, PriceRow } from './order-terms.ts'

interface OrderTicketProps {
  product: Product
  price: PriceRow
  quantity: number | undefined
  balance: number
  terms: OrderTerms
  /** True while a payment is being checked, so that what is missing may be on its way. */
  isPaying: boolean
  /** The buttons. */
  children: ReactNode
}

/** Sums up the order. It stays in view next to the form. */
export function OrderTicket({ product, price, quantity, balance, terms, isPaying, children }: OrderTicketProps) {
  return (
    <section
      aria-label={t('Order summary')}
      className="min-w-0 overflow-hidden rounded-panel border border-line bg-surface lg:sticky lg:top-20"
    >
      <ProductCover
        name={product.name}
        sequence={product.sequence}
        picture={product.picture}
        grey={product.available === 0}
        className="h-20 [--monogram:80px] sm:h-24"
      />
      <div className="grid gap-4 p-4 sm:p-5">
        <h2 className="text-lg font-semibold wrap-anywhere">{own(product, 'name')}</h2>
        <dl className="grid gap-2 text-sm text-fg-2">
          <Line
            label={t('{quantity} × {duration}', { quantity: quantity ?? '–', duration: durationText(price.duration) })}
          >
            <Money rupees={terms.unitPrice || undefined} /> {t('each')}
          </Line>
          {terms.saved > 0 && (
            <Line label={t('You save')}>
              <Money rupees={terms.saved} className="text-ok" />
            </Line>
          )}
          <Line label={t('Wallet balance')}>
            <Money rupees={balance} />
          </Line>
          {!(isPaying && terms.left < 0) && (
            <Line label={t('Balance after purchase')}>
              <Money rupees={terms.left} className={cx(terms.left < 0 && 'text-bad')} />
            </Line>
          )}
        </dl>
        <dl className="ticket-rule pt-4" aria-live="polite">
          <div className="flex items-baseline justify-between gap-3">
            <dt className="text-fg-2">{t('Total')}</dt>
            <dd>
              <Money rupees={terms.total || undefined} className="text-3xl font-semibold tracking-[-0.03em]" />
            </dd>
          </div>
        </dl>
        <div className="grid gap-2">
          {children}
          <ShareProduct product={product} />
        </div>
      </div>
    </section>
  )
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt>{label}</dt>
      <dd className="tabular shrink-0">{children}</dd>
    </div>
  )
}

import type { Product } from '../../../contract/catalogue.ts'
import { useAdminProducts } from '../../catalogue/admin/product-queries.ts'
import { durationText, t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { isPriceWrong, priceKey, type PriceDraft } from './own-prices.ts'
import { Rows } from './user-panel-rows.tsx'

interface ProductListProps {
  products: ReturnType<typeof useAdminProducts>
  children: (product: Product) => React.ReactNode
}

export function ProductList({ products, children }: ProductListProps) {
  return (
    <Rows
      query={products}
      empty={<EmptyState title={t('No products yet')} text={t('Create one in Products first.')} />}
    >
      {(product) => <li key={product._id}>{children(product)}</li>}
    </Rows>
  )
}

interface PriceRowsProps {
  product: Product
  draft: PriceDraft
  onChange: (draft: PriceDraft) => void
}

export function PriceRows({ product, draft, onChange }: PriceRowsProps) {
  return (
    <fieldset className="py-3">
      <legend className="float-left mb-2 w-full font-medium wrap-anywhere">{product.name}</legend>
      <div className="clear-both grid gap-2">
        {product.prices.map(({ _id, duration, price = 0, listPrice = price }) => {
          const key = priceKey(product._id, duration)
          const typed = draft[key] ?? ''
          const isOwn = typed.trim() !== ''
          return (
            <div key={_id} className="grid grid-cols-[minmax(0,1fr)_8rem] items-center gap-3">
              <div className="min-w-0 text-sm">
                <p>{durationText(duration)}</p>
                <p className={cx('text-xs text-fg-3', isOwn && 'line-through')}>
                  {t('List price {amount}', { amount: formatRupees(listPrice) })}
                </p>
              </div>
              <Input
                aria-label={t('Price of {product}, {duration}', {
                  product: product.name,
                  duration: durationText(duration),
                })}
                aria-invalid={isPriceWrong(typed) || undefined}
                value={typed}
                onChange={(event) => onChange({ ...draft, [key]: event.target.value })}
                inputMode="decimal"
                placeholder={String(listPrice)}
                className="text-right"
              />
              {isPriceWrong(typed) && (
                <p role="alert" className="col-span-2 text-right text-xs text-bad">
                  {t('Enter a price from ₹0, or leave empty for the list price')}
                </p>
              )}
            </div>
          )
        })}
      </div>
    </fieldset>
  )
}

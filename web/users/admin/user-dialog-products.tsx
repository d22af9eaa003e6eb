import type { Product } from '../../../contract/catalogue.ts'
import { useAdminProducts } from '../../catalogue/admin/product-queries.ts'
import { durationText, t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { isPriceWrong, priceKey, type PriceDraft } from './own-prices.ts'

interface ProductListProps {
  products: ReturnType<typeof useAdminProducts>
  children: (product: Product) => React.ReactNode
}

export function ProductList({ products, children }: ProductListProps) {
  const { data, error, refetch, isFetching } = products
  if (error && !data) return <ErrorState error={error} onRetry={refetch} retrying={isFetching} />
  if (!data) {
    return (
      <Loading className="grid gap-4">
        {[1, 2, 3, 4].map((row) => (
          <Skeleton key={row} className="h-11" />
        ))}
      </Loading>
    )
  }
  if (data.length === 0) {
    return <EmptyState title={t('No products yet')} text={t('Create one in Products first.')} />
  }
  return <div className="divide-y divide-line">{data.map(children)}</div>
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
                autoComplete="off"
                placeholder={String(listPrice)}
                className="tabular text-right"
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

import { useState } from 'react'
import { Package, Plus } from 'lucide-react'
import type { Product } from '../../../../contract/catalogue.ts'
import { stockState, worstStock } from '../../../catalogue/admin/product-stock.ts'
import { filterProducts } from '../../../catalogue/filter-products.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { durationText, t } from '../../../platform/i18n.ts'
import { formatCount } from '../../../platform/money.ts'
import { Link } from '../../../platform/navigation/router.tsx'
import { Awaited } from '../../../waiting/admin/awaited.tsx'
import { NoMatches } from '../../../ui/admin/lists/no-matches.tsx'
import { ShareBar } from '../../../ui/admin/share-bar.tsx'
import { Button, buttonClass } from '../../../ui/buttons/button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { ErrorState } from '../../../ui/page/error-state.tsx'
import { Loading, Skeleton } from '../../../ui/page/skeleton.tsx'
import type { KeyManager } from '../use-key-manager.ts'

const PRODUCTS_SHOWN = 10
const URGENCY = { out: 0, low: 1, ok: 2 }
const BARS = { out: 'bad', low: 'warn', ok: 'brand' } as const
const LINK = 'grid min-h-11 min-w-0 flex-1 content-center gap-1.5 rounded-control hover:bg-hover large-text:basis-40'
const WORDS = { out: 'text-bad', low: 'text-warn', ok: 'text-fg-2' }

interface StockListProps {
  manager: KeyManager
  onAdd: (productId: string, duration: string) => void
}

/** How many keys each duration has left. Products that run out come first. */
export function StockList({ manager: { products, list }, onAdd }: StockListProps) {
  const [count, setCount] = useState(PRODUCTS_SHOWN)
  if (products.error && !products.data) return <ErrorState error={products.error} onRetry={products.refetch} />
  if (!products.data) {
    return (
      <Loading className="grid gap-2 wide:grid-cols-2 wide:p-4">
        {[1, 2, 3, 4].map((each) => (
          <Skeleton key={each} className="h-32" />
        ))}
      </Loading>
    )
  }
  if (products.data.length === 0) return <NoProducts />
  const most = Math.max(1, ...products.data.flatMap(({ prices }) => prices.map(({ available }) => available)))
  const found = filterProducts(products.data, 'all', list.search).toSorted(
    (one, other) => URGENCY[worstStock(one)] - URGENCY[worstStock(other)],
  )
  if (found.length === 0) {
    return (
      <NoMatches
        icon={<Package size={22} />}
        search={list.search}
        title={t('No products found')}
        showAll={t('Show all products')}
        onShowAll={list.clear}
      />
    )
  }
  return (
    <div className="grid gap-3 wide:p-4">
      <ul aria-label={t('Stock')} className="grid grid-cols-1 gap-2 wide:grid-cols-2 wide:gap-4 xl:grid-cols-3">
        {found.slice(0, count).map((product) => (
          <StockCard key={product._id} product={product} most={most} onAdd={onAdd} />
        ))}
      </ul>
      {found.length > count && (
        <Button variant="secondary" onClick={() => setCount(count + PRODUCTS_SHOWN)}>
          {t('Show {count} more', { count: Math.min(PRODUCTS_SHOWN, found.length - count) })}
        </Button>
      )}
    </div>
  )
}

function NoProducts() {
  return (
    <EmptyState
      icon={<Package size={22} />}
      title={t('No products yet')}
      text={t('Keys belong to a product and a duration. Add your first product.')}
      action={
        !denied(calls.catalogue.create) && (
          <Link to="/admin/product-manager" className={buttonClass()}>
            {t('Go to products')}
          </Link>
        )
      }
    />
  )
}

interface StockCardProps extends Pick<StockListProps, 'onAdd'> {
  product: Product
  /** The largest stock in the store, which has the whole bar. */
  most: number
}

function StockCard({ product: { _id, name, prices, available }, most, onAdd }: StockCardProps) {
  return (
    <li data-row={_id} className="rounded-card border border-line bg-surface p-3">
      <p className="flex items-baseline justify-between gap-3 large-text:flex-wrap">
        <span className="min-w-0 font-semibold wrap-anywhere">{name}</span>
        <span className="tabular shrink-0 text-xs text-fg-3">
          {t('{count} in stock', { count: formatCount(available) })}
        </span>
      </p>
      <ul className="mt-1">
        {prices.map((price) => {
          const { duration } = price
          const state = stockState(price)
          return (
            <li key={price._id} className="flex flex-wrap items-center gap-x-3 py-1">
              <Link
                to="/admin/key-manager"
                search={{ product: _id, duration }}
                aria-label={t('{count, plural, one {# key} other {# keys}} of {name}, {duration}', {
                  count: price.available,
                  name,
                  duration: durationText(duration),
                })}
                className={LINK}
              >
                <span className="tabular flex justify-between gap-2 text-sm">
                  <span>{durationText(duration)}</span>
                  <span className={WORDS[state]}>
                    {state === 'out' ? t('Out of stock') : t('{count} left', { count: formatCount(price.available) })}
                  </span>
                </span>
                <ShareBar share={price.available / most} tone={BARS[state]} />
              </Link>
              <Button
                size="sm"
                variant="secondary"
                icon={<Plus size={16} aria-hidden />}
                aria-label={t('Keys: add to {name}, {duration}', { name, duration: durationText(duration) })}
                denied={denied(calls.keys.add)}
                onClick={() => onAdd(_id, duration)}
              >
                {t('Keys')}
              </Button>
              <Awaited productId={_id} duration={duration} />
            </li>
          )
        })}
      </ul>
    </li>
  )
}

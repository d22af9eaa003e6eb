import { useState } from 'react'
import { SearchX } from 'lucide-react'
import type { Product } from '../../contract/catalogue.ts'
import { filterProducts, type ProductFilter } from '../catalogue/filter-products.ts'
import { NoProducts } from '../catalogue/no-products.tsx'
import { ProductCard, ProductCardSkeleton } from '../catalogue/product-card.tsx'
import { useProducts } from '../catalogue/use-products.ts'
import { t } from '../platform/i18n.ts'
import { useSession } from '../platform/session/session.ts'
import { Button } from '../ui/buttons/button.tsx'
import { cx } from '../ui/cx.ts'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { ErrorState } from '../ui/page/error-state.tsx'
import { SearchInput } from '../ui/fields/search-input.tsx'
import { Segmented } from '../ui/fields/segmented.tsx'
import { Loading } from '../ui/page/skeleton.tsx'

const grid = 'grid min-w-0 gap-3 sm:grid-cols-2 sm:gap-4 wide:grid-cols-3 xl:grid-cols-4'

/** With fewer products one looks rather than searches. */
const TOOLS_FROM = 6

export function ProductsSection() {
  const products = useProducts()
  const [filter, setFilter] = useState<ProductFilter>('all')
  const [search, setSearch] = useState('')
  // The cards move in once, on arrival. They keep still while the list is filtered.
  const [isTouched, setTouched] = useState(false)
  const show = (nextFilter: ProductFilter, nextSearch: string) => {
    setTouched(true)
    setFilter(nextFilter)
    setSearch(nextSearch)
  }
  return (
    <section aria-labelledby="products" className="sm:mt-5">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <h2 id="products" className="mr-auto text-xl font-semibold max-sm:sr-only">
          {t('Products')}
        </h2>
        {(products.data?.length ?? TOOLS_FROM) >= TOOLS_FROM && (
          <>
            <Segmented
              label={t('Show')}
              value={filter}
              onChange={(next) => show(next, search)}
              options={[
                { value: 'all', label: t('All') },
                { value: 'hot', label: t('Hot Sale') },
                { value: 'in-stock', label: t('In stock') },
              ]}
            />
            <SearchInput
              label={t('Search products')}
              value={search}
              onChange={(next) => show(filter, next)}
              debounceMs={0}
              className="grow basis-32 sm:max-w-60"
            />
          </>
        )}
      </div>
      {products.data ? (
        <List
          all={products.data}
          shown={filterProducts(products.data, filter, search)}
          rising={!isTouched}
          onShowAll={() => show('all', '')}
        />
      ) : products.error ? (
        <ErrorState error={products.error} onRetry={products.refetch} retrying={products.isFetching} />
      ) : (
        <Loading className={grid}>
          {Array.from({ length: 8 }, (_, index) => (
            <ProductCardSkeleton key={index} />
          ))}
        </Loading>
      )}
    </section>
  )
}

interface ListProps {
  all: readonly Product[]
  shown: readonly Product[]
  rising: boolean
  onShowAll: () => void
}

function List({ all, shown, rising, onShowAll }: ListProps) {
  const { user } = useSession()
  if (all.length === 0) return <NoProducts />
  return (
    <>
      <output className="sr-only">
        {shown.length < all.length &&
          t('Showing {count, plural, one {# product} other {# products}}', { count: shown.length })}
      </output>
      {shown.length === 0 ? (
        <EmptyState
          icon={<SearchX size={22} />}
          title={t('No products found')}
          text={t('Try another word, or view all products.')}
          action={
            <Button variant="secondary" onClick={onShowAll}>
              {t('Show all products')}
            </Button>
          }
        />
      ) : (
        <ul className={grid}>
          {shown.map((product, at) => (
            <li key={product._id} className={cx('grid min-w-0', rising && 'rise')}>
              <ProductCard product={product} showPrice={user !== null} isFirst={at < 2} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

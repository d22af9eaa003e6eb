import type { Product } from '../../contract/catalogue.ts'
import { lowestPrice } from '../catalogue/products-for-buyer.ts'
import { own, t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { Link } from '../platform/navigation/router.tsx'
import { ProductCover } from '../ui/pictures/product-cover.tsx'

/** Offers the products to people who look rather than type. */
export function ProductTiles({ products }: { products: readonly Product[] }) {
  return (
    <ul
      aria-label={t('Products')}
      className="mt-3 grid grid-cols-2 gap-3 large-text:grid-cols-1 sm:grid-cols-3 lg:grid-cols-4"
    >
      {products.map((product) => {
        const { _id, name, sequence, picture, available } = product
        const price = lowestPrice(product)
        return (
          <li key={_id} className="grid min-w-0">
            <Link
              to="/buy"
              search={{ product: name }}
              replace
              className="overflow-hidden rounded-card border border-line bg-surface hover:border-line-2"
            >
              <ProductCover
                name={name}
                sequence={sequence}
                picture={picture}
                grey={available === 0}
                className="h-20 [--monogram:64px]"
              />
              <span className="grid gap-0.5 p-3.5">
                <span className="font-semibold wrap-anywhere">{own(product, 'name')}</span>
                <span className="tabular text-sm text-fg-2">
                  {price === undefined
                    ? t('No price yet')
                    : available === 0
                      ? t('Out of stock')
                      : t('from {price}', { price: formatRupees(price) })}
                </span>
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

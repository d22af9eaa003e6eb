import { useProducts } from '../../catalogue/use-products.ts'
import { own, t } from '../../platform/i18n.ts'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { ProductCover } from '../../ui/pictures/product-cover.tsx'

/** Shows the product by whose link somebody came, above the form. Nothing if there is none of that name. */
export function LinkedProduct({ name }: { name: string }) {
  const wanted = name.trim().toLowerCase()
  const products = useProducts()
  const product = products.data?.find((each) =>
    [each.name, own(each, 'name')].some((known) => known.toLowerCase() === wanted),
  )
  if (products.isPending) return <Skeleton className="mb-6 h-26 rounded-panel" />
  if (!product) return null
  return (
    <section
      aria-label={own(product, 'name')}
      className="mb-6 flex min-h-26 items-center gap-4 rounded-panel border border-line bg-surface p-3"
    >
      <ProductCover
        name={product.name}
        sequence={product.sequence}
        picture={product.picture}
        className="size-20 shrink-0 rounded-control [--monogram:36px]"
      />
      <div className="min-w-0">
        <h2 className="font-semibold wrap-anywhere">{own(product, 'name')}</h2>
        <p className="line-clamp-2 text-sm wrap-anywhere text-fg-2">{own(product, 'description')}</p>
        <p className="mt-1 text-sm text-fg-3">{t('Login to see price')}</p>
      </div>
    </section>
  )
}

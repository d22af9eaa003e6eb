import { durationText, own, t } from '../platform/i18n.ts'
import { Link } from '../platform/navigation/router.tsx'
import { buttonClass } from '../ui/buttons/button.tsx'
import { useProducts } from './use-products.ts'

interface BuyAgainProps {
  productId: string
  duration: string
}

/** Leads to the same order at today's price, if it is still for sale to this buyer. */
export function BuyAgain({ productId, duration }: BuyAgainProps) {
  const product = useProducts().data?.find(({ _id }) => _id === productId)
  if (!product?.prices.some((row) => row.duration === duration && row.price)) return null
  return (
    <Link
      to="/buy"
      search={{ product: product.name, duration }}
      aria-label={t('Buy again: {product}, {duration}', {
        product: own(product, 'name'),
        duration: durationText(duration),
      })}
      className={buttonClass({ variant: 'secondary', size: 'sm' })}
    >
      {t('Buy again')}
    </Link>
  )
}

import type { Product } from '../../../contract/catalogue.ts'
import { stockState } from '../../catalogue/admin/product-stock.ts'
import { durationText, t } from '../../platform/i18n.ts'
import { formatCount } from '../../platform/money.ts'
import { Field } from '../../ui/fields/field.tsx'
import { Select } from '../../ui/admin/forms/select.tsx'

/** A product with one duration leaves nothing to choose. */
export function onlyDuration(
  products: readonly Product[] | undefined,
  productId: string | undefined,
): string | undefined {
  const prices = products?.find((each) => each._id === productId)?.prices
  return prices?.length === 1 ? prices[0]?.duration : undefined
}

interface ProductSelectProps {
  products: readonly Product[] | undefined
  value: string | undefined
  /** Shown while none is chosen: "All products". */
  none: string
  onChange: (productId: string | undefined) => void
}

export function ProductSelect({ products, value = '', none, onChange }: ProductSelectProps) {
  const isGone = value !== '' && products !== undefined && !products.some((each) => each._id === value)
  return (
    <Field label={t('Product')}>
      <Select value={value} onChange={(event) => onChange(event.target.value || undefined)}>
        <option value="">{products ? none : t('Loading…')}</option>
        {isGone && <option value={value}>{t('Deleted product')}</option>}
        {products?.map(({ _id, name, available }) => (
          <option key={_id} value={_id}>
            {t('{name} · {count} available', { name, count: formatCount(available) })}
          </option>
        ))}
      </Select>
    </Field>
  )
}

interface DurationSelectProps {
  product: Product | undefined
  value: string | undefined
  none: string
  onChange: (duration: string | undefined) => void
}

export function DurationSelect({ product, value = '', none, onChange }: DurationSelectProps) {
  const isGone = value !== '' && !product?.prices.some((each) => each.duration === value)
  return (
    <Field label={t('Duration')}>
      <Select
        value={value}
        disabled={!product && value === ''}
        onChange={(event) => onChange(event.target.value || undefined)}
      >
        <option value="">{product ? none : t('Choose a product first')}</option>
        {isGone && <option value={value}>{value}</option>}
        {product?.prices.map((price) => (
          <option key={price._id} value={price.duration}>
            {stockState(price) === 'low'
              ? t('{duration} · {count} available · low', {
                  duration: durationText(price.duration),
                  count: formatCount(price.available),
                })
              : t('{duration} · {count} available', {
                  duration: durationText(price.duration),
                  count: formatCount(price.available),
                })}
          </option>
        ))}
      </Select>
    </Field>
  )
}

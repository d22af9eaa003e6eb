import type { ReactNode } from 'react'
import type { Product } from '../../../../contract/catalogue.ts'
import { durationText, t } from '../../../platform/i18n.ts'
import { Input } from '../../../ui/fields/input.tsx'
import { cx } from '../../../ui/cx.ts'

type Price = Product['prices'][number]

interface TypedPricesProps {
  product: Product
  typedOf: (price: Price) => string
  onType: (price: Price, typed: string) => void
  /** What an empty field means. */
  placeholderOf: (price: Price) => string
  /** Below a duration. */
  noteOf: (price: Price) => ReactNode
  isWrong: (typed: string) => boolean
  /** What is said of a wrong one. */
  fault: string
  className?: string
}

/** A field for the price of each duration of a product. Empty ones leave the usual price. */
export function TypedPrices({ product, isWrong, fault, className, ...of }: TypedPricesProps) {
  return (
    <fieldset className={cx('min-w-0 py-3', className)}>
      <legend className="float-left mb-2 w-full font-medium wrap-anywhere">{product.name}</legend>
      <div className="clear-both grid gap-2">
        {product.prices.map((price) => {
          const typed = of.typedOf(price)
          const duration = durationText(price.duration)
          return (
            <div key={price._id} className="grid grid-cols-[minmax(0,1fr)_8rem] items-center gap-3">
              <div className="min-w-0 text-sm">
                <p>{duration}</p>
                <div className="tabular text-xs text-fg-3">{of.noteOf(price)}</div>
              </div>
              <Input
                aria-label={t('Price of {product}, {duration}', { product: product.name, duration })}
                aria-invalid={isWrong(typed) || undefined}
                value={typed}
                onChange={({ target }) => of.onType(price, target.value)}
                inputMode="decimal"
                placeholder={of.placeholderOf(price)}
                className="text-right"
              />
              {isWrong(typed) && (
                <p role="alert" className="col-span-2 text-right text-xs text-bad">
                  {fault}
                </p>
              )}
            </div>
          )
        })}
      </div>
    </fieldset>
  )
}

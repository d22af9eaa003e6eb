import { Check } from 'lucide-react'
import { durationText, t } from '../platform/i18n.ts'
import { formatCount, formatRupees } from '../platform/money.ts'
import { cx } from '../ui/cx.ts'
import type { PriceRow } from './order-terms.ts'

interface DurationTilesProps {
  prices: readonly PriceRow[]
  chosen: PriceRow | undefined
  onChoose: (price: PriceRow) => void
  /** The group of buyers whose price it may be. */
  groupOf: (price: PriceRow) => string | undefined
}

/** Offers the durations with their price and stock. Those out of stock can still be looked at. */
export function DurationTiles({ prices, chosen, onChoose, groupOf }: DurationTilesProps) {
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="contents text-sm font-medium text-fg-2">{t('Duration')}</legend>
      <div className="grid grid-cols-2 gap-2.5 sm:grid-cols-3 large-text:grid-cols-1">
        {prices.map((price) => (
          <label
            key={price._id}
            className={cx(
              'relative grid min-w-0 gap-0.5 rounded-control border px-3 py-2.5 transition-colors ' +
                'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand',
              price === chosen ? 'border-brand bg-brand-bg' : 'border-line-2 bg-sunken hover:border-fg-3',
            )}
          >
            <input
              type="radio"
              name="duration"
              value={price.duration}
              checked={price === chosen}
              onChange={() => onChoose(price)}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            <span className="pr-6 text-sm text-fg-2">{durationText(price.duration)}</span>
            <span className={cx('tabular text-lg font-semibold', price.available === 0 && 'text-fg-2')}>
              {price.price ? formatRupees(price.price) : '–'}
              {isLess(price) && groupOf(price) && (
                <s className="ml-2 text-sm font-normal text-fg-3">{formatRupees(price.listPrice ?? 0)}</s>
              )}
            </span>
            {isLess(price) && groupOf(price) && (
              <span className="text-xs wrap-anywhere text-brand">
                {t('{group} price', { group: groupOf(price) ?? '' })}
              </span>
            )}
            <span className={cx('text-xs', price.available === 0 ? 'text-warn' : 'text-fg-2')}>{stockText(price)}</span>
            {price === chosen && <Check size={17} aria-hidden className="absolute top-3 right-3 text-brand" />}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const isLess = ({ price, listPrice = 0 }: PriceRow): boolean => price !== undefined && price > 0 && price < listPrice

function stockText({ price, available }: PriceRow): string {
  if (!price) return t('Not available')
  return available === 0 ? t('Out of stock') : t('{count} in stock', { count: formatCount(available) })
}

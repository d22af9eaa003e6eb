import type { ComponentProps } from 'react'
import { durationText, t } from '../platform/i18n.ts'
import { formatRupees } from '../platform/money.ts'
import { Link } from '../platform/navigation/router.tsx'
import { Button } from '../ui/buttons/button.tsx'
import { SupportLink } from '../ui/page/support-link.tsx'
import { WaitHere } from '../waiting/wait-here.tsx'
import type { PriceRow } from './order-terms.ts'

/** Without `others` there are some keys, though too few. */
type WaysOutProps = ComponentProps<typeof WaitHere> & Partial<OtherDurationsProps>

/** What a buyer can do about a duration that is out of stock. */
export function WaysOut({ others, onDuration, ...wish }: WaysOutProps) {
  return (
    <>
      <WaitHere {...wish} />
      {!others || !onDuration ? null : others.length > 0 ? (
        <OtherDurations others={others} onDuration={onDuration} />
      ) : (
        <p className="text-fg-2">
          {t('All durations of this product are out of stock.')}{' '}
          <Link to="/" className="font-semibold text-brand hover:underline">
            {t('View other products')}
          </Link>
          <SupportLink className="mt-1 block font-semibold text-brand hover:underline">
            {t('Ask support when it’s back')}
          </SupportLink>
        </p>
      )}
    </>
  )
}

interface OtherDurationsProps {
  others: readonly PriceRow[]
  onDuration: (price: PriceRow) => void
}

export function OtherDurations({ others, onDuration }: OtherDurationsProps) {
  return (
    <div className="grid gap-2">
      <p className="text-fg-2">{t('Available durations:')}</p>
      <ul className="flex flex-wrap gap-2">
        {others.map((price) => (
          <li key={price._id}>
            <Button variant="secondary" size="sm" onClick={() => onDuration(price)}>
              {t('{duration} · {price}', {
                duration: durationText(price.duration),
                price: formatRupees(price.price ?? 0),
              })}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

import type { Forecast } from '../../../contract/forecast.ts'
import type { Overview } from '../../../contract/reports.ts'
import { forecast as forecastQuery } from '../../../contract/panel-pages.ts'
import { startOf } from '../../../contract/india.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { calls } from '../../platform/admin/roles.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { serverNow } from '../../platform/clock.ts'
import { formatDate } from '../../platform/dates.ts'
import { durationText, t } from '../../platform/i18n.ts'
import { ShareBar } from '../../ui/admin/share-bar.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Panel } from '../../ui/page/panel.tsx'

const SHOWN = 5
/** Stock that lasts longer fills the bar. */
const DAYS_SHOWN = 30
const SOON_DAYS = 3

interface RunsOutProps {
  /** Durations that are low in stock, also those without sales. */
  low: Overview['runningOut']
}

/** Durations that run out within a month, soonest first, with the day to order. Nothing if none does. */
export function RunsOut({ low }: RunsOutProps) {
  const forecast = usePanel(forecastQuery)
  const rows = forecast.data?.filter(({ daysLeft }) => daysLeft !== null && daysLeft.mid <= DAYS_SHOWN).slice(0, SHOWN)
  if (!forecast.error && !rows?.length) return null
  return (
    <Panel
      className="peer wide:order-last wide:col-span-2"
      title={t('Runs out')}
      actions={<p className="text-sm text-fg-3">{t('At the recent rate of sales')}</p>}
    >
      {rows ? (
        <>
          <ul className="-my-2 grid gap-1 max-sm:*:nth-[n+4]:hidden">
            {rows.map((row) => (
              <Row key={`${row.productId} ${row.duration}`} row={row} />
            ))}
          </ul>
          <AlsoLow names={low.filter((each) => !rows.some((row) => isSame(row, each))).map(({ name }) => name)} />
        </>
      ) : (
        <ErrorState error={forecast.error} onRetry={forecast.refetch} retrying={forecast.isFetching} className="py-6" />
      )}
    </Panel>
  )
}

type Place = Pick<Forecast, 'productId' | 'duration'>

const isSame = (one: Place, other: Place): boolean =>
  one.productId === other.productId && one.duration === other.duration

/** On a phone, lists stock without a forecast. Wide screens have the panel of the stock beside this one. */
function AlsoLow({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <AllowedLink
      call={calls.keys.list}
      to="/admin/key-manager"
      search={{ view: 'stock' }}
      className="mt-2 block py-1 text-sm text-warn sm:hidden"
      linkClassName="hover:underline"
    >
      {t('Also low or out of stock: {names}', { names: [...new Set(names)].join(', ') })}
    </AllowedLink>
  )
}

function Row({ row }: { row: Forecast }) {
  const { productId, productName, duration, daysLeft, orderBy, left, confidence } = row
  if (!daysLeft || !orderBy) return null
  const tone = left === 0 ? 'bad' : daysLeft.mid <= SOON_DAYS ? 'warn' : 'brand'
  return (
    <li>
      <AllowedLink
        call={calls.keys.list}
        to="/admin/key-manager"
        search={{ product: productId, duration }}
        className="-mx-2 grid gap-1.5 rounded-control px-2 py-2"
        linkClassName="hover:bg-hover"
      >
        <span className="flex items-baseline justify-between gap-x-4 large-text:flex-wrap">
          <span className="min-w-0 font-medium wrap-anywhere">
            {productName} <span className="font-normal text-fg-2">({durationText(duration)})</span>
          </span>
          <span className={cx('tabular shrink-0 text-sm', left === 0 ? 'text-bad' : 'text-fg-2')}>
            {left === 0 ? t('Out of stock') : confidence === 'low' ? t('Few sales so far') : orderText(orderBy)}
          </span>
        </span>
        <ShareBar share={daysLeft.mid / DAYS_SHOWN} tone={tone} />
        {left > 0 && <span className="tabular text-xs text-fg-3">{lastsText(daysLeft)}</span>}
      </AllowedLink>
    </li>
  )
}

/** "Lasts about 4 days (3–6)" */
function lastsText({ low, mid, high }: NonNullable<Forecast['daysLeft']>): string {
  if (mid < 1) return t('Lasts less than a day')
  return t('Lasts about {days, plural, one {# day} other {# days}} ({low}–{high})', {
    days: Math.round(mid),
    low: Math.floor(low),
    high: Math.ceil(high),
  })
}

function orderText(day: string): string {
  const date = startOf(day)
  return date.getTime() <= serverNow() ? t('Order now') : t('Order by {day}', { day: formatDate(date.toISOString()) })
}

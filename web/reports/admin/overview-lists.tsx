import type { ReactNode } from 'react'
import type { Overview } from '../../../contract/reports.ts'
import { durationText, t } from '../../platform/i18n.ts'
import { counted, formatRupees } from '../../platform/money.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { calls } from '../../platform/admin/roles.ts'
import { Panel } from '../../ui/page/panel.tsx'
import { Chip } from '../../ui/chip.tsx'
import { ShareBar } from '../../ui/admin/share-bar.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { stockRows, type StockRow } from './stock-rows.ts'

const row = '-mx-2 grid gap-1.5 rounded-control px-2 py-2'

export function BestSellers({ overview }: { overview: Overview | undefined }) {
  const { bestSellers, days = [] } = overview ?? {}
  const top = bestSellers?.[0]?.revenue ?? 0
  return (
    <Panel
      title={t('Best sellers')}
      actions={
        overview && (
          <p className="text-sm text-fg-3">
            {t('{count, plural, one {Last day} other {Last # days}}', { count: days.length })}
          </p>
        )
      }
    >
      <Rows rows={bestSellers} empty={t('No sales in this period.')}>
        {({ productId, name, quantity, revenue }) => (
          <AllowedLink
            call={calls.orders.purchases}
            to="/admin/purchases"
            search={{ product: productId, from: days[0]?.day, to: days.at(-1)?.day }}
            className={row}
            linkClassName="hover:bg-hover"
          >
            <span className="flex items-baseline justify-between gap-x-4 large-text:flex-wrap">
              <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
              <span className="tabular shrink-0 text-sm text-fg-3">
                {t('{count, plural, one {# key} other {# keys}}', { count: quantity })} ·{' '}
                <span className="text-base font-semibold text-fg">{formatRupees(revenue)}</span>
              </span>
            </span>
            <ShareBar share={top > 0 ? revenue / top : 0} />
          </AllowedLink>
        )}
      </Rows>
    </Panel>
  )
}

/**
 * The products with the least stock, and which of their durations are about to sell out. On a phone not beside
 * “Runs out”, which names them, too.
 */
export function Stock({ overview }: { overview: Overview | undefined }) {
  const rows = overview && stockRows(overview)
  const most = Math.max(...(rows ?? []).map(({ available }) => available), 1)
  return (
    <Panel title={t('Stock')} className="max-sm:peer-[*]:hidden">
      <Rows rows={rows} empty={t('No products yet.')}>
        {(product) => (
          <AllowedLink
            call={calls.keys.list}
            to="/admin/key-manager"
            search={{ view: 'stock', search: product.name }}
            className={row}
            linkClassName="hover:bg-hover"
          >
            <span className="flex items-baseline justify-between gap-x-4 large-text:flex-wrap">
              <span className="min-w-0 font-medium wrap-anywhere">{product.name}</span>
              <Left product={product} />
            </span>
            <ShareBar
              share={product.available / most}
              tone={product.low.length === 0 ? 'brand' : product.available === 0 ? 'bad' : 'warn'}
            />
            {product.low.length > 0 && product.available > 0 && (
              <span className="text-xs text-warn">{product.low.map(lowText).join(', ')}</span>
            )}
          </AllowedLink>
        )}
      </Rows>
    </Panel>
  )
}

function Left({ product: { available } }: { product: StockRow }) {
  return available === 0 ? (
    <Chip tone="bad">{t('Out of stock')}</Chip>
  ) : (
    <span className="tabular shrink-0 text-sm text-fg-2">
      {t('{count, plural, one {# key left} other {{text} keys left}}', counted(available))}
    </span>
  )
}

/** "1 Month: 2 keys left", or how long they last where there are more. */
function lowText({ available, daysLeft, ...low }: StockRow['low'][number]): string {
  const duration = durationText(low.duration)
  if (available === 0) return t('{duration}: out of stock', { duration })
  const left = t('{count, plural, one {# key left} other {# keys left}}', { count: available })
  if (daysLeft === null) return `${duration}: ${left}`
  const days =
    daysLeft < 1
      ? t('Less than a day left')
      : t('{count, plural, one {About # day left} other {About # days left}}', { count: Math.round(daysLeft) })
  return `${duration}: ${left} · ${days}`
}

interface RowsProps<Row> {
  rows: readonly Row[] | undefined
  empty: string
  children: (row: Row) => ReactNode
}

/** Three on a phone, and all from there on. */
function Rows<Row extends { productId: string }>({ rows, empty, children }: RowsProps<Row>) {
  if (!rows) {
    return (
      <Loading className="grid gap-4 max-sm:*:nth-[n+4]:hidden">
        {[1, 2, 3, 4, 5].map((each) => (
          <Skeleton key={each} className="h-10" />
        ))}
      </Loading>
    )
  }
  if (rows.length === 0) return <p className="py-6 text-center text-sm text-fg-2">{empty}</p>
  return (
    <ul className="-my-2 grid gap-1 max-sm:*:nth-[n+4]:hidden">
      {rows.map((each) => (
        <li key={each.productId}>{children(each)}</li>
      ))}
    </ul>
  )
}

import type { ReactNode } from 'react'
import type { Overview } from '../../../contract/reports.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { calls } from '../../platform/admin/roles.ts'
import { Panel } from '../../ui/panel.tsx'
import { Chip } from '../../ui/chip.tsx'
import { ShareBar } from '../../ui/admin/share-bar.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'

const RUNNING_OUT_SHOWN = 6

export function BestSellers({ sellers, days }: { sellers: Overview['bestSellers'] | undefined; days: string }) {
  const top = sellers?.[0]?.revenue ?? 0
  return (
    <Panel title={t('Best sellers')} description={t('Last {count} days', { count: days })}>
      <Rows rows={sellers} rowKey={({ productId }) => productId} empty={t('No sales in this period.')}>
        {({ productId, name, quantity, revenue }) => (
          <AllowedLink
            call={calls.orders.purchases}
            to="/admin/purchases"
            search={{ product: productId }}
            className="-mx-2 block rounded-control px-2 py-2"
            linkClassName="hover:bg-hover"
          >
            <span className="flex items-baseline justify-between gap-4">
              <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
              <span className="tabular shrink-0 font-semibold">{formatRupees(revenue)}</span>
            </span>
            <span className="mt-1.5 flex items-center gap-3">
              <ShareBar share={top > 0 ? revenue / top : 0} className="flex-1" />
              <span className="tabular w-20 shrink-0 text-right text-xs text-fg-3">
                {t('{count, plural, one {# key} other {# keys}}', { count: quantity })}
              </span>
            </span>
          </AllowedLink>
        )}
      </Rows>
    </Panel>
  )
}

export function RunningOut({ rows, hasProducts }: { rows: Overview['runningOut'] | undefined; hasProducts: boolean }) {
  return (
    <Panel title={t('Low on stock')} description={t('Based on sales in the last 14 days')}>
      <Rows
        rows={rows?.slice(0, RUNNING_OUT_SHOWN)}
        rowKey={({ productId, duration }) => `${productId} ${duration}`}
        empty={hasProducts ? t('All durations are well stocked.') : t('No products yet.')}
      >
        {({ productId, name, duration, available, daysLeft }) => (
          <AllowedLink
            call={calls.keys.list}
            to="/admin/key-manager"
            search={{ product: productId, duration }}
            className="-mx-2 flex min-h-12 items-center justify-between gap-4 rounded-control px-2 py-1"
            linkClassName="hover:bg-hover"
          >
            <span className="min-w-0">
              <span className="block font-medium wrap-anywhere">{name}</span>
              <span className="block text-xs text-fg-3">{duration}</span>
            </span>
            <span className="grid shrink-0 justify-items-end gap-0.5">
              <Chip tone={available === 0 ? 'bad' : 'warn'}>
                {available === 0
                  ? t('Out of stock')
                  : t('{count, plural, one {# key left} other {# keys left}}', { count: available })}
              </Chip>
              {available > 0 && daysLeft !== null && (
                <span className="tabular text-xs text-fg-3">
                  {daysLeft < 1
                    ? t('Less than a day left')
                    : t('{count, plural, one {About # day left} other {About # days left}}', {
                        count: Math.round(daysLeft),
                      })}
                </span>
              )}
            </span>
          </AllowedLink>
        )}
      </Rows>
    </Panel>
  )
}

interface RowsProps<Row> {
  rows: readonly Row[] | undefined
  empty: string
  rowKey: (row: Row) => string
  children: (row: Row) => ReactNode
}

function Rows<Row>({ rows, empty, rowKey, children }: RowsProps<Row>) {
  if (!rows) {
    return (
      <Loading className="grid gap-4">
        {[1, 2, 3, 4, 5].map((row) => (
          <Skeleton key={row} className="h-10" />
        ))}
      </Loading>
    )
  }
  if (rows.length === 0) return <p className="py-6 text-center text-sm text-fg-2">{empty}</p>
  return (
    <ul className="-my-1 divide-y divide-line">
      {rows.map((row) => (
        <li key={rowKey(row)} className="py-1">
          {children(row)}
        </li>
      ))}
    </ul>
  )
}

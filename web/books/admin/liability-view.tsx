import type { ReactNode } from 'react'
import type { Liability } from '../../../contract/books.ts'
import { dayAfter, dayOf } from '../../../contract/india.ts'
import { liability } from '../../../contract/panel-pages.ts'
import { MINUTE_MS } from '../../../contract/time.ts'
import { files } from '../../platform/admin/download.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { calls } from '../../platform/admin/roles.ts'
import { useNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { useExport } from '../../ui/admin/lists/export-action.tsx'
import { ListPage } from '../../ui/admin/lists/list-page.tsx'
import { Loaded } from '../../ui/page/loaded.tsx'
import { FigureLink, Shares } from './book-parts.tsx'
import { monthName } from './months.ts'

/** Where the rows of a split are. */
const ROWS = { view: 'rows', status: 'unspent' }

/** What the store owes its buyers: their unspent credit. */
export function LiabilityView({ views }: { views: ReactNode }) {
  const query = usePanel(liability)
  const { data } = query
  const saving = useExport({
    name: 'unspent-credit.csv',
    disabled: !data,
    fetch: (signal) => files.books.exportLiability({}, signal),
  })
  return (
    <ListPage
      title={t('Books')}
      views={views}
      more={[saving]}
      notice={
        data && (
          <p className="text-sm text-fg-2">
            {t('Unspent credit of all buyers')}{' '}
            <FigureLink
              place={{ call: calls.users.list, to: '/admin/user-manager', search: { status: 'money' } }}
              className="inline"
            >
              <strong className="tabular text-lg text-fg">{formatRupees(data.total)}</strong>
            </FigureLink>
            {data.held.amount > 0 && (
              <span className="block wide:inline wide:before:content-['_·_']">
                {t('Held by banks: {amount}', { amount: formatRupees(data.held.amount) })}
              </span>
            )}
          </p>
        )
      }
    >
      <Loaded query={query} skeleton="h-64 wide:m-4">
        {(owed) => <Parts owed={owed} />}
      </Loaded>
    </ListPage>
  )
}

export const SOURCES: Record<Liability['bySource'][number]['source'], () => string> = {
  paid: () => t('Paid by buyers'),
  bonus: () => t('Bonus on top-ups'),
  referral: () => t('Referral rewards'),
  admin: () => t('Given by admins'),
}
const AGES: Record<Liability['byAge'][number]['days'], { label: () => string; from?: number; to: number }> = {
  '0-30': { label: () => t('Up to 30 days'), from: 30, to: 0 },
  '31-90': { label: () => t('31 to 90 days'), from: 90, to: 31 },
  '91-180': { label: () => t('91 to 180 days'), from: 180, to: 91 },
  '181+': { label: () => t('Over 180 days'), to: 181 },
}
/** "Never", or the month in which credit expires. */
export const expiryText = (month: string | null): string =>
  month === null || month === 'never' ? t('Never') : monthName(month)

function Parts({ owed: { bySource, byAge, byExpiry, monthEnds } }: { owed: Liability }) {
  const today = dayOf(useNow(MINUTE_MS))
  const ago = (days: number) => dayAfter(today, -days)
  // Newest first. Before the store began there is nothing to show
  const begun = monthEnds.slice(0, monthEnds.findLastIndex(({ amount }) => amount !== 0) + 1)
  return (
    <div className="grid gap-6 wide:grid-cols-2 wide:border-t wide:border-line wide:p-4">
      <Shares
        title={t('Where it came from')}
        lines={bySource.map(({ source, amount }) => ({
          name: source,
          label: SOURCES[source](),
          amount,
          search: { ...ROWS, source },
        }))}
      />
      <Shares
        title={t('How old it is')}
        lines={byAge.map(({ days, amount }) => {
          const { label, from, to } = AGES[days]
          return {
            name: days,
            label: label(),
            amount,
            search: { ...ROWS, to: ago(to), ...(from !== undefined && { from: ago(from) }) },
          }
        })}
      />
      {byExpiry.length > 0 && (
        <Shares
          title={t('When it expires')}
          lines={byExpiry.map(({ month, amount }) => ({
            name: month ?? 'never',
            label: expiryText(month),
            amount,
            search: { ...ROWS, month: month ?? 'never' },
          }))}
        />
      )}
      {begun.length > 0 && (
        <Shares
          title={t('At the end of each month')}
          lines={begun.map(({ month, amount }) => ({
            name: month,
            label: monthName(month),
            amount,
            search: { view: 'month', month },
          }))}
        />
      )}
    </div>
  )
}

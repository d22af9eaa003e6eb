import { keepPreviousData } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { MonthLine, MonthStatement } from '../../../contract/books.ts'
import { dayOf } from '../../../contract/india.ts'
import { monthOf } from '../../../contract/panel-pages.ts'
import { MINUTE_MS } from '../../../contract/time.ts'
import { files } from '../../platform/admin/download.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { calls } from '../../platform/admin/roles.ts'
import { useNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { useExport } from '../../ui/admin/lists/export-action.tsx'
import { ListPage } from '../../ui/admin/lists/list-page.tsx'
import { cx } from '../../ui/cx.ts'
import { Money } from '../../ui/money.tsx'
import { Loaded } from '../../ui/page/loaded.tsx'
import { FigureLink, inBooks, LINES, PeriodSelect, type Place, type ViewProps } from './book-parts.tsx'
import { daysOf, monthName, recentMonths } from './months.ts'

/** The month statement: how the unspent credit of all buyers changed. */
export function MonthView({ asked: { month }, views }: ViewProps) {
  const today = dayOf(useNow(MINUTE_MS))
  const query = usePanel(monthOf(month), { placeholderData: keepPreviousData })
  const saving = useExport({
    name: `statement-${month}.csv`,
    disabled: !query.data,
    fetch: (signal) => files.books.exportMonth({ month }, signal),
  })
  return (
    <ListPage
      title={t('Books')}
      views={views}
      more={[saving]}
      notice={
        <PeriodSelect label={t('Month')} part="month" asked={month} recent={recentMonths(today)} nameOf={monthName} />
      }
    >
      <Loaded query={query} skeleton="h-96 wide:m-4">
        {(statement) => <Statement statement={statement} />}
      </Loaded>
    </ListPage>
  )
}

/** Where the rows of a line are. */
function placeOf(line: MonthLine, month: string): Place {
  const days = daysOf(month)
  const payments = (source: string): Place => {
    return { call: calls.payments.list, to: '/admin/payment-manager', search: { status: 'approved', source, ...days } }
  }
  const rows = inBooks({ view: 'rows', status: line, ...days })
  const adjustments = payments('adjustment')
  const places: Record<MonthLine, Place> = {
    sales: { call: calls.orders.purchases, to: '/admin/purchases', search: days },
    refunds: { call: calls.claims.list, to: '/admin/claims', search: { status: 'refunded', ...days } },
    rewards: { call: calls.referrals.list, to: '/admin/referral-manager' },
    given: adjustments,
    taken: adjustments,
    'top-ups': rows,
    bonus: payments('request'),
    'taken-back': rows,
    expired: rows,
    returned: rows,
  }
  return places[line]
}

function Statement({ statement: { month, before, lines, after } }: { statement: MonthStatement }) {
  return (
    <table className="w-full border-collapse text-left text-sm wide:border-t wide:border-line">
      <caption className="sr-only">{t('Statement of {month}', { month: monthName(month) })}</caption>
      <tbody>
        <Row label={t('Unspent credit before')} isSum>
          <Money rupees={before} />
        </Row>
        {lines.map(({ line, amount }) => {
          const place = amount === 0 ? undefined : placeOf(line, month)
          return (
            <Row
              key={line}
              label={
                place ? (
                  <FigureLink place={place} className="inline">
                    {LINES[line]()}
                  </FigureLink>
                ) : (
                  LINES[line]()
                )
              }
            >
              <Money rupees={amount} signed />
            </Row>
          )
        })}
        <Row label={t('Unspent credit after')} isSum>
          <Money rupees={after} />
        </Row>
      </tbody>
    </table>
  )
}

function Row({ label, isSum, children }: { label: ReactNode; isSum?: boolean; children: ReactNode }) {
  return (
    <tr className={isSum ? 'border-b border-line font-semibold' : 'border-b border-line'}>
      <th scope="row" className={cx('h-11 px-1 wide:px-4', !isSum && 'font-normal')}>
        {label}
      </th>
      <td className="px-1 text-right wide:px-4">{children}</td>
    </tr>
  )
}

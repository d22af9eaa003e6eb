import { ChevronDown } from 'lucide-react'
import type { Overview } from '../../../contract/reports.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { calls } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import { formatCount, formatRupees } from '../../platform/money.ts'
import { nameOf } from './chart-scale.ts'
import type { ChartWords } from './chart-words.ts'

/** The chart's numbers, with a link from each day to its sales. */
export function DayTable({ days, words }: { days: readonly Overview['days'][number][]; words: ChartWords }) {
  return (
    <details className="group mt-1 -mb-2 text-sm">
      <summary className="inline-flex min-h-11 cursor-pointer items-center rounded-control text-fg-2 hover:text-fg">
        {t('View as table')}
        <ChevronDown size={14} aria-hidden className="ml-1 transition-transform group-open:rotate-180" />
      </summary>
      {/* Scrolls by keyboard too, which needs a focusable element with a name. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section tabIndex={0} aria-label={words.table} className="max-h-80 overflow-auto">
        <table className="w-full border-collapse text-left">
          <thead>
            <tr className="border-b border-line text-xs text-fg-2">
              <th scope="col" className="py-2 pr-4 font-medium">
                {t('Day')}
              </th>
              <th scope="col" className="py-2 pr-4 text-right font-medium">
                {words.count}
              </th>
              <th scope="col" className="py-2 pr-4 text-right font-medium">
                {words.bars}
              </th>
              <th scope="col" className="py-2 text-right font-medium">
                {words.line}
              </th>
            </tr>
          </thead>
          <tbody className="tabular">
            {days.toReversed().map((day) => (
              <tr key={day.day} className="border-b border-line last:border-b-0">
                <th scope="row" className="pr-4 font-normal whitespace-nowrap">
                  <AllowedLink
                    call={calls.orders.purchases}
                    to="/admin/purchases"
                    search={{ from: day.day, to: day.day }}
                    className="inline-flex min-h-11 items-center rounded-chip"
                    linkClassName="text-brand hover:underline"
                  >
                    {nameOf(day.day)}
                  </AllowedLink>
                </th>
                <td className="pr-4 text-right">{formatCount(day.orders)}</td>
                <td className="pr-4 text-right">{formatRupees(day.sales)}</td>
                <td className="text-right">{formatRupees(day.topUps)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

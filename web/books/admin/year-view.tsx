import { keepPreviousData } from '@tanstack/react-query'
import type { BookYear } from '../../../contract/books.ts'
import { dayOf, financialYear, yearText } from '../../../contract/india.ts'
import { TURNOVER_LINES } from '../../../contract/limits.ts'
import { yearOf } from '../../../contract/panel-pages.ts'
import { MINUTE_MS } from '../../../contract/time.ts'
import { files } from '../../platform/admin/download.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { renew, useCall } from '../../platform/calls/use-call.ts'
import { useNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { toastError } from '../../platform/navigation/toast.ts'
import { Select } from '../../ui/admin/forms/select.tsx'
import { useExport } from '../../ui/admin/lists/export-action.tsx'
import { ListPage } from '../../ui/admin/lists/list-page.tsx'
import { ShareBar } from '../../ui/admin/share-bar.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { cx } from '../../ui/cx.ts'
import { Money } from '../../ui/money.tsx'
import { Loaded } from '../../ui/page/loaded.tsx'
import { FigureLink, inBooks, PeriodSelect, type ViewProps } from './book-parts.tsx'
import { monthName } from './months.ts'

const YEARS = 5
/** From this part of the line on, the meter warns. */
const NEAR = 0.8

/** The turnover of a financial year: what came in, and what of it was sales. */
export function YearView({ asked: { year }, views }: ViewProps) {
  const present = financialYear(dayOf(useNow(MINUTE_MS)))
  const query = usePanel(yearOf(year), { placeholderData: keepPreviousData })
  const saving = useExport({
    name: `year-${year}.csv`,
    disabled: !query.data,
    fetch: (signal) => files.books.exportYear({ year }, signal),
  })
  const years = Array.from({ length: YEARS }, (_, back) => present - back)
  return (
    <ListPage
      title={t('Books')}
      views={views}
      more={[saving]}
      notice={<PeriodSelect label={t('Financial year')} part="year" asked={year} recent={years} nameOf={yearText} />}
    >
      <Loaded query={query} skeleton="h-96 wide:m-4">
        {(figures) => (
          <>
            <Meter figures={figures} />
            <Months figures={figures} />
          </>
        )}
      </Loaded>
    </ListPage>
  )
}

function Meter({ figures: { year, total, line } }: { figures: BookYear }) {
  const save = useCall('settings.saveStore', { onSettled: () => Promise.all([renew('settings'), renew('books')]) })
  const words = { year: yearText(year), amount: formatRupees(total.sales) }
  const share = line === null ? 0 : total.sales / line
  return (
    <section className="mb-4 grid max-w-160 gap-3 wide:px-4">
      <p className="font-medium">
        {line === null
          ? t('Sales of {year}: {amount}', words)
          : t('Sales of {year}: {amount} of {line}', { ...words, line: formatRupees(line) })}
      </p>
      {line !== null && <ShareBar share={share} tone={share >= 1 ? 'bad' : share >= NEAR ? 'warn' : 'brand'} />}
      <Field
        label={t('Your line')}
        hint={t('Which line is yours depends on your state and what you sell. Ask a chartered accountant.')}
      >
        <Select
          value={String(line ?? '')}
          disabled={save.isPending || denied(calls.settings.saveStore) !== undefined}
          onChange={({ target }) =>
            save.mutate({ turnoverLine: target.value === '' ? null : target.value }, { onError: toastError })
          }
          className="sm:max-w-56"
        >
          {TURNOVER_LINES.map((each) => (
            <option key={each} value={each}>
              {formatRupees(each)}
            </option>
          ))}
          <option value="">{t('None')}</option>
        </Select>
      </Field>
    </section>
  )
}

const CELL = 'px-1 py-3 text-right wide:px-4'

function Months({ figures: { year, months, total, unspent } }: { figures: BookYear }) {
  return (
    <table className="w-full border-collapse text-sm max-sm:text-xs wide:border-t wide:border-line">
      <caption className="sr-only">{t('Turnover of {year}', { year: yearText(year) })}</caption>
      <thead>
        <tr className="border-b border-line text-fg-3">
          <th scope="col" className="h-9 px-1 text-left font-normal wide:px-4">
            {t('Month')}
          </th>
          {[t('Received'), t('Taken back'), t('Sales')].map((name) => (
            <th key={name} scope="col" className="px-1 text-right font-normal wide:px-4">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {months.map(({ month, ...figure }) => (
          <Row
            key={month}
            figure={figure}
            name={
              <FigureLink place={inBooks({ view: 'month', month })} className="inline">
                {monthName(month)}
              </FigureLink>
            }
          />
        ))}
        <Row figure={total} name={t('Total')} isSum />
        <tr className="font-semibold">
          <th scope="row" colSpan={3} className="h-11 px-1 text-left wide:px-4">
            {t('Unspent at the end')}
          </th>
          <td className={CELL}>
            <Money rupees={unspent} />
          </td>
        </tr>
      </tbody>
    </table>
  )
}

interface RowProps {
  name: React.ReactNode
  figure: BookYear['total']
  isSum?: boolean
}

function Row({ name, figure: { received, seen, takenBack, sales }, isSum }: RowProps) {
  return (
    <tr className={isSum ? 'border-b border-line align-top font-semibold' : 'border-b border-line align-top'}>
      <th scope="row" className={cx('px-1 py-3 text-left wide:px-4', !isSum && 'font-normal')}>
        {name}
      </th>
      <td className={CELL}>
        <Money rupees={received} />
        {received > 0 && (
          <span className="block text-xs font-normal text-fg-3">
            {t('{amount} seen in your bank', { amount: formatRupees(seen) })}
          </span>
        )}
      </td>
      <td className={CELL}>
        <Money rupees={takenBack} />
      </td>
      <td className={CELL}>
        <Money rupees={sales} />
      </td>
    </tr>
  )
}

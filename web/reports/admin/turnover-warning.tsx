import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { dayOf, financialYear, yearText } from '../../../contract/india.ts'
import { yearOf } from '../../../contract/panel-pages.ts'
import { HOUR_MS } from '../../../contract/time.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { panelQuery } from '../../platform/admin/panel-query.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { serverNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { NEED, NEED_WORDS } from '../../ui/admin/need.ts'

const NEAR = 0.8

/** Says that the year’s sales come to the owner’s line. Asked once an hour, because it changes slowly. */
export function TurnoverWarning() {
  const year = financialYear(dayOf(serverNow()))
  const { data } = useQuery({
    ...panelQuery(yearOf(year)),
    queryKey: ['turnover', year],
    staleTime: HOUR_MS,
    enabled: denied(calls.books.year) === undefined,
  })
  if (!data?.line || data.total.sales < data.line * NEAR) return null
  const words = { year: yearText(year), amount: formatRupees(data.total.sales), line: formatRupees(data.line) }
  return (
    <p className={NEED}>
      <TriangleAlert size={18} aria-hidden className="shrink-0 text-warn" />
      <span className={NEED_WORDS}>{t('Sales of {year}: {amount} of {line}', words)}</span>
      <AllowedLink
        call={calls.books.year}
        to="/admin/books"
        search={{ view: 'year' }}
        className="font-semibold text-brand"
      >
        {t('Open the year')}
      </AllowedLink>
    </p>
  )
}

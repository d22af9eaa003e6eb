import type { BookRowsOf } from '../../../contract/books.ts'
import { bookAddress } from '../../../contract/panel-pages.ts'
import { MINUTE_MS } from '../../../contract/time.ts'
import { useNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { navigate, useSearch } from '../../platform/navigation/router.tsx'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { Lines } from '../../ui/page/loaded.tsx'
import { BatchesView } from './batches-view.tsx'
import { LiabilityView } from './liability-view.tsx'
import { ProfitView } from './profit-view.tsx'
import { RowsView } from './rows-view.tsx'

const PATH = '/admin/books'

const LATER = { waiting: <Lines className="h-96 wide:m-4" />, missing: 'line' } as const
const MonthView = lazyPart(() => import('./month-view.tsx').then((file) => file.MonthView), LATER)
const YearView = lazyPart(() => import('./year-view.tsx').then((file) => file.YearView), LATER)

/** The view that rows belong to; others belong to the month. */
const VIEWS: Partial<Record<BookRowsOf, 'profit' | 'liability'>> = { bonus: 'profit', unspent: 'liability' }

/** The books: profit, what each batch has earned, what the store owes its buyers, and its months and years. */
export function BooksScreen() {
  const asked = bookAddress(useSearch(PATH), useNow(MINUTE_MS))
  const views = (
    <Segmented
      label={t('Show books')}
      value={asked.view === 'rows' ? (VIEWS[asked.of] ?? 'month') : asked.view}
      onChange={(view) => void navigate<typeof PATH>({ search: { view: view === 'profit' ? undefined : view } })}
      className="max-sm:[&>button]:px-1.5"
      options={[
        { value: 'profit', label: t('Profit') },
        { value: 'batches', label: t('Batches') },
        { value: 'liability', label: t('Owed') },
        { value: 'month', label: t('Month') },
        { value: 'year', label: t('Year') },
      ]}
    />
  )
  if (asked.view === 'batches') return <BatchesView asked={asked} views={views} />
  if (asked.view === 'liability') return <LiabilityView views={views} />
  if (asked.view === 'month') return <MonthView asked={asked} views={views} />
  if (asked.view === 'year') return <YearView asked={asked} views={views} />
  if (asked.view === 'rows') return <RowsView asked={asked} views={views} />
  return <ProfitView asked={asked} views={views} />
}

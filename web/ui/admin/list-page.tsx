import type { ReactNode } from 'react'
import { t } from '../../platform/i18n.ts'
import { formatCount } from '../../platform/money.ts'
import { Page } from '../page.tsx'
import { cx } from '../cx.ts'

interface ListPageProps {
  /** The page's name: its tab's title, and its heading to screen readers. */
  title: string
  /** The heading over the list: "Products". */
  heading: string
  /** The total, shown next to the heading. */
  count?: number | undefined
  /** True if the count is an estimate. */
  isEstimate?: boolean | undefined
  /** The main button, at the right end of the heading's line. */
  actions?: ReactNode
  /** A SearchInput; as wide as the list on phones. */
  search?: ReactNode
  /** Beside the search, or under it: Segmented, Select. */
  filters?: ReactNode
  /** Over the panel: stat cards. */
  above?: ReactNode
  /** Between the filters and the list. */
  notice?: ReactNode
  /** Under the list: Pagination. */
  footer?: ReactNode
  /** The DataTable. */
  children: ReactNode
}

/** A list with search and paging: `<ListPage title heading count actions search filters><DataTable …/>` */
export function ListPage(props: ListPageProps) {
  const { title, heading, count, isEstimate, actions, search, filters, above, notice, footer, children } = props
  return (
    <Page title={title} hideTitle>
      {above && <div className="mb-4 sm:mb-6">{above}</div>}
      <section className="rounded-panel border border-line bg-surface">
        <header className="grid grid-cols-1 gap-3 p-4">
          <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <h2 className="text-lg font-semibold">
              {heading}
              {count !== undefined && (
                <span className="tabular ml-1.5 font-normal text-fg-3">
                  {isEstimate ? t('about {count}', { count: formatCount(count) }) : formatCount(count)}
                </span>
              )}
            </h2>
            {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
          </div>
          {(search || filters) && (
            <div className="flex flex-wrap items-center gap-3">
              {search && <div className="w-full sm:w-72">{search}</div>}
              {filters}
            </div>
          )}
          {notice}
        </header>
        <div className={cx('max-wide:border-t max-wide:border-line', !footer && 'overflow-hidden rounded-b-panel')}>
          {children}
        </div>
        {footer && <div className="border-t border-line px-4 py-2.5">{footer}</div>}
      </section>
    </Page>
  )
}

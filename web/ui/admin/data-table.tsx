import type { ReactNode } from 'react'
import { SIDEBAR_BREAKPOINT_PX } from '../../../contract/limits.ts'
import { t } from '../../platform/i18n.ts'
import { useMedia } from '../../platform/use-media.ts'
import { ErrorState } from '../error-state.tsx'
import { Skeleton } from '../skeleton.tsx'
import { cx } from '../cx.ts'

export interface Column<Row> {
  /** Unique among the columns. */
  key: string
  /** Head of the column, and label on a card. Buttons need one too ("Actions"), for screen readers. */
  title: string
  /** Null for what this row does not have. */
  cell: (row: Row) => ReactNode
  align?: 'right'
  /** Classes of the head and the cells, for widths: "w-40". */
  className?: string
  /**
   * Where it goes on a phone's card: title (top left) · aside (top right, an amount) · chip (under the title) ·
   * line (label and value; the usual) · actions (bottom, right) · none
   */
  card?: 'title' | 'aside' | 'chip' | 'line' | 'actions' | 'none'
}

interface DataTableProps<Row> {
  /** Names the table to screen readers: "Users". */
  label: string
  columns: readonly Column<Row>[]
  /** Undefined while loading. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** Shown when there are no rows; an EmptyState. */
  empty: ReactNode
  error?: unknown
  onRetry?: () => unknown
  /** Number of skeleton rows while loading: the page size. */
  skeletonRows?: number
  /** Older rows that are shown while newer ones load: paler. */
  stale?: boolean
  /** Classes of a row or card, for a state such as being dragged. */
  rowClassName?: (row: Row) => string | undefined
}

/**
 * A list of rows: a real table from 901 px, cards below. Put it into a Panel with `p-0!`, or on its own.
 *
 *   <DataTable label columns rows={query.data?.users} rowKey={(user) => user._id} empty={<EmptyState …/>}
 *     error={query.error} onRetry={query.refetch} stale={query.isPlaceholderData} />
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const isWide = useMedia(`(width > ${SIDEBAR_BREAKPOINT_PX}px)`)
  const { rows, error, onRetry, empty } = props
  if (error && !rows) return <ErrorState error={error} {...(onRetry && { onRetry })} />
  if (rows?.length === 0) return empty
  return isWide ? <Table {...props} /> : <Cards {...props} />
}

function Table<Row>({ label, columns, rows, rowKey, skeletonRows = 5, stale, rowClassName }: DataTableProps<Row>) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls by keyboard too, so it takes focus and has a name
    <section aria-label={label} tabIndex={0} aria-busy={!rows} className="overflow-x-auto -outline-offset-2!">
      <table className={cx('w-full border-collapse text-left text-sm transition-opacity', stale && 'opacity-60')}>
        <thead>
          <tr className="border-y border-line bg-sunken">
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={cx(
                  'h-9 px-4 text-xs font-medium text-fg-2',
                  column.align === 'right' && 'text-right',
                  column.className,
                )}
              >
                <span className={cx(column.card === 'actions' && 'sr-only')}>{column.title}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows
            ? rows.map((row) => (
                <tr
                  key={rowKey(row)}
                  data-row={rowKey(row)}
                  className={cx(
                    'border-b border-line transition-colors last:border-b-0 hover:bg-hover/40',
                    rowClassName?.(row),
                  )}
                >
                  {columns.map((column) => (
                    <td
                      key={column.key}
                      className={cx(
                        'h-14 px-4 py-2',
                        column.align === 'right' && 'text-right',
                        column.card === 'actions' && 'w-0 whitespace-nowrap',
                        column.className,
                      )}
                    >
                      {column.card === 'actions' ? (
                        <div className="flex items-center justify-end gap-1">{column.cell(row)}</div>
                      ) : (
                        column.cell(row)
                      )}
                    </td>
                  ))}
                </tr>
              ))
            : Array.from({ length: skeletonRows }, (_, index) => (
                <tr key={index} className="border-b border-line last:border-b-0">
                  {columns.map((column) => (
                    <td key={column.key} className="h-14 px-4">
                      <Skeleton className={cx('h-4 w-24', column.align === 'right' && 'ml-auto')} />
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
      {!rows && <output className="sr-only">{t('Loading…')}</output>}
    </section>
  )
}

function Cards<Row>({ label, columns, rows, rowKey, skeletonRows = 5, stale, rowClassName }: DataTableProps<Row>) {
  const at = (place: NonNullable<Column<Row>['card']>) => columns.filter((column) => (column.card ?? 'line') === place)
  if (!rows) {
    return (
      <output className="block divide-y divide-line">
        <span className="sr-only">{t('Loading…')}</span>
        {Array.from({ length: Math.min(skeletonRows, 6) }, (_, index) => (
          <div key={index} className="grid gap-2.5 p-4">
            <Skeleton className="h-5 w-40 max-w-full" />
            <Skeleton className="h-4 w-56 max-w-full" />
          </div>
        ))}
      </output>
    )
  }
  return (
    <ul aria-label={label} className={cx('divide-y divide-line transition-opacity', stale && 'opacity-60')}>
      {rows.map((row) => (
        <li key={rowKey(row)} data-row={rowKey(row)} className={cx('p-4', rowClassName?.(row))}>
          <div className="flex items-start justify-between gap-x-4 gap-y-1 large-text:flex-wrap">
            <div className="min-w-0 wrap-break-word">
              {at('title').map((column) => (
                <div key={column.key}>{column.cell(row)}</div>
              ))}
            </div>
            <div className="shrink-0 text-right">
              {at('aside').map((column) => (
                <div key={column.key}>{column.cell(row)}</div>
              ))}
            </div>
          </div>
          {at('line').length > 0 && (
            <dl className="mt-2.5 grid gap-1 text-sm">
              {at('line').map((column) => {
                const content = column.cell(row)
                // An empty cell takes no line.
                return content === null ? null : (
                  <div key={column.key} className="flex justify-between gap-x-4 large-text:flex-wrap">
                    <dt className="shrink-0 text-fg-3">{column.title}</dt>
                    <dd className="min-w-0 text-right wrap-break-word">{content}</dd>
                  </div>
                )
              })}
            </dl>
          )}
          {(at('chip').length > 0 || at('actions').length > 0) && (
            <div className="mt-3 flex flex-wrap items-center justify-between gap-2">
              <div className="flex flex-wrap gap-1.5">
                {at('chip').map((column) => (
                  <div key={column.key}>{column.cell(row)}</div>
                ))}
              </div>
              <div className="ml-auto flex items-center gap-1 large-text:flex-wrap large-text:justify-end">
                {at('actions').map((column) => (
                  <div key={column.key} className="flex items-center gap-1 large-text:flex-wrap large-text:justify-end">
                    {column.cell(row)}
                  </div>
                ))}
              </div>
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

import { useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { t } from '../../../platform/i18n.ts'
import { AtWidth } from '../at-width.tsx'
import { Button } from '../../buttons/button.tsx'
import { ErrorState } from '../../page/error-state.tsx'
import { Skeleton } from '../../page/skeleton.tsx'
import { cx } from '../../cx.ts'
import type { Action } from './action-menu.tsx'
import { needsNames, RecordCard, RowActions, type RecordFace } from './record-card.tsx'

export interface Column<Row> {
  /** Head of the column, unique among them. */
  title: string
  /** Null for what this row does not have. On a card it gets the title, which a switch shows there. */
  cell: (row: Row, short?: string) => ReactNode
  /** Under the cell, smaller. On a card after the fact, and a title’s is a fact. */
  small?: (row: Row) => ReactNode
  /** Where a card shows the cell, too. */
  card?: 'title' | 'caption' | 'figure' | 'state' | 'children' | 'aside'
  /** What a card says among its facts. */
  fact?: (row: Row) => ReactNode
  align?: 'right'
  /** Classes of the head and the cells, for widths: "w-40". */
  className?: string
}

interface DataTableProps<Row> {
  /** Names the table to screen readers: "Users". */
  label: string
  /** The row in the table, its actions apart. */
  columns: readonly Column<Row>[]
  /** The row on a phone: its name, and what the columns do not say. */
  face: (row: Row) => RecordFace
  /** The most used first: a card shows two of them as buttons, or `buttons`, and the others in a menu. */
  actions?: ((row: Row) => readonly Action[]) | undefined
  buttons?: number | undefined
  /** Instead of actions, where a row needs more than buttons. Last in the table, and under the facts of a card. */
  controls?: (row: Row) => ReactNode
  /** Undefined while loading. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** Shown when there are no rows; an EmptyState. */
  empty: ReactNode
  error?: unknown
  /** Instead of the usual words for a list that could not be loaded; an ErrorState. */
  failed?: ReactNode
  onRetry?: () => unknown
  /** Number of skeleton rows while loading: the page size. */
  skeletonRows?: number | undefined
  /** How many cards a phone shows at first. */
  cards?: number | undefined
  /** Older rows that are shown while newer ones load: paler. */
  stale?: boolean | undefined
  /** Classes of a row or card, for a state such as being the current one. */
  rowClassName?: (row: Row) => string | undefined
}

/**
 * A list of records: a real table from 901 px, cards below. Put it into a ListPage.
 *
 *   <DataTable label columns face actions rows={query.data?.users} rowKey={(user) => user._id}
 *     empty={<EmptyState …/>} error={query.error} onRetry={query.refetch} stale={query.isPlaceholderData} />
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, error, failed, onRetry, empty } = props
  if (error && !rows) return failed ?? <ErrorState error={error} {...(onRetry && { onRetry })} />
  if (rows?.length === 0) return empty
  return <AtWidth wide={<Table {...props} />} narrow={<Cards {...props} />} />
}

function Table<Row>(props: DataTableProps<Row>) {
  const {
    label,
    columns,
    face,
    rows,
    rowKey,
    skeletonRows = 5,
    stale,
    rowClassName,
    actions,
    buttons,
    controls,
  } = props
  // All rows alike
  const isNamed = actions && rows && needsNames(rows.map(actions))
  const last =
    controls ??
    (actions &&
      ((row: Row) => <RowActions about={face(row).name} actions={actions(row)} most={buttons} isNamed={isNamed} />))
  const cell = (column: Column<Row>, ...names: string[]) =>
    cx(...names, column.align === 'right' && 'text-right', column.className)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls by keyboard too, so it takes focus
    <section aria-label={label} tabIndex={0} aria-busy={!rows} className="relative overflow-x-auto -outline-offset-2!">
      <table className={cx('w-full border-collapse text-left text-sm transition-opacity', stale && 'opacity-60')}>
        <thead>
          <tr className="border-y border-line bg-sunken">
            {columns.map((column) => (
              <th key={column.title} scope="col" className={cell(column, 'h-9 px-4 text-xs font-medium text-fg-2')}>
                {column.title}
              </th>
            ))}
            {last && (
              <th scope="col" className="h-9 px-4">
                <span className="sr-only">{t('Actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows?.map((row) => (
            <tr
              key={rowKey(row)}
              data-row={rowKey(row)}
              className={cx(
                'border-b border-line transition-colors last:border-b-0 hover:bg-hover/40',
                rowClassName?.(row),
              )}
            >
              {columns.map((column) => (
                <td key={column.title} className={cell(column, 'h-14 px-4 py-2')}>
                  {column.cell(row)}
                  {column.small && <span className="block text-xs wrap-break-word text-fg-3">{column.small(row)}</span>}
                </td>
              ))}
              {last && <td className="h-14 w-0 px-4 py-2 whitespace-nowrap">{last(row)}</td>}
            </tr>
          ))}
          {!rows &&
            Array.from({ length: skeletonRows }, (_, index) => (
              <tr key={index} className="border-b border-line last:border-b-0">
                {columns.map((column) => (
                  <td key={column.title} className="h-14 px-4">
                    <Skeleton className={cx('h-4 w-24', column.align === 'right' && 'ml-auto')} />
                  </td>
                ))}
                {last && <td aria-hidden />}
              </tr>
            ))}
        </tbody>
      </table>
      {!rows && <output className="sr-only">{t('Loading…')}</output>}
    </section>
  )
}

function cardOf<Row>(columns: readonly Column<Row>[], row: Row): Partial<RecordFace> {
  const facts: ReactNode[] = []
  const face: Partial<RecordFace> = { facts }
  for (const { title, cell, small, card, fact } of columns) {
    if (fact || card === 'title') facts.push(fact?.(row), small?.(row))
    if (card) face[card] = cell(row, title)
  }
  return face
}

const CARDS_SHOWN = 10
/** A tablet held upright has room for two beside each other. */
const CARDS = 'grid grid-cols-1 items-start gap-2 min-[44rem]:max-wide:grid-cols-2'
const CARD = 'rounded-card border border-line bg-surface p-3'
/** The browser lays out no card that is out of sight. */
const UNSEEN = '[contain-intrinsic-size:auto_12.5rem] [content-visibility:auto]'

function Cards<Row>(props: DataTableProps<Row>) {
  const {
    label,
    columns,
    rows,
    rowKey,
    skeletonRows = 5,
    cards = CARDS_SHOWN,
    stale,
    rowClassName,
    face,
    actions,
    buttons,
    controls,
  } = props
  const [count, setCount] = useState(cards)
  if (!rows) {
    return (
      <output className={CARDS}>
        <span className="sr-only">{t('Loading…')}</span>
        {Array.from({ length: Math.min(skeletonRows, 6) }, (_, index) => (
          <div key={index} className={cx(CARD, 'grid grid-cols-1 gap-2.5')}>
            <Skeleton className="h-5 w-40 max-w-full" />
            <Skeleton className="h-4 w-56 max-w-full" />
            <Skeleton className="h-9 w-36 max-w-full" />
          </div>
        ))}
      </output>
    )
  }
  const showMore = (list: Element | null | undefined) => {
    flushSync(() => setCount(count + cards))
    // The button may be gone. Reading goes on at the first new card
    list?.querySelector<HTMLElement>(`li:nth-child(${count + 1})`)?.focus({ preventScroll: true })
  }
  return (
    <div className="grid grid-cols-1 gap-3">
      <ul aria-label={label} className={cx(CARDS, 'transition-opacity', stale && 'opacity-60')}>
        {rows.slice(0, count).map((row) => (
          <li key={rowKey(row)} data-row={rowKey(row)} tabIndex={-1} className={cx(CARD, UNSEEN, rowClassName?.(row))}>
            <RecordCard
              face={{ ...cardOf(columns, row), ...face(row) }}
              controls={controls?.(row)}
              actions={actions?.(row)}
              most={buttons}
            />
          </li>
        ))}
      </ul>
      {rows.length > count && (
        <Button
          variant="secondary"
          data-more
          onClick={({ currentTarget }) => showMore(currentTarget.parentElement?.querySelector('ul'))}
        >
          {t('Show {count} more', { count: Math.min(cards, rows.length - count) })}
        </Button>
      )}
    </div>
  )
}

import type { ComponentProps, ReactNode } from 'react'
import type { BookRow, BooksBy } from '../../../contract/books.ts'
import { daysBetween, middayOf } from '../../../contract/india.ts'
import { BOOK_BONUS_DAYS_MAX } from '../../../contract/limits.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { calls } from '../../platform/admin/roles.ts'
import { formatDate } from '../../platform/dates.ts'
import { t } from '../../platform/i18n.ts'
import { formatCount, formatRupees } from '../../platform/money.ts'
import { Link } from '../../platform/navigation/router.tsx'
import type { Column } from '../../ui/admin/lists/data-table.tsx'
import type { RecordFace } from '../../ui/admin/lists/record-card.tsx'
import { Profit, UnknownCost } from './book-parts.tsx'

const PATH = '/admin/books'
const LINK = 'rounded-chip hover:underline'
const FIGURE = 'tabular whitespace-nowrap'

/** Both included. */
export interface Days {
  from: string
  to: string
}

interface Parts {
  row: BookRow
  by: BooksBy
  period: Days
}

/** Where the figures of a row come from. */
function placeOf({ row, by, period }: Parts) {
  if (by === 'day') return { from: row.id, to: row.id }
  return by === 'product' ? { ...period, product: row.id } : period
}

/** A day leads to its products, and all else to its batches. */
function deeper({ row, by }: Parts): NonNullable<ComponentProps<typeof Link<typeof PATH>>['search']> {
  return by === 'day'
    ? { by: 'product', from: row.id, to: row.id }
    : { view: 'batches', ...(row.name && { search: row.name }) }
}

const nameOf = ({ row, by }: Parts): string =>
  by === 'day' ? formatDate(middayOf(row.id)) : row.name || t('No supplier')

function Deeper({ parts, className, text }: { parts: Parts; className: string; text: ReactNode }) {
  return (
    <Link<typeof PATH> to={PATH} search={deeper(parts)} className={`${className} ${LINK}`}>
      {text}
    </Link>
  )
}

/** A supplier's keys are sold in purchases of all suppliers, so its figures lead to its batches. */
function Sales({ text, ...parts }: Parts & { text: string }) {
  if (parts.by === 'supplier') return <Deeper parts={parts} className={FIGURE} text={text} />
  return (
    <AllowedLink
      call={calls.orders.purchases}
      to="/admin/purchases"
      search={placeOf(parts)}
      className={FIGURE}
      linkClassName={LINK}
    >
      {text}
    </AllowedLink>
  )
}

function Claims({ status, rupees, ...parts }: Parts & { status: 'refunded' | 'replaced'; rupees: number }) {
  const text = formatRupees(rupees)
  if (parts.by === 'supplier') return <Deeper parts={parts} className={FIGURE} text={text} />
  return (
    <AllowedLink
      call={calls.claims.list}
      to="/admin/claims"
      search={{ status, ...placeOf(parts) }}
      className={FIGURE}
      linkClassName={LINK}
    >
      {text}
    </AllowedLink>
  )
}

/** Of a long period it leads to the days, and each day to its sales. */
function Bonus(parts: Parts) {
  const text = formatRupees(parts.row.bonus)
  if (parts.by === 'supplier') return <Deeper parts={parts} className={FIGURE} text={text} />
  const place = placeOf(parts)
  const isLong = daysBetween(place.from, place.to) >= BOOK_BONUS_DAYS_MAX
  const search = isLong ? { by: 'day', ...parts.period } : { view: 'rows', status: 'bonus', ...place }
  return (
    <Link<typeof PATH> to={PATH} search={search} className={`${FIGURE} ${LINK}`}>
      {text}
    </Link>
  )
}

interface Figure {
  key: string
  title: string
  /** False for one that a row does not have. */
  of: (parts: Parts) => ReactNode
}

/** Between the number of keys and the profit. */
const figures = (): Figure[] => [
  { key: 'sold', title: t('Sold'), of: (parts) => <Sales {...parts} text={formatRupees(parts.row.sold)} /> },
  {
    key: 'refunded',
    title: t('Refunded'),
    of: (parts) => parts.row.refunded > 0 && <Claims {...parts} status="refunded" rupees={parts.row.refunded} />,
  },
  {
    key: 'bonus',
    title: t('Paid with bonus'),
    of: (parts) => parts.row.bonus !== 0 && <Bonus {...parts} />,
  },
  {
    key: 'cost',
    title: t('Cost'),
    of: (parts) => (
      <>
        <Deeper parts={parts} className={FIGURE} text={formatRupees(parts.row.cost)} />
        <UnknownCost keys={parts.row.unknownCostKeys} />
      </>
    ),
  },
  {
    key: 'warranty',
    title: t('Warranty'),
    of: (parts) => parts.row.warrantyKeys > 0 && <Claims {...parts} status="replaced" rupees={parts.row.warranty} />,
  },
]

export function faceOf(parts: Parts): RecordFace {
  const { keys, profit } = parts.row
  return {
    name: nameOf(parts),
    title: <Deeper parts={parts} className="font-medium wrap-anywhere" text={nameOf(parts)} />,
    caption: t('{count, plural, one {# key} other {{text} keys}}', { count: keys, text: formatCount(keys) }),
    figure: <Profit rupees={profit} />,
    children: (
      <div className="grid gap-0.5 text-sm">
        {figures().map(({ key, title, of }) => {
          const figure = of(parts)
          return (
            figure && (
              <div key={key} className="flex items-baseline justify-between gap-3">
                <span className="text-fg-3">{title}</span>
                <span className="text-right">{figure}</span>
              </div>
            )
          )
        })}
      </div>
    ),
  }
}

export function columnsOf(by: BooksBy, period: Days): Column<BookRow>[] {
  const heads: Record<BooksBy, string> = { day: t('Day'), product: t('Product'), supplier: t('Supplier') }
  const right = { align: 'right', className: 'px-2.5!' } as const
  const of = (row: BookRow): Parts => ({ row, by, period })
  return [
    {
      key: 'name',
      title: heads[by],
      cell: (row) => <Deeper parts={of(row)} className="font-medium wrap-anywhere" text={nameOf(of(row))} />,
    },
    {
      key: 'keys',
      title: t('Keys'),
      ...right,
      cell: (row) => <Sales {...of(row)} text={formatCount(row.keys)} />,
    },
    ...figures().map(({ key, title, of: figure }) => ({
      key,
      title,
      ...right,
      cell: (row: BookRow) => figure(of(row)),
    })),
    {
      key: 'profit',
      title: t('Profit'),
      align: 'right',
      cell: (row) => <Deeper parts={of(row)} className={FIGURE} text={<Profit rupees={row.profit} />} />,
    },
  ]
}

import { keepPreviousData } from '@tanstack/react-query'
import { IndianRupee, KeyRound, MessageSquareWarning, Package } from 'lucide-react'
import type { BookBatch, BookBatches } from '../../../contract/books.ts'
import { BOOK_BATCHES_PAGE_SIZE } from '../../../contract/limits.ts'
import { bookBatchesOn } from '../../../contract/panel-pages.ts'
import { BatchEditDialog } from '../../keys/admin/manager/batch-edit-dialog.tsx'
import { files } from '../../platform/admin/download.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { durationText, t, variantText } from '../../platform/i18n.ts'
import { counted, formatCount, formatRupees } from '../../platform/money.ts'
import { Link, useSearch } from '../../platform/navigation/router.tsx'
import type { Action } from '../../ui/admin/lists/action-menu.tsx'
import type { Column } from '../../ui/admin/lists/data-table.tsx'
import { useExport } from '../../ui/admin/lists/export-action.tsx'
import { Nothing } from '../../ui/admin/lists/nothing.tsx'
import type { RecordFace } from '../../ui/admin/lists/record-card.tsx'
import { RecordList } from '../../ui/admin/lists/record-list.tsx'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { openDialog } from '../../ui/overlays/open-dialog.ts'
import { StatCard } from '../../ui/stat-card.tsx'
import { Time } from '../../ui/time.tsx'
import { FigureLines, Profit, UnknownCost, UnknownSales, type ViewProps } from './book-parts.tsx'

const PATH = '/admin/books'

/** What each batch has earned, how fast it sells, and what is tied up in it. */
export function BatchesView({ asked: { show }, views }: ViewProps) {
  const list = useListSearch(PATH)
  const query = usePanel(bookBatchesOn(useSearch(PATH)), { placeholderData: keepPreviousData })
  const { data } = query
  const saving = useExport({
    name: 'batches.csv',
    disabled: !data || data.total === 0,
    fetch: (signal) => files.books.exportBatches({ search: list.search, show }, signal),
  })
  const isNarrowed = list.search !== '' || show !== 'all'
  return (
    <RecordList
      title={t('Books')}
      label={t('Batches')}
      views={views}
      more={[saving]}
      above={data && <Ageing ageing={data.ageing} show={show} />}
      list={list}
      isEmpty={data?.total === 0 && !isNarrowed}
      query={query}
      rows={data?.batches}
      search={{ label: t('Search product or supplier') }}
      filter={{
        label: t('Show batches'),
        value: show,
        options: [
          { value: 'all', label: t('All') },
          {
            value: 'losing',
            label: data ? t('With a loss ({count})', { count: formatCount(data.losing) }) : t('With a loss'),
          },
          { value: 'unknown-cost', label: t('No cost') },
          ...(isAge(show) ? [{ value: show, label: AGES[show]() }] : []),
        ],
      }}
      paging={{ pageSize: BOOK_BATCHES_PAGE_SIZE, total: data?.total ?? 0 }}
      columns={columns()}
      face={faceOf}
      actionsOf={actionsOf}
      empty={
        <Nothing
          icon={<Package size={22} />}
          first={
            !isNarrowed && {
              title: t('No batches yet'),
              text: t('When you add keys, their cost and what they earn will show here.'),
            }
          }
          none={{
            search: list.search,
            title: show === 'losing' ? t('No batch has a loss') : t('No batches found'),
            showAll: t('Show all batches'),
            onShowAll: list.clear,
          }}
        />
      }
    />
  )
}

type StockAge = BookBatches['ageing'][number]['days']

const AGES: Record<StockAge, () => string> = {
  '0-30': () => t('Unsold, up to 30 days old'),
  '31-60': () => t('31 to 60 days'),
  '61-90': () => t('61 to 90 days'),
  '91+': () => t('Over 90 days'),
}

const isAge = (show: string): show is StockAge => show in AGES

/** Money that is tied up in unsold keys, by their age. Each leads to its batches, and from there back to all. */
function Ageing({ ageing, show }: Pick<BookBatches, 'ageing'> & { show: string }) {
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4 wide:grid-cols-4 large-text:*:col-span-2">
      {ageing.map(({ days, keys, tiedUp, unknownCostKeys }) => (
        <Link<typeof PATH>
          key={days}
          to={PATH}
          search={{ view: 'batches', ...(show !== days && { status: days }) }}
          aria-current={show === days}
          className="block rounded-card *:h-full"
        >
          <StatCard
            className={cx(show === days && 'border-brand!')}
            label={AGES[days]()}
            value={formatRupees(tiedUp)}
            tone={unknownCostKeys > 0 ? 'warn' : 'neutral'}
            note={
              unknownCostKeys > 0
                ? t('{keys} keys, {unknown} without a cost', {
                    keys: formatCount(keys),
                    unknown: formatCount(unknownCostKeys),
                  })
                : t('{count, plural, one {# key} other {{text} keys}}', counted(keys))
            }
          />
        </Link>
      ))}
    </div>
  )
}

function actionsOf(batch: BookBatch): Action[] {
  const { _id, productId, duration, supplier, costPerKey, refunded, warrantyKeys } = batch
  const names = { product: productId.name, duration: durationText(duration), supplier: supplier || t('no supplier') }
  const cost = costPerKey === null ? t('Enter cost') : t('Change cost')
  return [
    {
      label: cost,
      name: t('{label}: batch of {product}, {duration}, {supplier}', { label: cost, ...names }),
      icon: <IndianRupee size={17} aria-hidden />,
      denied: denied(calls.keys.editBatch),
      run: () => openDialog(BatchEditDialog, { batch }),
    },
    {
      label: t('Keys'),
      name: t('Keys of the batch of {product}, {duration}, {supplier}', names),
      icon: <KeyRound size={17} aria-hidden />,
      denied: denied(calls.keys.list),
      link: { to: '/admin/key-manager', search: { product: productId._id, duration, batch: _id } },
    },
    ...(refunded > 0 || warrantyKeys > 0
      ? [
          {
            label: t('Claims'),
            name: t('{label}: batch of {product}, {duration}, {supplier}', { label: t('Claims'), ...names }),
            icon: <MessageSquareWarning size={17} aria-hidden />,
            denied: denied(calls.claims.list),
            link: { to: '/admin/claims' as const, search: { batch: _id } },
          },
        ]
      : []),
  ]
}

function stateOf({ profit, recalledAt, costPerKey }: BookBatch) {
  return (
    <span className="flex flex-wrap justify-end gap-1 empty:hidden wide:justify-start">
      {profit < 0 && <Chip tone="bad">{t('Loss')}</Chip>}
      {recalledAt !== null && <Chip tone="bad">{t('Recalled')}</Chip>}
      {costPerKey === null && <Chip tone="warn">{t('No cost')}</Chip>}
    </span>
  )
}

/** "40% sold in 7 days · 85% sold in 30 days", as far as the days have passed. */
function speedOf({ soldWithin, daysToEmpty }: BookBatch): string {
  const parts = ([7, 30, 90] as const).flatMap((days) => {
    const share = soldWithin[days]
    return share === null ? [] : [t('{share}% sold in {days} days', { share, days })]
  })
  if (daysToEmpty !== null)
    parts.push(t('{count, plural, one {all sold after # day} other {all sold after # days}}', { count: daysToEmpty }))
  return parts.join(' · ')
}

const soldOf = ({ keys, added }: BookBatch): string =>
  t('{sold} of {added}', { sold: formatCount(keys), added: formatCount(added) })

const cameOf = ({ supplier, createdAt }: BookBatch) => (
  <>
    {supplier || t('No supplier')} · <Time value={createdAt} format="date" />
  </>
)

const leftOf = ({ left, tiedUp }: BookBatch): string =>
  tiedUp === null || left === 0
    ? t('{count} left', { count: formatCount(left) })
    : t('{count} unsold, {amount} in stock', { count: formatCount(left), amount: formatRupees(tiedUp) })

const withBonus = (bonus: number): string => t('{amount} paid with bonus', { amount: formatRupees(bonus) })

function faceOf(batch: BookBatch): RecordFace {
  const { productId, duration, costPerKey, revenue, bonus, refunded, warrantyKeys, warranty } = batch
  return {
    name: variantText(productId.name, duration),
    caption: cameOf(batch),
    figure: <Profit rupees={batch.profit} />,
    figureName: t('Profit'),
    state: stateOf(batch),
    children: (
      <FigureLines
        lines={[
          [t('Sold'), soldOf(batch)],
          [t('Left'), leftOf(batch)],
          [t('Revenue'), formatRupees(revenue)],
          [t('Paid with bonus'), bonus !== 0 && formatRupees(bonus)],
          [t('Refunded'), refunded > 0 && formatRupees(refunded)],
          [t('Cost per key'), costPerKey !== null && formatRupees(costPerKey)],
          [t('Warranty'), warrantyKeys > 0 && formatRupees(warranty)],
        ]}
      >
        <span className="text-xs text-fg-3">{speedOf(batch)}</span>
      </FigureLines>
    ),
  }
}

function columns(): Column<BookBatch>[] {
  const small = 'block text-xs text-fg-3'
  return [
    {
      title: t('Batch'),
      className: 'min-w-56',
      cell: (batch) => (
        <div className="grid gap-0.5">
          <span className="font-medium wrap-anywhere">{variantText(batch.productId.name, batch.duration)}</span>
          <span className={small}>{cameOf(batch)}</span>
          {stateOf(batch)}
        </div>
      ),
    },
    {
      title: t('Sold'),
      className: 'min-w-44',
      cell: (batch) => <span className="tabular whitespace-nowrap">{soldOf(batch)}</span>,
      small: speedOf,
    },
    {
      title: t('Left'),
      className: 'min-w-32',
      cell: (batch) => <span className="tabular text-fg-2">{leftOf(batch)}</span>,
    },
    {
      title: t('Revenue'),
      align: 'right',
      cell: ({ revenue, refunded, bonus }) => (
        <>
          <span className="tabular whitespace-nowrap">{formatRupees(revenue)}</span>
          {bonus !== 0 && <span className={small}>{withBonus(bonus)}</span>}
          {refunded > 0 && <span className={small}>{t('Refunded {amount}', { amount: formatRupees(refunded) })}</span>}
        </>
      ),
    },
    {
      title: t('Cost'),
      align: 'right',
      cell: ({ cost, warranty, warrantyKeys, unknownCostKeys, costPerKey }) => (
        <>
          <span className="tabular whitespace-nowrap">{formatRupees(cost)}</span>
          {costPerKey !== null && (
            <span className={small}>{t('{cost} per key', { cost: formatRupees(costPerKey) })}</span>
          )}
          {warrantyKeys > 0 && (
            <span className={small}>{t('Warranty {amount}', { amount: formatRupees(warranty) })}</span>
          )}
          <UnknownCost keys={unknownCostKeys} />
        </>
      ),
    },
    {
      title: t('Profit'),
      align: 'right',
      cell: ({ profit, unknownCostSales }) => (
        <>
          <Profit rupees={profit} />
          <UnknownSales rupees={unknownCostSales} />
        </>
      ),
    },
  ]
}

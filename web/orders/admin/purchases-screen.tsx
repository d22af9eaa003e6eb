import { MessageSquareWarning, ShoppingBag } from 'lucide-react'
import { PURCHASES_PAGE_SIZE, PURCHASES_SEARCH_DEBOUNCE_MS } from '../../../contract/limits.ts'
import type { Purchase } from '../../../contract/orders.ts'
import { useAdminProducts } from '../../catalogue/admin/product-queries.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { files } from '../../platform/admin/download.ts'
import { t } from '../../platform/i18n.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import { formatCount, formatRupees } from '../../platform/money.ts'
import type { Period } from '../../platform/admin/periods.ts'
import { useNavigate, useSearch } from '../../platform/navigation/router.tsx'
import type { Action } from '../../ui/admin/lists/action-menu.tsx'
import { DataTable, type Column } from '../../ui/admin/lists/data-table.tsx'
import { Email } from '../../ui/admin/email.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { useExport } from '../../ui/admin/lists/export-action.tsx'
import { ListPage } from '../../ui/admin/lists/list-page.tsx'
import { Money } from '../../ui/money.tsx'
import { Pagination } from '../../ui/admin/lists/pagination.tsx'
import type { RecordFace } from '../../ui/admin/lists/record-card.tsx'
import { PeriodFilter } from '../../ui/admin/lists/period-filter.tsx'
import { SearchInput } from '../../ui/fields/search-input.tsx'
import { Select } from '../../ui/admin/forms/select.tsx'
import { StatCard } from '../../ui/stat-card.tsx'
import { Time } from '../../ui/time.tsx'
import { NoMatches } from '../../ui/admin/lists/no-matches.tsx'
import { SignUpLinks } from '../../ui/admin/sign-up-links.tsx'
import { usePurchases } from './purchases-queries.ts'

const PATH = '/admin/purchases'
const SKELETON_ROWS = 12

/** The sales book: who bought what, when and for how much, and what it adds up to. */
export function PurchasesScreen() {
  const list = useListSearch(PATH)
  const address = useSearch(PATH)
  const { product: productId, from, to } = address
  const navigate = useNavigate()
  const purchases = usePurchases(address)
  const { data } = purchases
  const isNarrowed = list.search !== '' || productId !== undefined || from !== undefined || to !== undefined

  const narrow = (part: Period & { product?: string | undefined }, replace = false) =>
    void navigate<typeof PATH>({ search: (present) => ({ ...present, page: undefined, ...part }), replace })
  const showAll = () => void navigate<typeof PATH>({ search: {} })
  const saving = useExport({
    name: 'purchases.csv',
    disabled: !data || data.total === 0,
    fetch: (options) => files.orders.exportPurchases({ search: list.search, productId, from, to }, options),
  })
  return (
    <ListPage
      title={t('Purchases')}
      heading={t('Purchases')}
      count={data?.total}
      above={<Figures book={data} hasFailed={Boolean(purchases.error)} isNarrowed={isNarrowed} />}
      more={[saving]}
      search={
        <SearchInput
          label={t('Search buyer, email or product')}
          value={list.search}
          onChange={list.setSearch}
          debounceMs={PURCHASES_SEARCH_DEBOUNCE_MS}
        />
      }
      summary={data && <p className="truncate">{summaryOf(data)}</p>}
      isEmpty={data?.total === 0 && !isNarrowed}
      activeFilters={[productId, from ?? to].filter(Boolean).length}
      filters={
        <>
          <ProductFilter value={productId} onChange={(product) => narrow({ product })} />
          <PeriodFilter from={from} to={to} onChange={narrow} />
        </>
      }
      footer={
        data &&
        data.total > 0 && (
          <Pagination page={list.page} pageSize={PURCHASES_PAGE_SIZE} total={data.total} onPage={list.setPage} />
        )
      }
    >
      {purchases.error && !data ? (
        <ErrorState
          title={t('Failed to fetch purchases')}
          error={purchases.error}
          onRetry={purchases.refetch}
          retrying={purchases.isFetching}
        />
      ) : (
        <DataTable
          label={t('Purchases')}
          columns={columns()}
          face={faceOf}
          actions={actionsOf}
          rows={data?.purchases}
          rowKey={(purchase) => purchase._id}
          skeletonRows={SKELETON_ROWS}
          stale={purchases.isPlaceholderData}
          empty={<Nothing isNarrowed={isNarrowed} isBeyond={(data?.total ?? 0) > 0} onShowAll={showAll} />}
        />
      )}
    </ListPage>
  )
}

interface FiguresProps {
  book: { totalRevenue: number; total: number } | undefined
  hasFailed: boolean
  isNarrowed: boolean
}

function Figures({ book, hasFailed, isNarrowed }: FiguresProps) {
  const none = hasFailed ? '–' : undefined
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4 wide:grid-cols-3 large-text:*:col-span-2">
      <StatCard
        label={isNarrowed ? t('Revenue (search results)') : t('Total revenue')}
        value={book ? formatRupees(book.totalRevenue) : none}
        className="max-wide:col-span-2"
      />
      <StatCard label={t('Sales')} value={book ? formatCount(book.total) : none} />
      <StatCard label={t('Average order value')} value={book ? average(book.totalRevenue, book.total) : none} />
    </div>
  )
}

function summaryOf({ totalRevenue, total }: { totalRevenue: number; total: number }): string {
  return t('{revenue} · {count, plural, one {# sale} other {{text} sales}} · average {average}', {
    revenue: formatRupees(totalRevenue),
    count: total,
    text: formatCount(total),
    average: average(totalRevenue, total),
  })
}

function average(revenue: number, sales: number): string {
  return sales === 0 ? '–' : formatRupees(Math.round(revenue / sales))
}

/** Leads to the reports of its keys. */
function actionsOf({ _id, username, productName, claims }: Purchase): Action[] {
  if (claims === 0) return []
  return [
    {
      label: t('Claims'),
      name: t('Claims of {username} for {product}', { username, product: productName }),
      icon: <MessageSquareWarning size={17} aria-hidden />,
      denied: denied(calls.claims.list),
      link: { to: '/admin/claims', search: { order: _id } },
    },
  ]
}

function faceOf(purchase: Purchase): RecordFace {
  const { username, productName, duration, quantity, unitPrice, amount, refunded, referralCode, createdAt } = purchase
  return {
    name: username,
    caption: <Time value={createdAt} />,
    figure: <Money rupees={amount} />,
    facts: [
      productName,
      duration,
      <span key="quantity" className="tabular whitespace-nowrap">
        {formatCount(quantity)} × {formatRupees(unitPrice)}
      </span>,
      refunded > 0 && t('Refunded {amount}', { amount: formatRupees(refunded) }),
      referralCode && (
        <span key="code" className="font-mono text-xs">
          {referralCode}
        </span>
      ),
    ],
  }
}

function columns(): Column<Purchase>[] {
  return [
    {
      key: 'buyer',
      title: t('Buyer'),
      cell: ({ username, email }) => (
        <>
          <p className="font-medium wrap-anywhere">{username}</p>
          <p className="text-xs wrap-anywhere text-fg-3">
            <Email address={email} />
          </p>
        </>
      ),
    },
    {
      key: 'product',
      title: t('Product'),
      cell: ({ productName, productDescription, duration }) => (
        <>
          <p className="wrap-anywhere" title={productDescription || undefined}>
            {productName}
          </p>
          <p className="text-xs text-fg-3">{duration}</p>
        </>
      ),
    },
    {
      key: 'quantity',
      title: t('Quantity'),
      align: 'right',
      cell: ({ quantity, unitPrice }) => (
        <span className="tabular whitespace-nowrap">
          {formatCount(quantity)} <span className="text-fg-3">× {formatRupees(unitPrice)}</span>
        </span>
      ),
    },
    {
      key: 'amount',
      title: t('Amount'),
      align: 'right',
      cell: ({ amount, refunded }) => (
        <>
          <Money rupees={amount} className="font-semibold" />
          {refunded > 0 && (
            <span className="tabular block text-xs text-fg-3">
              {t('Refunded {amount}', { amount: formatRupees(refunded) })}
            </span>
          )}
        </>
      ),
    },
    {
      key: 'referral',
      title: t('Referral code'),
      cell: ({ referralCode }) => <span className="font-mono text-xs wrap-anywhere text-fg-2">{referralCode}</span>,
    },
    {
      key: 'when',
      title: t('Date'),
      align: 'right',
      cell: ({ createdAt }) => <Time value={createdAt} className="whitespace-nowrap text-fg-2" />,
    },
  ]
}

interface ProductFilterProps {
  value: string | undefined
  onChange: (productId: string | undefined) => void
}

function ProductFilter({ value, onChange }: ProductFilterProps) {
  const products = useAdminProducts()
  const isKnown = products.data?.some(({ _id }) => _id === value)
  return (
    <Select
      aria-label={t('Product')}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
      className="min-w-0 flex-1 basis-40 sm:max-w-56"
    >
      <option value="">{t('All products')}</option>
      {value && !isKnown && <option value={value}>{products.data ? t('Deleted product') : t('Loading…')}</option>}
      {products.data?.map(({ _id, name }) => (
        <option key={_id} value={_id}>
          {name}
        </option>
      ))}
    </Select>
  )
}

interface NothingProps {
  isNarrowed: boolean
  /** There are some, on earlier pages. */
  isBeyond: boolean
  onShowAll: () => void
}

function Nothing({ isNarrowed, isBeyond, onShowAll }: NothingProps) {
  const icon = <ShoppingBag size={22} />
  if (!isNarrowed && !isBeyond) {
    return (
      <EmptyState
        icon={icon}
        title={t('No sales yet')}
        text={t('Every sale and its revenue will show here.')}
        action={<SignUpLinks />}
      />
    )
  }
  return (
    <NoMatches
      icon={icon}
      title={isBeyond ? t('This page is empty') : t('No purchases found')}
      text={isBeyond ? t('There are purchases on earlier pages.') : t('Try another word, product or date range.')}
      showAll={t('Show all purchases')}
      onShowAll={onShowAll}
    />
  )
}

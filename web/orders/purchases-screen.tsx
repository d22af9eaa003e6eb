import { useEffect, useRef, useState } from 'react'
import { Download, ShoppingBag } from 'lucide-react'
import { PURCHASES_PAGE_SIZE, PURCHASES_SEARCH_DEBOUNCE_MS } from '../../contract/limits.ts'
import type { Purchase } from '../../contract/orders.ts'
import { useAdminProducts } from '../catalogue/product-queries.ts'
import { saveFile } from '../platform/save-file.ts'
import { errorMessage } from '../platform/api-error.ts'
import { useNow } from '../platform/clock.ts'
import { t } from '../platform/i18n.ts'
import { useListSearch } from '../platform/list-search.ts'
import { formatCount, formatRupees } from '../platform/money.ts'
import { useNavigate, useSearch } from '../platform/router.tsx'
import { toast } from '../platform/toast.ts'
import { Button } from '../ui/button.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Input } from '../ui/input.tsx'
import { ListPage } from '../ui/list-page.tsx'
import { Money } from '../ui/money.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { Select } from '../ui/select.tsx'
import { StatCard } from '../ui/stat-card.tsx'
import { Time } from '../ui/time.tsx'
import { purchasesCsv } from './purchases-csv.ts'
import { nameOf, periodOf, type Period, type PeriodName } from './purchases-periods.ts'
import { fetchAllPurchases, usePurchases, type Wanted } from './purchases-queries.ts'

const PATH = '/admin/purchases'
const MINUTE_MS = 60_000
const SKELETON_ROWS = 12

/** The sales book: who bought what, when and for how much, and what it adds up to. */
export function PurchasesScreen() {
  const list = useListSearch(PATH)
  const { product: productId, from, to } = useSearch(PATH)
  const navigate = useNavigate()
  const wanted: Wanted = { search: list.search, productId, from, to }
  const purchases = usePurchases(wanted, list.page)
  const { data } = purchases
  const isNarrowed = list.search !== '' || productId !== undefined || from !== undefined || to !== undefined

  const narrow = (part: Period & { product?: string | undefined }) =>
    void navigate<typeof PATH>({ search: (present) => ({ ...present, page: undefined, ...part }) })
  const showAll = () => void navigate<typeof PATH>({ search: {} })
  return (
    <ListPage
      title={t('Purchases')}
      heading={t('Purchases')}
      count={data?.total}
      above={
        <div className="grid grid-cols-2 gap-3 sm:gap-4 wide:grid-cols-3">
          <StatCard
            label={isNarrowed ? t('Revenue of this search') : t('Total revenue')}
            value={data ? formatRupees(data.totalRevenue) : purchases.error ? '–' : undefined}
            className="max-wide:col-span-2"
          />
          <StatCard label={t('Sales')} value={data ? formatCount(data.total) : purchases.error ? '–' : undefined} />
          <StatCard
            label={t('Average sale')}
            value={data ? average(data.totalRevenue, data.total) : purchases.error ? '–' : undefined}
          />
        </div>
      }
      actions={<Export wanted={wanted} disabled={!data || data.total === 0} />}
      search={
        <SearchInput
          label={t('Search buyer, email or product')}
          value={list.search}
          onChange={list.setSearch}
          debounceMs={PURCHASES_SEARCH_DEBOUNCE_MS}
        />
      }
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

function average(revenue: number, sales: number): string {
  return sales === 0 ? '–' : formatRupees(Math.round(revenue / sales))
}

function columns(): Column<Purchase>[] {
  return [
    {
      key: 'buyer',
      title: t('Buyer'),
      card: 'title',
      cell: ({ username, email }) => (
        <>
          <p className="font-medium wrap-anywhere">{username}</p>
          <p className="text-xs wrap-anywhere text-fg-3">{email}</p>
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
      card: 'aside',
      align: 'right',
      cell: ({ amount }) => <Money rupees={amount} className="font-semibold" />,
    },
    {
      key: 'referral',
      title: t('Referral code'),
      cell: ({ referralCode }) => <span className="font-mono text-xs wrap-anywhere text-fg-2">{referralCode}</span>,
    },
    {
      key: 'when',
      title: t('When'),
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
      {value && !isKnown && <option value={value}>{products.data ? t('A deleted product') : t('Loading…')}</option>}
      {products.data?.map(({ _id, name }) => (
        <option key={_id} value={_id}>
          {name}
        </option>
      ))}
    </Select>
  )
}

interface PeriodFilterProps extends Period {
  onChange: (period: Period) => void
}

const NAMES: Record<PeriodName, () => string> = {
  any: () => t('Any time'),
  today: () => t('Today'),
  yesterday: () => t('Yesterday'),
  week: () => t('Last 7 days'),
  month: () => t('Last 30 days'),
}

function PeriodFilter({ from, to, onChange }: PeriodFilterProps) {
  const now = useNow(MINUTE_MS)
  const [isCustom, setCustom] = useState(false)
  const name = isCustom ? undefined : nameOf({ from, to }, now)
  const choose = (chosen: string) => {
    setCustom(chosen === 'custom')
    if (chosen !== 'custom') onChange({ from: undefined, to: undefined, ...periodOf(chosen as PeriodName, now) })
    else if (!from && !to) onChange(periodOf('month', now))
  }
  return (
    <>
      <Select
        aria-label={t('Period')}
        value={name ?? 'custom'}
        onChange={(event) => choose(event.target.value)}
        className="min-w-0 flex-1 basis-36 sm:max-w-44"
      >
        {Object.entries(NAMES).map(([value, label]) => (
          <option key={value} value={value}>
            {label()}
          </option>
        ))}
        <option value="custom">{t('From … to …')}</option>
      </Select>
      {name === undefined && (
        <div className="flex w-full flex-wrap items-center gap-2 sm:w-auto">
          <Input
            type="date"
            aria-label={t('From')}
            value={from ?? ''}
            max={to}
            onChange={(event) => onChange({ from: event.target.value || undefined, to })}
            className="min-w-0 flex-1 basis-36"
          />
          <span className="text-fg-3 max-sm:hidden" aria-hidden>
            –
          </span>
          <Input
            type="date"
            aria-label={t('To')}
            value={to ?? ''}
            min={from}
            onChange={(event) => onChange({ from, to: event.target.value || undefined })}
            className="min-w-0 flex-1 basis-36"
          />
        </div>
      )}
    </>
  )
}

function Export({ wanted, disabled }: { wanted: Wanted; disabled: boolean }) {
  const [progress, setProgress] = useState<{ count: number; total: number }>()
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])

  const run = async () => {
    abort.current = new AbortController()
    const { signal } = abort.current
    setProgress({ count: 0, total: 0 })
    try {
      const all = await fetchAllPurchases(wanted, (count, total) => setProgress({ count, total }), signal)
      saveFile('purchases.csv', 'text/csv', purchasesCsv(all))
      toast(t('{count, plural, one {# purchase} other {# purchases}} saved to purchases.csv', { count: all.length }))
    } catch (error) {
      if (!signal.aborted)
        toast(errorMessage(error), { tone: 'bad', action: { label: t('Retry'), run: () => void run() } })
    } finally {
      setProgress(undefined)
    }
  }
  return (
    <>
      <output className="tabular text-sm text-fg-2 empty:hidden">
        {progress &&
          progress.total > 0 &&
          t('{count} of {total}', { count: formatCount(progress.count), total: formatCount(progress.total) })}
      </output>
      <Button
        variant="secondary"
        size="sm"
        icon={<Download size={16} aria-hidden />}
        disabled={disabled}
        pending={progress !== undefined}
        onClick={() => void run()}
      >
        {t('Export CSV')}
      </Button>
    </>
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
        title={t('Nothing has been sold yet')}
        text={t('Every key that a buyer pays for is listed here, with what it brought in.')}
      />
    )
  }
  return (
    <EmptyState
      icon={icon}
      title={isBeyond ? t('This page is empty') : t('No purchase matches')}
      text={isBeyond ? t('There are purchases on earlier pages.') : t('Try another word, product or period.')}
      action={
        <Button variant="secondary" onClick={onShowAll}>
          {t('Show all purchases')}
        </Button>
      }
    />
  )
}

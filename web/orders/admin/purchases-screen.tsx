import { keepPreviousData } from '@tanstack/react-query'
import { ShoppingBag } from 'lucide-react'
import { PURCHASES_PAGE_SIZE, PURCHASES_SEARCH_DEBOUNCE_MS } from '../../../contract/limits.ts'
import { purchasesOn } from '../../../contract/panel-pages.ts'
import { useAdminProducts } from '../../catalogue/admin/product-queries.ts'
import { files } from '../../platform/admin/download.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { t } from '../../platform/i18n.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import type { Period } from '../../platform/admin/periods.ts'
import { navigate, useSearch } from '../../platform/navigation/router.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { useExport } from '../../ui/admin/lists/export-action.tsx'
import { Nothing } from '../../ui/admin/lists/nothing.tsx'
import { RecordList } from '../../ui/admin/lists/record-list.tsx'
import { PeriodFilter } from '../../ui/admin/lists/period-filter.tsx'
import { Select } from '../../ui/admin/forms/select.tsx'
import { SignUpLinks } from '../../ui/admin/sign-up-links.tsx'
import { actionsOf, columns, faceOf } from './purchases-columns.tsx'
import { Figures, summaryOf } from './purchases-figures.tsx'

const PATH = '/admin/purchases'
const SKELETON_ROWS = 12
const POLL_INTERVAL_MS = 30_000

/** The sales book: who bought what, when and for how much, and what it adds up to. */
export function PurchasesScreen() {
  const list = useListSearch(PATH)
  const address = useSearch(PATH)
  const { product: productId, from, to } = address
  const purchases = usePanel(purchasesOn(address), { placeholderData: keepPreviousData, pollMs: POLL_INTERVAL_MS })
  const { data } = purchases
  const isNarrowed = list.search !== '' || productId !== undefined || from !== undefined || to !== undefined

  const narrow = (part: Period & { product?: string | undefined }, replace = false) =>
    void navigate<typeof PATH>({ search: (present) => ({ ...present, page: undefined, ...part }), replace })
  const isBeyond = (data?.total ?? 0) > 0
  const saving = useExport({
    name: 'purchases.csv',
    disabled: !data || data.total === 0,
    fetch: (options) => files.orders.exportPurchases({ search: list.search, productId, from, to }, options),
  })
  return (
    <RecordList
      title={t('Purchases')}
      count={data?.total}
      above={<Figures book={data} hasFailed={Boolean(purchases.error)} isNarrowed={isNarrowed} />}
      more={[saving]}
      summary={data && <p className="wrap-anywhere">{summaryOf(data)}</p>}
      isEmpty={data?.total === 0 && !isNarrowed}
      list={list}
      query={purchases}
      rows={data?.purchases}
      search={{ label: t('Search buyer, email or product'), debounceMs: PURCHASES_SEARCH_DEBOUNCE_MS }}
      activeFilters={[productId, from ?? to].filter(Boolean).length}
      filters={
        <>
          <ProductFilter value={productId} onChange={(product) => narrow({ product })} />
          <PeriodFilter from={from} to={to} onChange={narrow} />
        </>
      }
      paging={{ pageSize: PURCHASES_PAGE_SIZE, total: data?.total ?? 0 }}
      columns={columns()}
      face={faceOf}
      actionsOf={actionsOf}
      skeletonRows={SKELETON_ROWS}
      failed={
        <ErrorState
          title={t('Failed to fetch purchases')}
          error={purchases.error}
          onRetry={purchases.refetch}
          retrying={purchases.isFetching}
        />
      }
      empty={
        <Nothing
          icon={<ShoppingBag size={22} />}
          first={
            !isNarrowed &&
            !isBeyond && {
              title: t('No sales yet'),
              text: t('Every sale and its revenue will show here.'),
              action: <SignUpLinks />,
            }
          }
          none={{
            search: isBeyond ? '' : list.search,
            title: isBeyond ? t('This page is empty') : t('No purchases found'),
            text: isBeyond ? t('There are purchases on earlier pages.') : t('Try another word, product or date range.'),
            showAll: t('Show all purchases'),
            onShowAll: () => void navigate<typeof PATH>({ search: {} }),
          }}
        />
      }
    />
  )
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

import { useDeferredValue, useMemo, useState } from 'react'
import { ChevronDown, FileSpreadsheet, FileText, KeyRound, SearchX } from 'lucide-react'
import type { Product } from '../../contract/catalogue.ts'
import type { OwnedKey } from '../../contract/keys.ts'
import { COUNTDOWN_INTERVAL_MS } from '../../contract/limits.ts'
import { useProducts } from '../catalogue/use-products.ts'
import { serverNow, useNow } from '../platform/clock.ts'
import { t } from '../platform/i18n.ts'
import { formatCount } from '../platform/money.ts'
import { Link, navigate, useSearch } from '../platform/navigation/router.tsx'
import { Button, buttonClass } from '../ui/buttons/button.tsx'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { ErrorState } from '../ui/page/error-state.tsx'
import { Page } from '../ui/page/page.tsx'
import { SearchInput } from '../ui/fields/search-input.tsx'
import { Segmented } from '../ui/fields/segmented.tsx'
import { lazyPart } from '../ui/page/lazy-part.tsx'
import { Loading } from '../ui/page/skeleton.tsx'
import { KeyClaim, ReportButton } from '../claims/key-claims.tsx'
import { CopyAllButton } from './copy-all-button.tsx'
import { keysToCsv, toText } from './export-keys.ts'
import { filterKeys, isNewOrder, ordersOf, soonestFirst, type KeyFilter, type KeyOrder } from './group-keys.ts'
import { orderGrid, OrderList } from './order-list.tsx'
import { KeyOrderSkeleton, RenewalNote, RenewButton } from './key-order-card.tsx'
import { isExpired } from './key-time.ts'
import { KeysReady, SHARED_LINE } from './keys-ready.tsx'
import { saveFile } from '../platform/files/save-file.ts'
import { useFetch } from '../waiting/fetch.ts'
import { useMyKeys } from './use-my-keys.ts'

const FetchCard = lazyPart(
  () => import('../waiting/fetch-parts.tsx').then((file) => file.loadFetch()).then((file) => file.FetchCard),
  { missing: 'nothing' },
)
const EndedPromises = lazyPart(() => import('../payments/ended-promises.tsx').then((file) => file.EndedPromises), {
  missing: 'nothing',
})

export function MyKeyScreen() {
  const keys = useMyKeys()
  const fetch = useFetch()
  const { key } = useSearch('/my-key')
  const now = useNow(COUNTDOWN_INTERVAL_MS)
  const only = useMemo(() => orderOf(keys.data ?? NONE, key), [keys.data, key])
  const isNew = only !== undefined && isNewOrder(only, now)
  return (
    // New keys have the page to themselves
    <Page
      title={t('My Key')}
      className="relative"
      description={<Summary keys={keys.data} hasFailed={keys.isError} />}
      hideTitle={isNew}
    >
      {fetch && <FetchCard className="mb-4 rounded-panel border border-line bg-surface p-4 text-sm" />}
      <EndedPromises places />
      <Content keys={keys} only={only} isNew={isNew} />
    </Page>
  )
}

interface OnlyProps {
  /** The order that a message is about. */
  only: KeyOrder | undefined
  isNew: boolean
}

function Content({ keys, ...about }: OnlyProps & { keys: ReturnType<typeof useMyKeys> }) {
  const { show } = useSearch('/my-key')
  if (keys.error && !keys.data) {
    return <ErrorState error={keys.error} onRetry={keys.refetch} retrying={keys.isFetching} />
  }
  if (keys.data?.length === 0) {
    return (
      <EmptyState
        icon={<KeyRound size={22} />}
        title={t('You have no keys yet')}
        text={t('Buy a key with your wallet. It appears here instantly with its time left.')}
        action={
          <Link to="/buy" className={buttonClass()}>
            {t('Buy your first key')}
          </Link>
        }
      />
    )
  }
  return <Keys key={show} all={keys.data} {...about} />
}

function Summary({ keys, hasFailed }: { keys: readonly OwnedKey[] | undefined; hasFailed: boolean }) {
  const now = useNow(COUNTDOWN_INTERVAL_MS)
  if (!keys && !hasFailed) return t('Loading…')
  if (!keys?.length) return t('All the keys you’ve bought.')
  const expired = keys.filter((key) => isExpired(key, now)).length
  return t('{active} active, {expired} expired', {
    active: formatCount(keys.length - expired),
    expired: formatCount(expired),
  })
}

const NONE: readonly OwnedKey[] = []

/** With fewer orders one looks rather than searches. */
const TOOLS_FROM = 6

/** Undefined while they load. */
function Keys({ all, only, isNew }: OnlyProps & { all: readonly OwnedKey[] | undefined }) {
  const { show } = useSearch('/my-key')
  const [filter, setFilter] = useState<KeyFilter>(show ?? 'all')
  const [search, setSearch] = useState('')
  // Keeps typing quick for any number of keys.
  const deferred = useDeferredValue(search)
  const now = useNow(COUNTDOWN_INTERVAL_MS)
  const products = useProducts()
  const shown = useMemo(() => filterKeys(all ?? NONE, filter, deferred, now), [all, filter, deferred, now])
  const orders = useMemo(() => {
    const found = ordersOf(shown)
    return filter === 'all' ? soonestFirst(found, now) : found
  }, [shown, filter, now])
  const hasTools = useMemo(() => show !== undefined || ordersOf(all ?? NONE).length >= TOOLS_FROM, [show, all])
  if (only) return <OnlyOrder order={only} isNew={isNew} products={products.data} />
  return (
    <>
      {hasTools && <Tools filter={filter} onFilter={setFilter} search={search} onSearch={setSearch} />}
      <ExportButtons keys={shown} />
      <output className="sr-only">
        {all &&
          (filter !== 'all' || deferred) &&
          t('Showing {count, plural, one {# key} other {# keys}}', { count: shown.length })}
      </output>
      {!all ? (
        <Loading className={orderGrid}>
          {Array.from({ length: 6 }, (_, index) => (
            <KeyOrderSkeleton key={index} />
          ))}
        </Loading>
      ) : shown.length > 0 ? (
        <OrderList
          key={`${filter} ${deferred}`}
          orders={orders}
          products={products.data}
          openId={orders[0] && isNewOrder(orders[0], now) ? orders[0].id : undefined}
        />
      ) : (
        <EmptyState
          icon={<SearchX size={22} />}
          title={t('No keys found')}
          text={t('Try another word, or view all your keys.')}
          action={
            <Button
              variant="secondary"
              onClick={() => {
                setFilter('all')
                setSearch('')
              }}
            >
              {t('Show all keys')}
            </Button>
          }
        />
      )}
    </>
  )
}

interface ToolsProps {
  filter: KeyFilter
  onFilter: (filter: KeyFilter) => void
  search: string
  onSearch: (search: string) => void
}

function Tools({ filter, onFilter, search, onSearch }: ToolsProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      <div className="-m-1.5 max-w-[calc(100%+0.75rem)] overflow-x-auto p-1.5">
        <Segmented
          label={t('Status')}
          value={filter}
          onChange={onFilter}
          options={[
            { value: 'all', label: t('All') },
            { value: 'active', label: t('Active') },
            { value: 'expiring', label: t('Expiring in 7 days') },
            { value: 'expired', label: t('Expired') },
          ]}
        />
      </div>
      <SearchInput
        label={t('Search keys')}
        value={search}
        onChange={onSearch}
        debounceMs={0}
        className="w-full sm:w-60"
      />
    </div>
  )
}

const orderOf = (all: readonly OwnedKey[], id: string | undefined) =>
  id === undefined ? undefined : ordersOf(all).find(({ keys }) => keys.some(({ _id }) => _id === id))

interface OnlyOrderProps {
  order: KeyOrder
  isNew: boolean
  products: readonly Product[] | undefined
}

/** What a message is about. */
function OnlyOrder({ order, isNew, products }: OnlyOrderProps) {
  const showAll = (
    <Button
      variant="secondary"
      className={isNew ? SHARED_LINE : 'mb-4'}
      onClick={() => void navigate({ to: '/my-key', replace: true })}
    >
      {t('Show all keys')}
    </Button>
  )
  return isNew ? (
    <KeysReady
      isStill
      keys={order.keys}
      actions={
        <>
          {showAll}
          <RenewButton keys={order.keys} />
          <ReportButton keys={order.keys} />
        </>
      }
    >
      {order.keys.map((owned) => (
        <KeyClaim key={owned._id} owned={owned} all={order.keys} />
      ))}
      <RenewalNote keys={order.keys} />
    </KeysReady>
  ) : (
    <>
      {showAll}
      <OrderList orders={[order]} products={products} openId={order.id} />
    </>
  )
}

/** To take the keys along, which few do. */
function ExportButtons({ keys }: { keys: readonly OwnedKey[] }) {
  return (
    <details className="group absolute top-0 right-0 z-10 large-text:static">
      <summary
        className={
          'ml-auto flex min-h-11 w-fit cursor-pointer items-center gap-1.5 rounded-control ' +
          'text-sm font-medium text-fg-2'
        }
      >
        {t('Copy or download all')}
        <ChevronDown size={16} aria-hidden className="shrink-0 text-fg-3 transition-transform group-open:rotate-180" />
      </summary>
      <div className="flex gap-2 rounded-card border border-line bg-raised p-2 shadow-raised">
        <CopyAllButton keys={keys} className="flex-1" />
        <Button
          variant="secondary"
          disabled={keys.length === 0}
          icon={<FileText size={16} aria-hidden />}
          aria-label={t('Download TXT')}
          onClick={() => saveFile('keys.txt', 'text/plain', toText(keys))}
          className="flex-1"
        >
          {t('TXT')}
        </Button>
        <Button
          variant="secondary"
          disabled={keys.length === 0}
          icon={<FileSpreadsheet size={16} aria-hidden />}
          aria-label={t('Download CSV')}
          onClick={() => saveFile('keys.csv', 'text/csv', keysToCsv(keys, serverNow()))}
          className="flex-1"
        >
          {t('CSV')}
        </Button>
      </div>
    </details>
  )
}

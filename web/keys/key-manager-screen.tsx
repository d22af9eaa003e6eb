import { lazy, Suspense, useRef, useState } from 'react'
import { ChevronLeft, ChevronRight, KeyRound, Package, Pencil, Plus, Trash2 } from 'lucide-react'
import type { Product } from '../../contract/catalogue.ts'
import type { AdminKey, KeyBatch } from '../../contract/keys.ts'
import { useAdminProducts } from '../catalogue/product-queries.ts'
import { stockState } from '../catalogue/product-stock.ts'
import { errorMessage } from '../platform/api-error.ts'
import { t } from '../platform/i18n.ts'
import { useListSearch } from '../platform/list-search.ts'
import { files } from '../platform/download.ts'
import { formatCount, formatRupees } from '../platform/money.ts'
import { Link, useNavigate, useSearch } from '../platform/router.tsx'
import { toast } from '../platform/toast.ts'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { CopyButton } from '../ui/copyable.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { DeleteDialog } from '../ui/delete-dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ExportButton } from '../ui/export-button.tsx'
import { Field } from '../ui/field.tsx'
import { FormError } from '../ui/form-error.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { ListPage } from '../ui/list-page.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { Select } from '../ui/select.tsx'
import { Time } from '../ui/time.tsx'
import { useDialog } from '../ui/use-dialog.ts'
import { batchColumns, BatchUndo } from './key-batch-list.tsx'
import { exportName } from './export-name.ts'
import { deleteFailure } from './key-failures.ts'
import {
  BATCHES_PAGE_SIZE,
  KEYS_PAGE_SIZE,
  useAdminKeys,
  useBatches,
  useRemoveAllKeys,
  useRemoveKey,
  useRestoreKey,
  type KeyFilter,
  type Place,
} from './key-manager-queries.ts'
import { KEY_STATUSES, STATUS_TONES, statusText } from './key-status.ts'

const KeyImportDialog = lazy(() =>
  import('./key-import-dialog.tsx').then((file) => ({ default: file.KeyImportDialog })),
)
const KeyEditDialog = lazy(() => import('./key-edit-dialog.tsx').then((file) => ({ default: file.KeyEditDialog })))

const PATH = '/admin/key-manager'
/** So many keys are not deleted by one tap. */
const TYPE_TO_DELETE_FROM = 100

/** The stock itself: choose a product and duration, then list, add, edit and delete its keys, or look at its imports. */
export function KeyManagerScreen() {
  const products = useAdminProducts()
  const list = useListSearch(PATH)
  const { product: productId, duration, after, view } = useSearch(PATH)
  const navigate = useNavigate()
  const [isPlaceMissing, setPlaceMissing] = useState(false)
  const productField = useRef<HTMLDivElement>(null)
  const importer = useDialog<{ place: Place }>()
  const editor = useDialog<{ row: AdminKey }>()
  const deletion = useDialog<{ row: AdminKey }>()
  const undoing = useDialog<{ batch: KeyBatch }>()
  const clearing = useDialog<{ place: Place; available: number }>()

  const product = products.data?.find((each) => each._id === productId)
  const price = product?.prices.find((each) => each.duration === duration)
  const status = KEY_STATUSES.find((each) => each === list.status)
  const filter: KeyFilter = {
    ...(productId && { productId }),
    ...(duration && { duration }),
    ...(status && { status }),
    ...(list.search && { search: list.search }),
  }
  const isBatches = view === 'batches'
  const keys = useAdminKeys(filter, after, { isWanted: !isBatches })
  const batches = useBatches(
    { ...(productId && { productId }), ...(duration && { duration }), ...(list.search && { search: list.search }) },
    list.page,
    { isWanted: isBatches },
  )

  const choose = (next: { product?: string | undefined; duration?: string | undefined }) => {
    setPlaceMissing(false)
    void navigate<typeof PATH>({
      search: (present) => ({ ...present, page: undefined, after: undefined, ...next }),
    })
  }
  /** Calls back with the chosen place, or says that one has to be chosen first. */
  const withPlace = (act: (place: Place) => void) => {
    if (productId && duration) {
      act({ productId, productName: product?.name ?? t('Product'), duration })
      return
    }
    setPlaceMissing(true)
    productField.current?.querySelectorAll('select')[productId ? 1 : 0]?.focus()
  }
  const isFiltered = status !== undefined || list.search !== ''
  const add = (
    <Button icon={<Plus size={17} aria-hidden />} onClick={() => withPlace((place) => importer.show({ place }))}>
      {t('Add keys')}
    </Button>
  )
  const viewSwitch = (
    <Segmented
      label={t('What to list')}
      value={view ?? 'keys'}
      onChange={(next) =>
        void navigate<typeof PATH>({
          search: { product: productId, duration, view: next === 'batches' ? next : undefined },
        })
      }
      options={[
        { value: 'keys', label: t('Keys') },
        { value: 'batches', label: t('Batches') },
      ]}
    />
  )
  return (
    <ListPage
      title={t('Keys')}
      heading={isBatches ? t('Batches') : t('Keys')}
      count={isBatches ? batches.data?.total : undefined}
      actions={
        <>
          {viewSwitch}
          {add}
        </>
      }
      filters={
        <>
          <div ref={productField} className="grid w-full gap-3 sm:grid-cols-2">
            <ProductSelect
              products={products.data}
              value={productId}
              onChange={(next) => choose({ product: next, duration: onlyDuration(products.data, next) })}
            />
            <DurationSelect product={product} value={duration} onChange={(next) => choose({ duration: next })} />
          </div>
          <SearchInput
            key={view}
            label={isBatches ? t('Search batches') : t('Search key text')}
            value={list.search}
            onChange={list.setSearch}
            className="w-full sm:w-72"
          />
          {!isBatches && (
            <>
              <Segmented
                label={t('Status')}
                value={status ?? 'all'}
                onChange={(next) => list.setStatus(next === 'all' ? undefined : next)}
                options={[
                  { value: 'all', label: t('All') },
                  ...KEY_STATUSES.map((value) => ({ value, label: statusText(value) })),
                ]}
                className="max-sm:w-full max-sm:[&>button]:px-1.5"
              />
              <div className="ml-auto grid grid-cols-2 gap-2 max-sm:w-full">
                <ExportButton
                  name={exportName(product?.name, duration, status)}
                  disabled={keys.data?.keys.length === 0}
                  fetch={(options) => files.keys.export(filter, options)}
                />
                <Button
                  variant="secondary"
                  icon={<Trash2 size={16} aria-hidden />}
                  onClick={() => withPlace((place) => clearing.show({ place, available: price?.available ?? 0 }))}
                >
                  {t('Delete all')}
                </Button>
              </div>
            </>
          )}
        </>
      }
      notice={
        isPlaceMissing && !(productId && duration) ? (
          <FormError>{t('Please select a product and duration first.')}</FormError>
        ) : (
          products.isError &&
          !products.data && (
            <FormError>{t('The products could not be loaded. Reload the page to try again.')}</FormError>
          )
        )
      }
      footer={
        isBatches
          ? batches.data &&
            batches.data.total > BATCHES_PAGE_SIZE && (
              <Pagination
                page={list.page}
                pageSize={BATCHES_PAGE_SIZE}
                total={batches.data.total}
                onPage={list.setPage}
              />
            )
          : (keys.data?.hasMore || after !== undefined) && (
              <CursorPages page={list.page} after={after} count={keys.data?.keys.length} last={lastOf(keys.data)} />
            )
      }
    >
      {isBatches ? (
        <DataTable
          label={t('Batches')}
          columns={batchColumns((batch) => undoing.show({ batch }))}
          rows={batches.data?.batches}
          rowKey={(batch) => batch._id}
          error={batches.error}
          onRetry={batches.refetch}
          stale={batches.isPlaceholderData}
          skeletonRows={8}
          empty={
            list.search === '' ? (
              <EmptyState
                icon={<Package size={22} />}
                title={t('No imports here yet')}
                text={t('Each time keys are added they are a batch: with its supplier and cost, and a way back.')}
              />
            ) : (
              <EmptyState
                icon={<Package size={22} />}
                title={t('No batch fits')}
                action={
                  <Button variant="secondary" onClick={list.clear}>
                    {t('Show all batches')}
                  </Button>
                }
              />
            )
          }
        />
      ) : (
        <DataTable
          label={t('Keys')}
          columns={columnsOf({
            showPlace: !productId || !duration,
            edit: (row) => editor.show({ row }),
            remove: (row) => deletion.show({ row }),
          })}
          rows={keys.data?.keys}
          rowKey={(row) => row._id}
          error={keys.error}
          onRetry={keys.refetch}
          stale={keys.isPlaceholderData}
          skeletonRows={8}
          empty={
            isFiltered || after !== undefined ? (
              <EmptyState
                icon={<KeyRound size={22} />}
                title={t('No key fits')}
                text={
                  list.search !== '' && !productId
                    ? t('Over all products only a whole key is found. Choose a product to search for a part.')
                    : undefined
                }
                action={
                  <Button variant="secondary" onClick={list.clear}>
                    {t('Show all keys')}
                  </Button>
                }
              />
            ) : (
              <EmptyState
                icon={<KeyRound size={22} />}
                title={t('No keys here yet')}
                text={
                  productId && duration
                    ? t('Add keys, and buyers can have them at once.')
                    : t('Choose a product and a duration, then add keys to it.')
                }
              />
            )
          }
        />
      )}
      <Suspense>
        {importer.target && (
          <KeyImportDialog
            key={importer.turn}
            open={importer.open}
            onClose={importer.close}
            place={importer.target.place}
          />
        )}
        {editor.target && (
          <KeyEditDialog
            key={`edit-${editor.turn}`}
            open={editor.open}
            onClose={editor.close}
            row={editor.target.row}
          />
        )}
      </Suspense>
      {deletion.target && (
        <KeyDeletion key={deletion.turn} open={deletion.open} onClose={deletion.close} row={deletion.target.row} />
      )}
      {undoing.target && (
        <BatchUndo key={`undo-${undoing.turn}`} open={undoing.open} onClose={undoing.close} {...undoing.target} />
      )}
      {clearing.target && (
        <AllKeysDeletion
          key={`all-${clearing.turn}`}
          open={clearing.open}
          onClose={clearing.close}
          {...clearing.target}
        />
      )}
    </ListPage>
  )
}

function lastOf(data: { keys: AdminKey[]; hasMore: boolean } | undefined): string | undefined {
  return data?.hasMore ? data.keys.at(-1)?._id : undefined
}

/** A product with one duration leaves nothing to choose. */
function onlyDuration(products: readonly Product[] | undefined, productId: string | undefined): string | undefined {
  const prices = products?.find((each) => each._id === productId)?.prices
  return prices?.length === 1 ? prices[0]?.duration : undefined
}

interface ProductSelectProps {
  products: readonly Product[] | undefined
  value: string | undefined
  onChange: (productId: string | undefined) => void
}

function ProductSelect({ products, value = '', onChange }: ProductSelectProps) {
  const isGone = value !== '' && products !== undefined && !products.some((each) => each._id === value)
  return (
    <Field label={t('Product')}>
      <Select value={value} onChange={(event) => onChange(event.target.value || undefined)}>
        <option value="">{products ? t('All products') : t('Loading…')}</option>
        {isGone && <option value={value}>{t('A product that has left the shop')}</option>}
        {products?.map(({ _id, name, available }) => (
          <option key={_id} value={_id}>
            {t('{name} · {count} available', { name, count: formatCount(available) })}
          </option>
        ))}
      </Select>
    </Field>
  )
}

interface DurationSelectProps {
  product: Product | undefined
  value: string | undefined
  onChange: (duration: string | undefined) => void
}

function DurationSelect({ product, value = '', onChange }: DurationSelectProps) {
  const isGone = value !== '' && !product?.prices.some((each) => each.duration === value)
  return (
    <Field label={t('Duration')}>
      <Select
        value={value}
        disabled={!product && value === ''}
        onChange={(event) => onChange(event.target.value || undefined)}
      >
        <option value="">{product ? t('All durations') : t('Choose a product first')}</option>
        {isGone && <option value={value}>{value}</option>}
        {product?.prices.map((price) => (
          <option key={price._id} value={price.duration}>
            {stockState(price) === 'low'
              ? t('{duration} · {count} available · low', {
                  duration: price.duration,
                  count: formatCount(price.available),
                })
              : t('{duration} · {count} available', { duration: price.duration, count: formatCount(price.available) })}
          </option>
        ))}
      </Select>
    </Field>
  )
}

interface ColumnsOf {
  /** Keys of several products or durations are listed. */
  showPlace: boolean
  edit: (row: AdminKey) => void
  remove: (row: AdminKey) => void
}

function columnsOf({ showPlace, edit, remove }: ColumnsOf): Column<AdminKey>[] {
  const place: Column<AdminKey> = {
    key: 'place',
    title: t('Product'),
    cell: ({ productId, duration }) => (
      <>
        <span className="wrap-break-word">{productId.name}</span>
        <span className="block text-xs text-fg-3">{duration}</span>
      </>
    ),
  }
  return [
    {
      key: 'key',
      title: t('Key'),
      card: 'title',
      className: 'min-w-64',
      cell: ({ key }) => (
        <div className="-my-2 flex items-center">
          <code className="min-w-0 font-mono text-sm break-all">{key}</code>
          <CopyButton text={key} what={t('key')} />
        </div>
      ),
    },
    ...(showPlace ? [place] : []),
    {
      key: 'status',
      title: t('Status'),
      card: 'chip',
      className: 'w-28',
      cell: ({ status }) => <Chip tone={STATUS_TONES[status]}>{statusText(status)}</Chip>,
    },
    {
      key: 'buyer',
      title: t('Buyer'),
      cell: ({ assignedTo, status }) => {
        if (assignedTo) {
          return (
            <span className="block min-w-0">
              <Link
                to="/admin/user-manager"
                search={{ search: assignedTo.username }}
                aria-label={t('User {username}', { username: assignedTo.username })}
                className="font-medium hover:underline"
              >
                {assignedTo.username}
              </Link>
              <span className="block text-xs wrap-break-word break-all text-fg-3">{assignedTo.email}</span>
            </span>
          )
        }
        return status === 'available' ? null : <span className="text-fg-3">{t('Account closed')}</span>
      },
    },
    { key: 'purchased', title: t('Purchased'), cell: purchaseOf },
    { key: 'expires', title: t('Expires'), cell: ({ expiresAt }) => momentOf(expiresAt) },
    {
      key: 'actions',
      title: t('Actions'),
      card: 'actions',
      cell: (row) =>
        // A sold key is its buyer's.
        row.status === 'available' && (
          <>
            <IconButton
              label={t('Edit key {key}', { key: shortened(row.key) })}
              icon={<Pencil size={17} aria-hidden />}
              onClick={() => edit(row)}
            />
            <IconButton
              variant="danger"
              label={t('Delete key {key}', { key: shortened(row.key) })}
              icon={<Trash2 size={17} aria-hidden />}
              onClick={() => remove(row)}
            />
          </>
        ),
    },
  ]
}

/** When and for how much, which leads to the sale in the book of its day. */
function purchaseOf({ assignedAt, assignedTo, order, productId }: AdminKey) {
  if (assignedAt === null) return null
  if (!order || !assignedTo) return <Time value={assignedAt} />
  const day = indianDay(assignedAt)
  return (
    <Link
      to="/admin/purchases"
      search={{ search: assignedTo.username, product: productId._id, from: day, to: day }}
      aria-label={t('Purchase by {username} at {price}', {
        username: assignedTo.username,
        price: formatRupees(order.unitPrice),
      })}
      className="block hover:underline"
    >
      <span className="tabular block font-medium">{formatRupees(order.unitPrice)}</span>
      <span className="block text-xs text-fg-3">
        <Time value={assignedAt} />
      </span>
    </Link>
  )
}

const dayInIndia = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' })

/** 2026-11-20: the sales book goes by Indian days. */
function indianDay(moment: string): string {
  return dayInIndia.format(new Date(moment))
}

function momentOf(moment: string | null) {
  return moment === null ? null : <Time value={moment} />
}

const KEY_CHARS_SHOWN = 40

function shortened(key: string): string {
  return key.length > KEY_CHARS_SHOWN ? `${key.slice(0, KEY_CHARS_SHOWN)}…` : key
}

interface CursorPagesProps {
  /** From 0. */
  page: number
  /** The last key of the page before; undefined on the first. */
  after: string | undefined
  /** How many this page has. */
  count: number | undefined
  /** The last key of this page, when another page follows. */
  last: string | undefined
}

/** The pages of a list that nobody counts: a page begins after the last key of the one before. */
function CursorPages({ page, after, count = 0, last }: CursorPagesProps) {
  const navigate = useNavigate()
  const before = useRef(new Map<string, string | undefined>())
  const go = (next: { page: number | undefined; after: string | undefined }) => {
    void navigate<typeof PATH>({ search: (present) => ({ ...present, ...next }) })
    scrollTo(0, 0)
  }
  const forward = () => {
    if (last === undefined) return
    before.current.set(last, after)
    go({ page: page + 1, after: last })
  }
  const back = () => {
    // Come here by a link: what was before is not known, but the beginning is.
    const isKnown = after !== undefined && before.current.has(after)
    go({ page: isKnown && page > 1 ? page - 1 : undefined, after: isKnown ? before.current.get(after) : undefined })
  }
  const from = page * KEYS_PAGE_SIZE + 1
  return (
    <nav aria-label={t('Pages')} className="flex items-center justify-between gap-4 text-sm text-fg-2">
      <span aria-live="polite" className="tabular">
        {t('{from}–{to}', { from: formatCount(from), to: formatCount(from + Math.max(0, count - 1)) })}
      </span>
      <span className="flex items-center gap-1">
        <IconButton
          label={t('Previous page')}
          icon={<ChevronLeft size={18} aria-hidden />}
          disabled={after === undefined}
          onClick={back}
        />
        <span className="tabular px-1">{t('Page {page}', { page: page + 1 })}</span>
        <IconButton
          label={t('Next page')}
          icon={<ChevronRight size={18} aria-hidden />}
          disabled={last === undefined}
          onClick={forward}
        />
      </span>
    </nav>
  )
}

interface DeletionProps {
  open: boolean
  onClose: () => void
}

function KeyDeletion({ row, ...dialog }: DeletionProps & { row: AdminKey }) {
  const remove = useRemoveKey()
  const restore = useRestoreKey()
  const undo = () =>
    restore.mutate(row, {
      onSuccess: () => toast(t('The key is back in stock')),
      onError: (error) => toast(errorMessage(error), { tone: 'bad', action: { label: t('Retry'), run: undo } }),
    })
  return (
    <DeleteDialog
      {...dialog}
      title={t('Delete key {key}?', { key: shortened(row.key) })}
      failure={deleteFailure}
      action={async () => {
        await remove.mutateAsync(row._id)
        toast(t('Key deleted'), { action: { label: t('Undo'), run: undo } })
      }}
    >
      <p>
        {t('{product}, {duration} has one key less to sell.', { product: row.productId.name, duration: row.duration })}
      </p>
    </DeleteDialog>
  )
}

function AllKeysDeletion({ place, available, ...dialog }: DeletionProps & { place: Place; available: number }) {
  const remove = useRemoveAllKeys()
  const { productName, duration } = place
  return (
    <DeleteDialog
      {...dialog}
      title={t('Delete all unsold keys of {product}, {duration}?', { product: productName, duration })}
      confirmLabel={t('Delete all')}
      failure={deleteFailure}
      {...(available >= TYPE_TO_DELETE_FROM && { typeToConfirm: duration })}
      action={async () => {
        const { deletedCount } = await remove.mutateAsync(place)
        const text = formatCount(deletedCount)
        toast(
          deletedCount === 0
            ? t('There were no unsold keys to delete')
            : t('{count, plural, one {# key deleted} other {{text} keys deleted}}', { count: deletedCount, text }),
          { tone: deletedCount === 0 ? 'info' : 'ok' },
        )
      }}
    >
      <p>
        {t(
          '{count, plural, =0 {No key is} one {# key is} other {{text} keys are}} deleted for good. Buyers find it OUT OF STOCK then.',
          {
            count: available,
            text: formatCount(available),
          },
        )}
      </p>
      <p>{t('Sold keys stay with their buyers. To keep a copy, export the keys first.')}</p>
    </DeleteDialog>
  )
}

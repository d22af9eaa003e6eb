import { lazy, Suspense, useRef, useState } from 'react'
import { ChevronLeft, ChevronRight, Download, KeyRound, Pencil, Plus, Trash2 } from 'lucide-react'
import type { Product } from '../../contract/catalogue.ts'
import type { AdminKey } from '../../contract/keys.ts'
import { useAdminProducts } from '../catalogue/product-queries.ts'
import { errorMessage } from '../platform/api-error.ts'
import { t } from '../platform/i18n.ts'
import { useListSearch } from '../platform/list-search.ts'
import { formatCount } from '../platform/money.ts'
import { useNavigate, useSearch } from '../platform/router.tsx'
import { toast } from '../platform/toast.ts'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { CopyButton } from '../ui/copyable.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { DeleteDialog } from '../ui/delete-dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Field } from '../ui/field.tsx'
import { FormError } from '../ui/form-error.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { ListPage } from '../ui/list-page.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { Select } from '../ui/select.tsx'
import { Time } from '../ui/time.tsx'
import { useDialog } from '../ui/use-dialog.ts'
import { exportName } from './key-csv.ts'
import { exportKeys } from './key-export.ts'
import { deleteFailure } from './key-failures.ts'
import {
  KEYS_PAGE_SIZE,
  useAdminKeys,
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

/** The stock itself: choose a product and duration, then list, add, edit and delete its keys. */
export function KeyManagerScreen() {
  const products = useAdminProducts()
  const list = useListSearch(PATH)
  const { product: productId, duration, after } = useSearch(PATH)
  const navigate = useNavigate()
  const [isPlaceMissing, setPlaceMissing] = useState(false)
  const productField = useRef<HTMLDivElement>(null)
  const importer = useDialog<{ place: Place }>()
  const editor = useDialog<{ row: AdminKey }>()
  const deletion = useDialog<{ row: AdminKey }>()
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
  const keys = useAdminKeys(filter, after)

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
  return (
    <ListPage
      title={t('Keys')}
      heading={t('Keys')}
      actions={add}
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
            label={t('Search key text')}
            value={list.search}
            onChange={list.setSearch}
            className="w-full sm:w-72"
          />
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
            <ExportButton filter={filter} name={exportName(product?.name, duration, status)} />
            <Button
              variant="secondary"
              icon={<Trash2 size={16} aria-hidden />}
              onClick={() => withPlace((place) => clearing.show({ place, available: price?.available ?? 0 }))}
            >
              {t('Delete all')}
            </Button>
          </div>
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
        (keys.data?.hasMore || after !== undefined) && (
          <CursorPages page={list.page} after={after} count={keys.data?.keys.length} last={lastOf(keys.data)} />
        )
      }
    >
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
        {product?.prices.map(({ _id, duration, available }) => (
          <option key={_id} value={duration}>
            {t('{duration} · {count} available', { duration, count: formatCount(available) })}
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
              <span className="font-medium">{assignedTo.username}</span>
              <span className="block text-xs wrap-break-word break-all text-fg-3">{assignedTo.email}</span>
            </span>
          )
        }
        return status === 'available' ? null : <span className="text-fg-3">{t('Account closed')}</span>
      },
    },
    {
      key: 'purchased',
      title: t('Purchased'),
      cell: ({ assignedAt }) => momentOf(assignedAt),
    },
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

/** Everything that the filter finds, not only the page that is shown. */
function ExportButton({ filter, name }: { filter: KeyFilter; name: string }) {
  const [count, setCount] = useState<number>()
  const isRunning = count !== undefined
  const run = async () => {
    if (isRunning) return
    setCount(0)
    try {
      const exported = await exportKeys(filter, name, setCount)
      if (exported === 0) toast(t('There are no keys to export'), { tone: 'info' })
      else {
        const text = formatCount(exported)
        toast(t('{count, plural, one {# key exported} other {{text} keys exported}}', { count: exported, text }))
      }
    } catch (error) {
      toast(t('The keys could not be exported. {reason}', { reason: errorMessage(error) }), {
        tone: 'bad',
        action: { label: t('Retry'), run: () => void run() },
      })
    } finally {
      setCount(undefined)
    }
  }
  return (
    <Button
      variant="secondary"
      pending={isRunning}
      icon={<Download size={16} aria-hidden />}
      onClick={() => void run()}
    >
      {t('Export CSV')}
      <output className="sr-only">{isRunning && t('{count} keys read', { count: formatCount(count) })}</output>
    </Button>
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

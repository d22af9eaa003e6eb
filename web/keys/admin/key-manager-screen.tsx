import { useRef, useState } from 'react'
import { Eye, KeyRound, Package, Plus, Trash2 } from 'lucide-react'
import type { AdminKey, KeyBatch } from '../../../contract/keys.ts'
import { useAdminProducts } from '../../catalogue/admin/product-queries.ts'
import { errorMessage } from '../../platform/api-error.ts'
import { t } from '../../platform/i18n.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import { files } from '../../platform/admin/download.ts'
import { useNavigate, useSearch } from '../../platform/router.tsx'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/admin/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ExportButton } from '../../ui/admin/export-button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { ListPage } from '../../ui/admin/list-page.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { Pagination } from '../../ui/admin/pagination.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { batchColumns, BatchNotice, BatchUndo } from './key-batch-list.tsx'
import { exportName } from './export-name.ts'
import {
  BATCHES_PAGE_SIZE,
  isUnproven,
  proveForKeys,
  useAdminKeys,
  useBatch,
  useBatches,
  type KeyFilter,
  type Place,
} from './key-manager-queries.ts'
import { columnsOf } from './key-manager-columns.tsx'
import { AllKeysDeletion, KeyDeletion } from './key-manager-deletions.tsx'
import { CursorPages } from './key-manager-pages.tsx'
import { DurationSelect, onlyDuration, ProductSelect } from './key-manager-place.tsx'
import { KEY_STATUSES, statusText } from './key-status.ts'

const KeyImportDialog = lazyPart(() => import('./key-import-dialog.tsx').then((file) => file.KeyImportDialog))
const BatchEditDialog = lazyPart(() => import('./batch-edit-dialog.tsx').then((file) => file.BatchEditDialog))
const KeyEditDialog = lazyPart(() => import('./key-edit-dialog.tsx').then((file) => file.KeyEditDialog))

const PATH = '/admin/key-manager'

/** The stock itself: choose a product and duration, then list, add, edit and delete its keys, or look at its imports. */
export function KeyManagerScreen() {
  const products = useAdminProducts()
  const list = useListSearch(PATH)
  const { product: productId, duration, batch: batchId, after, view } = useSearch(PATH)
  const navigate = useNavigate()
  const [isUncovering, setUncovering] = useState(false)
  const [isPlaceMissing, setPlaceMissing] = useState(false)
  const productField = useRef<HTMLDivElement>(null)
  const importer = useDialog<{ place: Place }>()
  const editor = useDialog<{ row: AdminKey }>()
  const deletion = useDialog<{ row: AdminKey }>()
  const undoing = useDialog<{ batch: KeyBatch }>()
  const batchEditor = useDialog<{ batch: KeyBatch }>()
  const clearing = useDialog<{ place: Place; available: number }>()

  const product = products.data?.find((each) => each._id === productId)
  const price = product?.prices.find((each) => each.duration === duration)
  const status = KEY_STATUSES.find((each) => each === list.status)
  const filter: KeyFilter = {
    ...(productId && { productId }),
    ...(duration && { duration }),
    ...(batchId && { batchId }),
    ...(status && { status }),
    ...(list.search && { search: list.search }),
  }
  const isBatches = view === 'batches'
  const batch = useBatch(isBatches ? undefined : batchId)
  const keys = useAdminKeys(filter, after, { isWanted: !isBatches })
  const batches = useBatches(
    { ...(productId && { productId }), ...(duration && { duration }), ...(list.search && { search: list.search }) },
    list.page,
    { isWanted: isBatches },
  )

  const isCovered = !isBatches && keys.data?.keys.some((each) => !each.isWhole)
  /** @returns the keys as they are, or nothing when nobody has proven who they are, or they could not be had */
  const uncover = async () => {
    setUncovering(true)
    try {
      await proveForKeys()
      return (await keys.refetch({ throwOnError: true })).data?.keys
    } catch (error) {
      if (!isUnproven(error)) toast(errorMessage(error), { tone: 'bad' })
      return undefined
    } finally {
      setUncovering(false)
    }
  }
  /** Calls back with the key itself: an ending can be neither corrected nor put back into stock. */
  const withKey = async (row: AdminKey, act: (row: AdminKey) => void) => {
    const whole = row.isWhole ? row : (await uncover())?.find(({ _id, isWhole }) => isWhole && _id === row._id)
    if (whole) act(whole)
  }

  const choose = (next: { product?: string | undefined; duration?: string | undefined }) => {
    setPlaceMissing(false)
    void navigate<typeof PATH>({
      search: (present) => ({ ...present, batch: undefined, page: undefined, after: undefined, ...next }),
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
  const isFiltered = status !== undefined || list.search !== '' || batchId !== undefined
  const add = (
    <Button icon={<Plus size={17} aria-hidden />} onClick={() => withPlace((place) => importer.show({ place }))}>
      {t('Add keys')}
    </Button>
  )
  const viewSwitch = (
    <Segmented
      label={t('View')}
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
            label={isBatches ? t('Search batches') : t('Search keys')}
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
                  name={exportName(product?.name, duration, batchId && 'batch', status)}
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
          <>
            {products.isError && !products.data && (
              <FormError>{t('Couldn’t load products. Reload the page to try again.')}</FormError>
            )}
            {isCovered && (
              <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm text-fg-2">
                {t('Only the last characters of each key are shown. Confirm it’s you to see full keys.')}
                <Button
                  variant="secondary"
                  icon={<Eye size={16} aria-hidden />}
                  pending={isUncovering}
                  onClick={() => void uncover()}
                >
                  {t('Show full keys')}
                </Button>
              </p>
            )}
            {batchId && !isBatches && <BatchNotice batch={batch.data} onLeave={() => choose({})} />}
          </>
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
              <CursorPages
                page={list.page}
                after={after}
                count={keys.data?.keys.length}
                // Of the page before, while this one loads: a second click would go on from there once more.
                last={keys.isPlaceholderData ? undefined : lastOf(keys.data)}
              />
            )
      }
    >
      {isBatches ? (
        <DataTable
          label={t('Batches')}
          columns={batchColumns({
            edit: (each) => batchEditor.show({ batch: each }),
            undo: (each) => undoing.show({ batch: each }),
          })}
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
                title={t('No batches yet')}
                text={t('Each time you add keys, they form a batch. You can note its supplier and cost, and undo it.')}
              />
            ) : (
              <EmptyState
                icon={<Package size={22} />}
                title={t('No batches found')}
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
            edit: (row) => void withKey(row, (whole) => editor.show({ row: whole })),
            remove: (row) => void withKey(row, (whole) => deletion.show({ row: whole })),
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
                title={t('No keys found')}
                text={
                  list.search !== '' && !productId
                    ? t('Enter the full key, or choose a product to search by part of a key.')
                    : undefined
                }
                action={
                  <Button
                    variant="secondary"
                    onClick={() => void navigate<typeof PATH>({ search: { product: productId, duration } })}
                  >
                    {t('Show all keys')}
                  </Button>
                }
              />
            ) : (
              <EmptyState
                icon={<KeyRound size={22} />}
                title={t('No keys yet')}
                text={
                  productId && duration
                    ? t('Add keys and buyers can buy them right away.')
                    : t('Choose a product and duration, then add keys.')
                }
              />
            )
          }
        />
      )}
      {importer.target && (
        <KeyImportDialog
          key={importer.turn}
          open={importer.open}
          onClose={importer.close}
          place={importer.target.place}
        />
      )}
      {editor.target && (
        <KeyEditDialog key={`edit-${editor.turn}`} open={editor.open} onClose={editor.close} row={editor.target.row} />
      )}
      {batchEditor.target && (
        <BatchEditDialog
          key={`batch-${batchEditor.turn}`}
          open={batchEditor.open}
          onClose={batchEditor.close}
          batch={batchEditor.target.batch}
        />
      )}
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

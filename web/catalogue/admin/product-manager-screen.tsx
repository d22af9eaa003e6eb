import { useState, type ComponentProps } from 'react'
import { GripVertical, KeyRound, Package, Pencil, Plus, Trash2 } from 'lucide-react'
import type { Product } from '../../../contract/catalogue.ts'
import { errorMessage } from '../../platform/api-error.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import { formatCount, formatRupees } from '../../platform/money.ts'
import { AllowedLink } from '../../platform/admin/allowed-link.tsx'
import { Link } from '../../platform/router.tsx'
import { toastUndo } from '../../platform/admin/toast-undo.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { DataTable, type Column } from '../../ui/admin/data-table.tsx'
import { DeleteDialog } from '../../ui/admin/delete-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { ListPage } from '../../ui/admin/list-page.tsx'
import { ProductCover } from '../../ui/product-cover.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Switch } from '../../ui/admin/switch.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { filterProducts } from '../filter-products.ts'
import {
  useAdminProducts,
  useRemoveProduct,
  useReorderProducts,
  useRestoreProduct,
  useSetHot,
} from './product-queries.ts'
import { useReorder } from './product-reorder.ts'
import { belongsTo, stockState, worstStock, type AdminProductFilter } from './product-stock.ts'

const ProductDialog = lazyPart(() => import('./product-dialog.tsx').then((file) => file.ProductDialog))
const ProductPlaceDialog = lazyPart(() => import('./product-place-dialog.tsx').then((file) => file.ProductPlaceDialog))

const FILTERS: readonly AdminProductFilter[] = ['all', 'hot', 'low', 'out']

/** What the shop sells: create, edit, put into order, delete; with the stock of each duration. */
export function ProductManagerScreen() {
  const products = useAdminProducts()
  const setHot = useSetHot()
  const reorder = useReorderProducts()
  const list = useListSearch('/admin/product-manager')
  const editor = useDialog<{ product?: Product }>()
  const deletion = useDialog<{ product: Product }>()
  const mover = useDialog<{ id: string }>()
  const [announcement, setAnnouncement] = useState('')

  const all = products.data ?? []
  const byId = new Map(all.map((product) => [product._id, product]))
  const nameOf = (id: string) => byId.get(id)?.name ?? ''
  const save = (ids: string[]) =>
    reorder.mutateAsync(ids).catch((error: unknown) => {
      const run = () => void save(ids)
      const text = t('Couldn’t save the new order. {reason}', { reason: errorMessage(error) })
      toast(text, { tone: 'bad', action: { label: t('Retry'), run } })
    })
  const rows = useReorder({
    ids: all.map((product) => product._id),
    save,
    onAsk: (id) => mover.show({ id }),
    onMoved: (id, place) =>
      setAnnouncement(
        t('{name} moved to position {number} of {total}', { name: nameOf(id), number: place + 1, total: all.length }),
      ),
  })

  const filter = FILTERS.find((each) => each === list.status) ?? 'all'
  const ordered = rows.order.flatMap((id) => byId.get(id) ?? [])
  const shown = filterProducts(ordered, 'all', list.search).filter((product) => belongsTo(filter, product))
  // Between products that are not shown there is no telling where something goes.
  const canReorder = !denied(calls.catalogue.reorder) && filter === 'all' && list.search === '' && all.length > 1
  const columns = columnsOf({
    handleOf: canReorder
      ? (product) => ({
          ...rows.handleProps(product._id),
          label: t('Move {name}, position {number} of {total}', {
            name: product.name,
            number: rows.order.indexOf(product._id) + 1,
            total: all.length,
          }),
        })
      : undefined,
    setHot,
    edit: (product) => editor.show({ product }),
    remove: (product) => deletion.show({ product }),
  })
  const create = (
    <Button
      icon={<Plus size={17} aria-hidden />}
      denied={denied(calls.catalogue.create)}
      onClick={() => editor.show({})}
    >
      {t('New product')}
    </Button>
  )
  return (
    <ListPage
      title={t('Products')}
      heading={t('Products')}
      count={products.data?.length}
      actions={create}
      search={<SearchInput label={t('Search products')} value={list.search} onChange={list.setSearch} debounceMs={0} />}
      filters={
        <Segmented
          label={t('Show products')}
          value={filter}
          onChange={(next) => list.setStatus(next === 'all' ? undefined : next)}
          options={[
            { value: 'all', label: t('All') },
            { value: 'hot', label: t('Hot Sale') },
            { value: 'low', label: t('Low stock') },
            { value: 'out', label: t('Out of stock') },
          ]}
          className="max-sm:w-full"
        />
      }
    >
      <output aria-live="polite" className="sr-only">
        {announcement}
      </output>
      <DataTable
        label={t('Products')}
        columns={columns}
        rows={products.data && shown}
        rowKey={(product) => product._id}
        rowClassName={(product) => rows.rowClassName(product._id)}
        error={products.error}
        onRetry={products.refetch}
        empty={
          all.length === 0 ? (
            <EmptyState
              icon={<Package size={22} />}
              title={t('No products yet')}
              text={t('Add your first product with durations and prices. Then add keys to start selling it.')}
            />
          ) : (
            <EmptyState
              icon={<Package size={22} />}
              title={t('No products found')}
              action={
                <Button variant="secondary" onClick={list.clear}>
                  {t('Show all products')}
                </Button>
              }
            />
          )
        }
      />
      {editor.target && (
        <ProductDialog
          key={editor.turn}
          open={editor.open}
          onClose={editor.close}
          latest={byId.get(editor.target.product?._id ?? '')}
          {...editor.target}
        />
      )}
      {mover.target && (
        <ProductPlaceDialog
          key={`place-${mover.turn}`}
          open={mover.open}
          onClose={mover.close}
          name={nameOf(mover.target.id)}
          place={rows.order.indexOf(mover.target.id)}
          names={ordered.map((product) => product.name)}
          onPlace={(to) => mover.target && rows.place(mover.target.id, to)}
        />
      )}
      {deletion.target && (
        <ProductDeletion key={deletion.turn} open={deletion.open} onClose={deletion.close} {...deletion.target} />
      )}
    </ListPage>
  )
}

type HandleProps = Omit<ComponentProps<typeof IconButton>, 'icon'>

interface ColumnsOf {
  /** Undefined while only some products are shown. */
  handleOf: ((product: Product) => HandleProps) | undefined
  setHot: (product: Product, change: Pick<Product, 'hot'>) => void
  edit: (product: Product) => void
  remove: (product: Product) => void
}

function columnsOf({ handleOf, setHot, edit, remove }: ColumnsOf): Column<Product>[] {
  return [
    {
      key: 'product',
      title: t('Product'),
      card: 'title',
      cell: (product) => (
        <div className="flex items-center gap-3">
          {handleOf && (
            <IconButton
              {...handleOf(product)}
              icon={<GripVertical size={18} aria-hidden />}
              className="-mx-2 cursor-grab touch-none"
            />
          )}
          <ProductCover
            name={product.name}
            sequence={product.sequence}
            grey={product.available === 0}
            className="h-11 w-14 shrink-0 rounded-control [&>.monogram]:text-[28px]"
          />
          <div className="min-w-0">
            <p className="font-semibold wrap-break-word">{product.name}</p>
            <p className="line-clamp-1 max-w-80 text-xs wrap-break-word text-fg-3">{product.description}</p>
          </div>
        </div>
      ),
    },
    {
      key: 'durations',
      title: t('Durations'),
      cell: (product) => <Durations product={product} />,
    },
    {
      key: 'stock',
      title: t('Stock'),
      card: 'chip',
      className: 'w-32',
      cell: (product) => <StockBadge product={product} />,
    },
    {
      key: 'hot',
      title: t('Hot Sale'),
      className: 'w-24',
      cell: (product) => (
        <Switch
          bare
          label={t('Hot Sale for {name}', { name: product.name })}
          checked={product.hot}
          denied={denied(calls.catalogue.update)}
          onChange={(hot) => setHot(product, { hot })}
          className="justify-start max-wide:-my-3 max-wide:justify-end"
        />
      ),
    },
    {
      key: 'actions',
      title: t('Actions'),
      card: 'actions',
      cell: (product) => (
        <>
          {!denied(calls.keys.list) && (
            <Link
              to="/admin/key-manager"
              search={{ product: product._id }}
              aria-label={t('Keys of {name}', { name: product.name })}
              title={t('Keys of {name}', { name: product.name })}
              className="relative inline-grid size-10 shrink-0 place-items-center rounded-control text-fg-2 transition-colors after:absolute after:-inset-1 hover:bg-hover hover:text-fg"
            >
              <KeyRound size={17} aria-hidden />
            </Link>
          )}
          <IconButton
            label={t('Edit {name}', { name: product.name })}
            icon={<Pencil size={17} aria-hidden />}
            denied={denied(calls.catalogue.update)}
            onClick={() => edit(product)}
          />
          <IconButton
            variant="danger"
            label={t('Delete {name}', { name: product.name })}
            icon={<Trash2 size={17} aria-hidden />}
            denied={denied(calls.catalogue.remove)}
            onClick={() => remove(product)}
          />
        </>
      ),
    },
  ]
}

const STOCK_TONES = { out: 'text-bad', low: 'text-warn', ok: 'text-fg-2' }

/** Each duration with its list price and the keys that are left of it, which lead to the keys themselves. */
function Durations({ product }: { product: Product }) {
  return (
    <ul className="grid gap-0.5 max-wide:justify-items-end">
      {product.prices.map(({ _id, duration, price = 0, listPrice = price, available, lowStockBelow = 0 }) => (
        <li
          key={_id}
          className="tabular grid grid-cols-[6rem_5.5rem_auto] items-center gap-x-2 max-wide:grid-cols-[auto_auto_auto]"
        >
          <span className="whitespace-nowrap text-fg-2">{duration}</span>
          <span className="text-right font-medium">{formatRupees(listPrice)}</span>
          <AllowedLink
            call={calls.keys.list}
            to="/admin/key-manager"
            search={{ product: product._id, duration }}
            aria-label={t('{count} keys of {name}, {duration}', { count: available, name: product.name, duration })}
            className={`rounded-chip px-1.5 py-0.5 text-right whitespace-nowrap ${STOCK_TONES[stockState({ available, lowStockBelow })]}`}
            linkClassName="hover:bg-hover"
          >
            {available === 0 ? t('Out of stock') : t('{count} left', { count: formatCount(available) })}
            {stockState({ available, lowStockBelow }) === 'low' && (
              <span className="sr-only">{t(', fewer than {mark}', { mark: formatCount(lowStockBelow) })}</span>
            )}
          </AllowedLink>
        </li>
      ))}
    </ul>
  )
}

function StockBadge({ product }: { product: Product }) {
  if (product.available === 0) return <Chip tone="bad">{t('Out of stock')}</Chip>
  const worst = worstStock(product)
  const left = t('{count} in stock', { count: formatCount(product.available) })
  if (worst === 'ok') return <Chip tone="ok">{left}</Chip>
  return (
    <span className="flex flex-wrap gap-1.5">
      <Chip>{left}</Chip>
      {worst === 'low' ? <Chip tone="warn">{t('Low stock')}</Chip> : <Chip tone="bad">{t('Partly out of stock')}</Chip>}
    </span>
  )
}

interface ProductDeletionProps {
  product: Product
  open: boolean
  onClose: () => void
}

function ProductDeletion({ product, ...dialog }: ProductDeletionProps) {
  const remove = useRemoveProduct()
  const restore = useRestoreProduct()
  const { name, available } = product
  return (
    <DeleteDialog
      {...dialog}
      title={t('Delete {name}?', { name })}
      action={async () => {
        await remove.mutateAsync(product._id)
        toastUndo(
          t('{name} deleted', { name }),
          () => restore.mutateAsync(product._id),
          (restored) => t('{name} restored', { name: restored.name }),
        )
      }}
    >
      <p>
        {t(
          'This removes the product, its durations and custom prices from the store right away. You can undo it from the message that appears next.',
        )}
      </p>
      {available > 0 && (
        <p className="text-warn">
          {t(
            '{count, plural, one {# unsold key is} other {# unsold keys are}} kept but can’t be sold. To use them elsewhere, export keys first.',
            { count: available },
          )}
        </p>
      )}
      <p>{t('Buyers keep the keys they already bought.')}</p>
    </DeleteDialog>
  )
}

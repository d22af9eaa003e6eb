import { useState } from 'react'
import { ArrowDownUp, Package, Percent, Plus, Share2 } from 'lucide-react'
import type { Product } from '../../../contract/catalogue.ts'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { adminProducts } from '../../../contract/panel-pages.ts'
import { useRowChange } from '../../platform/admin/use-change.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { formatRupees } from '../../platform/money.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import { toast, toastError } from '../../platform/navigation/toast.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { RecordList } from '../../ui/admin/lists/record-list.tsx'
import { openDialog } from '../../ui/overlays/open-dialog.ts'
import { useShareLink } from '../../ui/admin/share-link.tsx'
import { filterProducts } from '../filter-products.ts'
import { lowestPrice } from '../products-for-buyer.ts'
import { useAdminProducts } from './product-queries.ts'
import { useReorder } from './product-reorder.ts'
import { belongsTo, type AdminProductFilter } from './product-stock.ts'
import { actionsOf, columnsOf, faceOf, type ProductRows } from './product-manager-columns.tsx'
import { ProductDeletion } from './product-deletion.tsx'
import { Nothing } from '../../ui/admin/lists/nothing.tsx'

const ProductDialog = lazyPart(() => import('./product-dialog.tsx').then((file) => file.ProductDialog))

const ProductPlaceDialog = lazyPart(() => import('./product-place-dialog.tsx').then((file) => file.ProductPlaceDialog))

const ProductOrderDialog = lazyPart(() => import('./product-order-dialog.tsx').then((file) => file.ProductOrderDialog))

const RepriceDialog = lazyPart(() => import('./reprice-dialog.tsx').then((file) => file.RepriceDialog))

const FILTERS: readonly AdminProductFilter[] = ['all', 'hot', 'low', 'out', 'unlisted']

/** The Products screen: create, edit, reorder and delete products, with the stock of each duration. */
export function ProductManagerScreen() {
  const order = useProductRows()
  const { products, all, ordered } = order
  const setSwitch = useRowChange(adminProducts, 'catalogue.update')
  const duplicate = useDuplicate()
  const { shareStore, shareProduct } = useShareProducts()
  const list = useListSearch('/admin/product-manager')
  const filter = FILTERS.find((each) => each === list.status) ?? 'all'
  const shown = filterProducts(ordered, 'all', list.search).filter((product) => belongsTo(filter, product))
  // While some products are hidden, the place of a moved one would not be clear.
  const canReorder = !denied(calls.catalogue.reorder) && filter === 'all' && list.search === '' && all.length > 1
  const rows: ProductRows = {
    handleOf: canReorder ? order.handleOf : undefined,
    setSwitch,
    edit: (product) => openDialog(ProductDialog, { product }),
    duplicate,
    share: shareProduct,
    remove: (product) => openDialog(ProductDeletion, { product }),
  }
  const more = [
    ...(canReorder ? [{ label: t('Change order'), icon: <ArrowDownUp size={16} aria-hidden />, run: order.sort }] : []),
    {
      label: t('Change prices'),
      icon: <Percent size={16} aria-hidden />,
      denied: denied(calls.catalogue.reprice),
      run: () => openDialog(RepriceDialog, { products: shown }),
    },
    { label: t('Share store'), icon: <Share2 size={16} aria-hidden />, run: shareStore },
  ]
  const create = <NewProduct />
  return (
    <>
      <RecordList
        title={t('Products')}
        count={products.data?.length}
        actions={create}
        more={more}
        isEmpty={products.data?.length === 0}
        list={list}
        query={products}
        rows={products.data && shown}
        search={{ label: t('Search products'), debounceMs: 0 }}
        filter={{
          label: t('Show products'),
          value: filter,
          options: [
            { value: 'all', label: t('All') },
            { value: 'hot', label: t('Hot Sale') },
            { value: 'low', label: t('Low stock') },
            { value: 'out', label: t('Out of stock') },
            { value: 'unlisted', label: t('Not listed') },
          ],
          className: 'max-sm:w-full',
        }}
        columns={columnsOf(rows)}
        face={(product) => faceOf(product, rows)}
        actionsOf={(product) => actionsOf(product, rows)}
        empty={
          <Nothing
            icon={<Package size={22} />}
            first={
              all.length === 0 && {
                title: t('No products yet'),
                text: t('Add your first product with durations and prices. Then add keys to start selling it.'),
                action: create,
              }
            }
            none={noneFound(list)}
          />
        }
      />
      <output aria-live="polite" className="sr-only">
        {order.announcement}
      </output>
    </>
  )
}

const noneFound = ({ search, clear }: ReturnType<typeof useListSearch>) => ({
  search,
  title: t('No products found'),
  showAll: t('Show all products'),
  onShowAll: clear,
})

function NewProduct() {
  return (
    <Button
      icon={<Plus size={17} aria-hidden />}
      denied={denied(calls.catalogue.create)}
      onClick={() => openDialog(ProductDialog, {})}
    >
      {t('New product')}
    </Button>
  )
}

/** Makes a copy, and opens it to be named. */
function useDuplicate() {
  const { isPending, mutate } = useCall('catalogue.duplicate')
  return ({ _id }: Product) => {
    if (isPending) return
    mutate({ id: _id }, { onSuccess: (product) => openDialog(ProductDialog, { product }), onError: toastError })
  }
}

/** The products in the order that the admin is giving them, with the dialogs about one of them. */
function useProductRows() {
  const products = useAdminProducts()
  const reorder = useCall('catalogue.reorder', { scope: { id: 'reorder-products' } })
  const [announcement, setAnnouncement] = useState('')

  const all = products.data ?? []
  const byId = new Map(all.map((product) => [product._id, product]))
  const nameOf = (id: string) => byId.get(id)?.name ?? ''
  const save = (productIds: string[]) =>
    reorder.mutateAsync({ productIds }).catch((error: unknown) => {
      const run = () => void save(productIds)
      const text = t('Couldn’t save the new order. {reason}', { reason: errorMessage(error) })
      toast(text, { tone: 'bad', action: { label: t('Retry'), run } })
    })
  const rows = useReorder({
    ids: all.map((product) => product._id),
    save,
    onAsk: (id) => openDialog(ProductPlaceDialog, { id, products: ordered, onOrder: rows.put }),
    onMoved: (id, place) =>
      setAnnouncement(
        t('{name} moved to position {number} of {total}', { name: nameOf(id), number: place + 1, total: all.length }),
      ),
  })
  const ordered = rows.order.flatMap((id) => byId.get(id) ?? [])
  const handleOf = ({ _id, name }: Product) => ({
    ...rows.handleProps(_id),
    label: t('Move {name}, position {number} of {total}', {
      name,
      number: rows.order.indexOf(_id) + 1,
      total: all.length,
    }),
  })
  const sort = () => openDialog(ProductOrderDialog, { products: ordered, onOrder: rows.put })
  return { products, all, ordered, handleOf, announcement, sort }
}

/** Shares the store, or one product in it. */
function useShareProducts() {
  const { site, share } = useShareLink()
  return {
    shareStore: () =>
      share({
        path: '/',
        text: t('Licence keys in seconds at {site}, paid by UPI:', { site }),
        title: t('Store link'),
        description: t('It opens your store.'),
        qrLabel: t('QR code of the store link'),
      }),
    shareProduct(product: Product) {
      const { name } = product
      const price = lowestPrice(product)
      share({
        path: `/buy?product=${encodeURIComponent(name)}`,
        text:
          price === undefined
            ? t('{name} at {site}. Your key comes in seconds:', { name, site })
            : t('{name} at {site}, from {price}. Your key comes in seconds:', {
                name,
                site,
                price: formatRupees(price),
              }),
        title: t('Product link'),
        description: t('It opens {name} in your store.', { name }),
        qrLabel: t('QR code of the product link'),
      })
    },
  }
}

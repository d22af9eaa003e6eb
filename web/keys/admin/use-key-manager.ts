import { keepPreviousData } from '@tanstack/react-query'
import { askFor } from '../../../contract/panel-pages.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { useState } from 'react'
import type { AdminKey } from '../../../contract/keys.ts'
import { useAdminProducts } from '../../catalogue/admin/product-queries.ts'
import { t } from '../../platform/i18n.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import { navigate, useSearch } from '../../platform/navigation/router.tsx'
import { toastError } from '../../platform/navigation/toast.ts'
import { isUnproven, proveForKeys, useAdminKeys, type KeyFilter } from './key-manager-queries.ts'
import { KEY_STATUSES } from './key-status.ts'

export const BATCHES_PAGE_SIZE = 20

const PATH = '/admin/key-manager'

export type KeyManager = ReturnType<typeof useKeyManager>

const VIEWS = ['stock', 'keys', 'batches'] as const
type KeyView = (typeof VIEWS)[number]

/** Reads the address of the Keys screen, and loads what it asks for. A link to a place leads to its keys. */
export function useKeyManager() {
  const products = useAdminProducts()
  const list = useListSearch(PATH)
  const { product: productId, duration, batch: batchId, after, view: wanted } = useSearch(PATH)
  const chosen = VIEWS.find((each) => each === wanted)
  const view: KeyView = chosen ?? (productId || duration || batchId ? 'keys' : 'stock')

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
  const batch = usePanel(askFor('keys', 'batch', { id: batchId ?? '' }), {
    enabled: view === 'keys' && batchId !== undefined,
  })
  const keys = useAdminKeys(filter, after, { isWanted: view === 'keys' })
  const narrowed = {
    productId: productId || undefined,
    duration: duration || undefined,
    search: list.search || undefined,
  }
  const paged = { limit: BATCHES_PAGE_SIZE, skip: list.page * BATCHES_PAGE_SIZE }
  const batches = usePanel(askFor('keys', 'batches', { ...narrowed, ...paged }), {
    placeholderData: keepPreviousData,
    enabled: view === 'batches',
  })

  const choose = (next: { product?: string | undefined; duration?: string | undefined; search?: undefined }) =>
    void navigate<typeof PATH>({
      search: (present) => ({ ...present, view, batch: undefined, page: undefined, after: undefined, ...next }),
    })
  /** Shows another view of the chosen place. The stock is always that of all products. */
  const show = (next: KeyView) =>
    void navigate<typeof PATH>({
      search: next === 'stock' ? {} : { product: productId, duration, view: next },
    })
  return {
    list,
    products,
    product,
    productId,
    price,
    duration,
    status,
    filter,
    after,
    view,
    batchId,
    batch,
    keys,
    batches,
    choose,
    show,
    /** The product and duration that “Delete all” empties. Undefined until both are chosen. */
    place: productId && duration ? { productId, productName: product?.name ?? t('Product'), duration } : undefined,
  }
}

/** Keys are listed by their endings until the admin confirms that it is them. */
export function useFullKeys({ keys, view }: Pick<KeyManager, 'keys' | 'view'>) {
  const [isUncovering, setUncovering] = useState(false)
  /** @returns the full keys; undefined if the admin did not confirm that it is them, or the keys did not load */
  const uncover = async () => {
    setUncovering(true)
    try {
      await proveForKeys()
      return (await keys.refetch({ throwOnError: true })).data?.keys
    } catch (error) {
      if (!isUnproven(error)) toastError(error)
      return undefined
    } finally {
      setUncovering(false)
    }
  }
  return {
    isCovered: view === 'keys' && keys.data?.keys.some((each) => !each.isWhole),
    isUncovering,
    uncover,
    /** Calls `then` with the full key, because nobody can correct a key of which only the ending is known. */
    async withKey(row: AdminKey, act: (row: AdminKey) => void) {
      const whole = row.isWhole ? row : (await uncover())?.find(({ _id, isWhole }) => isWhole && _id === row._id)
      if (whole) act(whole)
    },
  }
}

import { useState, type RefObject } from 'react'
import type { AdminKey } from '../../../contract/keys.ts'
import { useAdminProducts } from '../../catalogue/admin/product-queries.ts'
import { errorMessage } from '../../platform/api-error.ts'
import { t } from '../../platform/i18n.ts'
import { useListSearch } from '../../platform/admin/list-search.ts'
import { useNavigate, useSearch } from '../../platform/router.tsx'
import { toast } from '../../platform/toast.ts'
import {
  isUnproven,
  proveForKeys,
  useAdminKeys,
  useBatch,
  useBatches,
  type KeyFilter,
  type Place,
} from './key-manager-queries.ts'
import { KEY_STATUSES } from './key-status.ts'

const PATH = '/admin/key-manager'

export type KeyManager = ReturnType<typeof useKeyManager>

/**
 * Reads the address of the Keys screen, and loads the keys or batches that it asks for.
 *
 * @param placeRef the fields of product and duration, which take the focus if a place is missing
 */
export function useKeyManager(placeRef: RefObject<HTMLElement | null>) {
  const products = useAdminProducts()
  const list = useListSearch(PATH)
  const { product: productId, duration, batch: batchId, after, view } = useSearch(PATH)
  const navigate = useNavigate()
  const [isPlaceMissing, setPlaceMissing] = useState(false)

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
    placeRef.current?.querySelectorAll('select')[productId ? 1 : 0]?.focus()
  }
  /** Shows all keys or batches of the chosen place. */
  const showAll = (next?: 'keys' | 'batches') =>
    void navigate<typeof PATH>({
      search: { product: productId, duration, view: next === 'batches' ? next : undefined },
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
    isBatches,
    batchId,
    batch,
    keys,
    batches,
    choose,
    withPlace,
    showAll,
    isPlaceMissing: isPlaceMissing && !(productId && duration),
  }
}

/** Keys are listed by their endings until the admin confirms that it is them. */
export function useFullKeys({ keys, isBatches }: Pick<KeyManager, 'keys' | 'isBatches'>) {
  const [isUncovering, setUncovering] = useState(false)
  /** @returns the full keys; undefined if the admin did not confirm that it is them, or the keys did not load */
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
  return {
    isCovered: !isBatches && keys.data?.keys.some((each) => !each.isWhole),
    isUncovering,
    uncover,
    /** Calls back with the full key, because an ending can be neither corrected nor put back into stock. */
    async withKey(row: AdminKey, act: (row: AdminKey) => void) {
      const whole = row.isWhole ? row : (await uncover())?.find(({ _id, isWhole }) => isWhole && _id === row._id)
      if (whole) act(whole)
    },
  }
}

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AdminKey } from '../../contract/keys.ts'
import { ApiError } from '../platform/api-error.ts'
import { client } from '../platform/client.ts'

export const KEYS_PAGE_SIZE = 50

export type KeyStatus = AdminKey['status']

/** A product and one of its durations, where keys belong. */
export interface Place {
  productId: string
  productName: string
  duration: string
}

export interface KeyFilter {
  productId?: string
  duration?: string
  status?: KeyStatus
  search?: string
}

/** One page of keys, oldest first; `hasMore` when another follows. */
export function useAdminKeys(filter: KeyFilter, after: string | undefined) {
  const input = { ...filter, ...(after && { cursor: after }), limit: KEYS_PAGE_SIZE + 1 }
  return useQuery({
    queryKey: ['keys', 'admin', input],
    queryFn: async ({ signal }) => {
      const found = await client.keys.list(input, { signal })
      return { keys: found.slice(0, KEYS_PAGE_SIZE), hasMore: found.length > KEYS_PAGE_SIZE }
    },
    placeholderData: keepPreviousData,
  })
}

/** Everything that shows keys or counts them. */
function useStale() {
  const queries = useQueryClient()
  return () => Promise.all(['keys', 'catalogue'].map((feature) => queries.invalidateQueries({ queryKey: [feature] })))
}

/** Stores keys that are new; duplicates are counted and no failure. */
export async function addKeys(place: Place, keys: readonly string[]): Promise<{ added: number; duplicates: number }> {
  const { productId, duration } = place
  try {
    const { added } = await client.keys.add({ productId, duration, keys: [...keys] })
    return { added, duplicates: 0 }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'DUPLICATE_KEYS') throw error
    const { added, duplicates } = error.details
    return { added: Number(added ?? 0), duplicates: Number(duplicates ?? keys.length) }
  }
}

/** Call it after an import, finished or not. */
export const useKeysChanged = useStale

export function useEditKey() {
  const stale = useStale()
  return useMutation({
    mutationFn: ({ id, key }: { id: string; key: string }) => client.keys.edit({ id, key }),
    onSettled: stale,
  })
}

export function useRemoveKey() {
  const stale = useStale()
  return useMutation({ mutationFn: (id: string) => client.keys.remove({ id }), onSettled: stale })
}

/** Puts a deleted key back into stock. */
export function useRestoreKey() {
  const stale = useStale()
  return useMutation({
    mutationFn: ({ productId, duration, key }: AdminKey) =>
      client.keys.add({ productId: productId._id, duration, keys: [key] }),
    onSettled: stale,
  })
}

/** Deletes every unsold key of a place. */
export function useRemoveAllKeys() {
  const stale = useStale()
  return useMutation({
    mutationFn: ({ productId, duration }: Place) => client.keys.removeAll({ productId, duration }),
    onSettled: stale,
  })
}

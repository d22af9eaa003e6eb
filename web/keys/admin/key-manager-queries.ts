import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { AdminKey, KeyBatch } from '../../../contract/keys.ts'
import { ApiError } from '../../platform/calls/api-error.ts'
import { useChange } from '../../platform/admin/use-change.ts'
import { client } from '../../platform/calls/client.ts'
import { t } from '../../platform/i18n.ts'
import { makesStale } from '../../platform/calls/queries.ts'
import { toChecked, withVerdicts, type CheckedText, type Line } from './key-import.ts'
import { KEY_STATUSES, type KeyStatus } from './key-status.ts'

export const KEYS_PAGE_SIZE = 50
export const BATCHES_PAGE_SIZE = 20

/** A product and one of its durations, where keys belong. */
export interface Place {
  productId: string
  productName: string
  duration: string
}

/** A place without its name. */
export type Variant = Pick<Place, 'productId' | 'duration'>

export interface KeyFilter {
  productId?: string
  duration?: string
  batchId?: string
  status?: KeyStatus
  search?: string
}

/** Where the next page begins: `assigned:<id>`, after the key with this id, among keys of this status. */
export const cursorOf = ({ _id, status }: AdminKey): string => `${status}:${_id}`

/**
 * One page of keys: those in stock first, then sold ones, then expired ones, each oldest first. `hasMore` when another
 * page follows. Without a recent step-up the store returns only the endings of keys, so that the list never interrupts
 * with a question.
 */
export function useAdminKeys(filter: KeyFilter, after: string | undefined, { isWanted }: { isWanted: boolean }) {
  return useQuery({
    queryKey: ['keys', 'admin', filter, after],
    queryFn: async ({ signal }) => {
      const [from, cursor] = after?.split(':') ?? []
      const begin = Math.max(
        0,
        KEY_STATUSES.findIndex((status) => status === from),
      )
      const statuses = filter.status ? [filter.status] : KEY_STATUSES.slice(begin)
      const keys: AdminKey[] = []
      for (const status of statuses) {
        const limit = KEYS_PAGE_SIZE + 1 - keys.length
        const place = cursor && status === statuses[0] ? { cursor } : {}
        keys.push(...(await client.keys.list({ ...filter, ...place, status, limit, unproven: 'endings' }, { signal })))
        if (keys.length > KEYS_PAGE_SIZE) break
      }
      return { keys: keys.slice(0, KEYS_PAGE_SIZE), hasMore: keys.length > KEYS_PAGE_SIZE }
    },
    placeholderData: keepPreviousData,
    enabled: isWanted,
  })
}

/** Asks the admin to confirm that it is them. Until then keys are listed by their endings. */
export const proveForKeys = () => client.keys.list({ limit: 1 })

/** True if the admin declined the question, and so knows why the keys stay hidden. */
export const isUnproven = (error: unknown) => error instanceof ApiError && error.code === 'STEP_UP_REQUIRED'

/** Everything that shows keys or counts them. */
const CHANGED = makesStale(['keys'], ['catalogue'], ['books'])

/** Details of one batch of keys as it is added. */
export interface Delivery {
  batchId: string
  supplier: string
  /** In rupees, as typed; empty if unknown. */
  costPerKey: string
  note: string
}

/** Says what an import would do with each line. Nothing is stored. */
export async function checkLines(place: Variant, lines: readonly Line[], signal: AbortSignal): Promise<CheckedText[]> {
  const { productId, duration } = place
  const answer = await client.keys.check({ productId, duration, keys: toChecked(lines) }, { signal })
  return withVerdicts(lines, answer.lines)
}

/** Stores keys that are new; duplicates are counted and no failure. The same call twice is one. */
export async function addKeys(
  place: Variant,
  keys: readonly string[],
  { batchId, supplier, costPerKey, note }: Delivery,
): Promise<{ added: number; duplicates: number }> {
  const { productId, duration } = place
  try {
    const { added } = await client.keys.add({
      productId,
      duration,
      keys: [...keys],
      batchId,
      supplier,
      costPerKey: costOf(costPerKey),
      note,
    })
    return { added, duplicates: 0 }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'DUPLICATE_KEYS') throw error
    const { added, duplicates } = error.details
    return { added: Number(added ?? 0), duplicates: Number(duplicates ?? keys.length) }
  }
}

/** An empty cost means that it is unknown. */
const costOf = (written: string): string | null => (written.trim() === '' ? null : written)

/** Call it after an import, finished or not. */
export const keysChanged = () => void CHANGED(undefined, null)

export const useEditKey = () => useChange((change: { id: string; key: string }) => client.keys.edit(change), CHANGED)
export const useRemoveKey = () => useChange((id: string) => client.keys.remove({ id }), CHANGED)

/** Puts a deleted key back into stock. */
export const useRestoreKey = () =>
  useChange(
    ({ productId, duration, key }: AdminKey) =>
      client.keys.add({ productId: productId._id, duration, keys: [key], note: t('Restored after deletion') }),
    CHANGED,
  )

/** Deletes every unsold key of a place, if there are as many as expected. */
export const useRemoveAllKeys = () =>
  useChange((wanted: Variant & { expected: number }) => client.keys.removeAll(wanted), CHANGED)

interface BatchFilter {
  productId?: string
  duration?: string
  search?: string
}

/** A page of imports, newest first. */
export function useBatches(filter: BatchFilter, page: number, { isWanted }: { isWanted: boolean }) {
  const input = { ...filter, limit: BATCHES_PAGE_SIZE, skip: page * BATCHES_PAGE_SIZE }
  return useQuery({
    queryKey: ['keys', 'batches', input],
    queryFn: ({ signal }) => client.keys.batches(input, { signal }),
    placeholderData: keepPreviousData,
    enabled: isWanted,
  })
}

/** Takes an import back. */
export const useUndoBatch = () => useChange(({ _id }: KeyBatch) => client.keys.undoBatch({ id: _id }), CHANGED)

/** One import; undefined while it loads. */
export function useBatch(id: string | undefined) {
  return useQuery({
    queryKey: ['keys', 'batch', id],
    queryFn: ({ signal }) => client.keys.batch({ id: id ?? '' }, { signal }),
    enabled: id !== undefined,
  })
}

export const useEditBatch = () =>
  useChange(
    ({ costPerKey, ...facts }: Partial<Omit<Delivery, 'batchId'>> & { id: string }) =>
      client.keys.editBatch({ ...facts, ...(costPerKey !== undefined && { costPerKey: costOf(costPerKey) }) }),
    CHANGED,
  )

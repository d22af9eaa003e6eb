import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { AdminKey } from '../../../contract/keys.ts'
import { ApiError } from '../../platform/calls/api-error.ts'
import { client } from '../../platform/calls/client.ts'
import { toChecked, withVerdicts, type CheckedText, type Line } from './key-import.ts'
import { KEY_STATUSES, type KeyStatus } from './key-status.ts'

export const KEYS_PAGE_SIZE = 50

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
export const costOf = (written: string): string | null => (written.trim() === '' ? null : written)

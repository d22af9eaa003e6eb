import { useInfiniteQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { AuditEntry } from '../../contract/reports.ts'
import { client } from '../platform/client.ts'

export type Entry = z.output<typeof AuditEntry>

export interface Wanted {
  search: string
  /** "payment" for all that is done to payments. */
  action: string | undefined
}

const PAGE_SIZE = 50
const EXPORT_PAGE_SIZE = 200

/** Who changed what, newest first, further back page by page. */
export function useAudit({ search, action }: Wanted) {
  const input = { search, ...(action && { action }), limit: PAGE_SIZE }
  return useInfiniteQuery({
    queryKey: ['reports', 'audit', input],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => client.reports.audit({ ...input, before: pageParam }, { signal }),
    getNextPageParam: ({ entries }) => (entries.length < PAGE_SIZE ? undefined : entries.at(-1)?._id),
  })
}

/** Everything that the search finds. */
export async function fetchWholeAudit({ search, action }: Wanted, signal: AbortSignal): Promise<Entry[]> {
  const all: Entry[] = []
  for (;;) {
    const input = { search, ...(action && { action }), limit: EXPORT_PAGE_SIZE, before: all.at(-1)?._id }
    const { entries } = await client.reports.audit(input, { signal })
    all.push(...entries)
    if (entries.length < EXPORT_PAGE_SIZE) return all
  }
}

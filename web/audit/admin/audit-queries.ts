import { useInfiniteQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { AuditEntry } from '../../../contract/reports.ts'
import { client } from '../../platform/client.ts'

export type Entry = z.output<typeof AuditEntry>

export interface Wanted {
  search: string
  /** "payment" for all that is done to payments. */
  action: string | undefined
  /** Days in India, both included. */
  from: string | undefined
  to: string | undefined
}

const PAGE_SIZE = 50

/** Loads the audit log, newest first, page by page. */
export function useAudit(wanted: Wanted) {
  const input = { ...wanted, limit: PAGE_SIZE }
  return useInfiniteQuery({
    queryKey: ['reports', 'audit', input],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => client.reports.audit({ ...input, before: pageParam }, { signal }),
    getNextPageParam: ({ entries }) => (entries.length < PAGE_SIZE ? undefined : entries.at(-1)?._id),
  })
}

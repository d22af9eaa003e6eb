import { useInfiniteQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { AuditEntry } from '../../../contract/reports.ts'
import { client } from '../../platform/calls/client.ts'

export type Entry = z.output<typeof AuditEntry>

export interface Wanted {
  search: string
  /** "payment" for all that is done to payments. */
  action: string | undefined
  /** Days in India, both included. */
  from: string | undefined
  to: string | undefined
}

/** Loads the audit log, newest first, in pages of `limit` entries. */
export function useAudit(wanted: Wanted, limit: number) {
  const input = { ...wanted, limit }
  return useInfiniteQuery({
    queryKey: ['reports', 'audit', input],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => client.reports.audit({ ...input, before: pageParam }, { signal }),
    getNextPageParam: ({ entries }) => (entries.length < limit ? undefined : entries.at(-1)?._id),
  })
}

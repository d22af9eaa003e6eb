import { useInfiniteQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { AuditEntry } from '../../../contract/reports.ts'
import { auditInput, auditOn, type PanelSearch } from '../../../contract/panel-pages.ts'
import { client } from '../../platform/calls/client.ts'

export type Entry = z.output<typeof AuditEntry>

/** Loads the audit log, newest first, a page at a time. */
export function useAudit(address: PanelSearch) {
  const input = auditInput(address)
  return useInfiniteQuery({
    queryKey: auditOn(address).key,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => client.reports.audit({ ...input, before: pageParam }, { signal }),
    getNextPageParam: ({ entries }) => (entries.length < input.limit ? undefined : entries.at(-1)?._id),
  })
}

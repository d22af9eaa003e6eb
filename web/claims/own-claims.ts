/** The buyer's claims, and the calls that change them. */
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ClaimReason, OwnClaim } from '../../contract/claims.ts'
import { client } from '../platform/calls/client.ts'
import { makesStale } from '../platform/calls/queries.ts'
import { t } from '../platform/i18n.ts'
import { toast, toastError } from '../platform/navigation/toast.ts'
import { useSession } from '../platform/session/session.ts'

const STALE = makesStale(['claims'])

/** Newest first. */
export function useOwnClaims() {
  const { user } = useSession()
  return useQuery({
    queryKey: ['claims', 'mine'],
    queryFn: ({ signal }) => client.claims.mine({}, { signal }),
    enabled: user !== null,
    staleTime: 30_000,
  })
}

export interface Report {
  keyId: string
  reason: Exclude<ClaimReason, 'recalled'>
  note: string
}

export const useReport = () =>
  useMutation({
    mutationFn: (report: Report) => client.claims.open(report),
    onSuccess: ({ number }) => toast(t('Report {number} sent', { number })),
    onSettled: STALE,
  })

export const useWithdraw = () =>
  useMutation({
    mutationFn: ({ _id }: OwnClaim) => client.claims.withdraw({ id: _id }),
    onSuccess: () => toast(t('Report withdrawn')),
    onError: toastError,
    onSettled: STALE,
  })

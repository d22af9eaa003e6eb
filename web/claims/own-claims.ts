/** The buyer's claims, and the calls that change them. */
import { useQuery } from '@tanstack/react-query'
import type { ClaimReason } from '../../contract/claims.ts'
import { client } from '../platform/calls/client.ts'
import { useCall } from '../platform/calls/use-call.ts'
import { t } from '../platform/i18n.ts'
import { toast, toastError } from '../platform/navigation/toast.ts'
import { useSession } from '../platform/session/session.ts'

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
  useCall('claims.open', { onSuccess: ({ number }) => toast(t('Report {number} sent', { number })) })

export const useWithdraw = () =>
  useCall('claims.withdraw', { onSuccess: () => toast(t('Report withdrawn')), onError: toastError })

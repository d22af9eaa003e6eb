import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { REFERRAL_CHECK_LENGTH_MIN, SEARCH_DEBOUNCE_MS } from '../../../contract/limits.ts'
import { ApiError } from '../../platform/calls/api-error.ts'
import { client } from '../../platform/calls/client.ts'

/** unknown: too short, or the check failed. Then the server decides on signup. */
export type ReferralCheck =
  | { state: 'unknown' | 'checking' }
  | { state: 'valid'; friendGets?: number | undefined; minimum?: number | undefined }
  | { state: 'invalid'; message: string }

const KEPT_MS = 60_000

/**
 * Checks a referral code once the typing pauses. Answers are kept by code, so a late one never counts for another code.
 */
export function useReferralCheck(code: string): ReferralCheck {
  const settled = useSettled(code, SEARCH_DEBOUNCE_MS)
  const isLongEnough = code.length >= REFERRAL_CHECK_LENGTH_MIN
  const check = useQuery({
    queryKey: ['referrals', 'validate', code],
    queryFn: ({ signal }) => client.referrals.validate({ code }, { signal }),
    enabled: isLongEnough && settled === code,
    staleTime: KEPT_MS,
    retry: (failures, error) => failures < 1 && error instanceof ApiError && error.isPassing,
  })

  if (!isLongEnough) return { state: 'unknown' }
  if (check.data) return { ...check.data, state: 'valid' }
  if (check.error && !check.isFetching) {
    const { error } = check
    const isRefused = error instanceof ApiError && (error.status === 404 || error.status === 400)
    return isRefused ? { state: 'invalid', message: error.message } : { state: 'unknown' }
  }
  return { state: 'checking' }
}

/** Returns `text` as it last was unchanged for `ms`. */
function useSettled(text: string, ms: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ms)
    return () => clearTimeout(timer)
  }, [text, ms])
  return settled
}

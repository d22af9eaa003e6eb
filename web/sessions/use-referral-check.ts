import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { REFERRAL_CHECK_LENGTH_MIN, SEARCH_DEBOUNCE_MS } from '../../contract/limits.ts'
import { ApiError } from '../platform/api-error.ts'
import { client } from '../platform/client.ts'

/** unknown: too short, or it could not be asked, and then the server decides at the end. */
export type ReferralCheck = { state: 'unknown' | 'checking' | 'valid' } | { state: 'invalid'; message: string }

const KEPT_MS = 60_000

/**
 * Whether a referral code can be used, asked once the typing has paused. Answers are kept by code, so one that comes
 * late is never taken for another code's.
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
  if (check.data) return { state: 'valid' }
  if (check.error && !check.isFetching) {
    const { error } = check
    const isRefused = error instanceof ApiError && (error.status === 404 || error.status === 400)
    return isRefused ? { state: 'invalid', message: error.message } : { state: 'unknown' }
  }
  return { state: 'checking' }
}

/** `text` as it was when it last stood still for `ms`. */
function useSettled(text: string, ms: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ms)
    return () => clearTimeout(timer)
  }, [text, ms])
  return settled
}

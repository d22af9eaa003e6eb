import { ApiError, errorMessage } from '../../platform/calls/api-error.ts'
import { t } from '../../platform/i18n.ts'

/**
 * True if an answer is certain that nothing was bought.
 *
 * No answer, a server fault or an answer from another source leave it open. While open, "too many tries" and "please
 * log in" don't settle it either. They concern the question, not the order that may have been placed before.
 */
export function isRefused(error: unknown, wasOpen: boolean): boolean {
  if (!(error instanceof ApiError)) return false
  const { status, code } = error
  if (status < 400 || status === 408 || status >= 500) return false
  return !wasOpen || (status !== 401 && status !== 429 && code !== 'NOT_JSON')
}

/** True if the buyer has had all of this that he can have. */
export const isForGood = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'LIMIT_REACHED' || error.code === 'TRIAL_REFUSED')

/** Uses the words of the specification (section 8). */
export function failureText(error: unknown): string {
  return t('Failed to purchase key(s): {reason}', { reason: reasonText(error) })
}

export function reasonText(error: unknown): string {
  const isWordless = error instanceof ApiError && error.isWordless
  const message = (!isWordless && errorMessage(error)) || t('Unknown error')
  if (!(error instanceof ApiError) || error.code !== 'NOT_JSON') return message
  return `${t('Server error (status {status})', { status: error.status })}: ${message}`
}

import { ApiError, errorMessage } from '../platform/api-error.ts'
import { t } from '../platform/i18n.ts'

/**
 * Whether an answer says for certain that nothing was bought.
 *
 * No answer, a fault of the server or something that is not the store's own answer leave open whether the order went
 * through. While that is open, "too many tries" and "please log in" don't settle it either: they speak of the question
 * and not of the order that may have been placed before.
 */
export function isRefused(error: unknown, wasOpen: boolean): boolean {
  if (!(error instanceof ApiError)) return false
  const { status, code } = error
  if (status < 400 || status === 408 || status >= 500) return false
  return !wasOpen || (status !== 401 && status !== 429 && code !== 'NOT_JSON')
}

/** In the words of the specification. */
export function failureText(error: unknown): string {
  return t('Failed to purchase key(s): {reason}', { reason: reason(error) })
}

function reason(error: unknown): string {
  if (!(error instanceof ApiError)) return errorMessage(error) || t('Unknown error')
  if (error.code === 'NOT_JSON') return t('Server error (status {status})', { status: error.status })
  return error.isWordless ? t('Unknown error') : error.message
}

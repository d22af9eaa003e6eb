/** Returns the specification's messages (section 8) for failed logins and signups. */
import { ApiError, errorMessage } from '../platform/calls/api-error.ts'
import { t } from '../platform/i18n.ts'

/** True if the account is in use on another device and a reset helps. */
export function isDeviceLocked(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.code === 'DEVICE_ALREADY_LOGGED_IN' || /already logged in|device lock/i.test(error.message))
  )
}

/** @param isReachable what the connectivity test said after a call without an answer */
export function loginFailure(error: unknown, isReachable: boolean): string {
  if (!(error instanceof ApiError)) return t('Login failed: {message}', { message: errorMessage(error) })
  if (isDeviceLocked(error)) return t('You are already logged in on another device')
  if (error.code === 'OFFLINE') return connectionFailure(error, isReachable)
  if (error.isWordless) return helped(t('Login failed with status {status}', { status: error.status }), error)
  return t('Login failed: {message}', { message: reasonOf(error) })
}

/** @param isReachable what the connectivity test said after a call without an answer */
export function resetFailure(error: unknown, isReachable: boolean): string {
  if (!(error instanceof ApiError)) return t('Reset failed: {message}', { message: errorMessage(error) })
  if (error.code === 'OFFLINE') return connectionFailure(error, isReachable)
  if (error.isWordless) {
    const message = t('Device reset failed with status {status}', { status: error.status })
    return helped(t('Reset failed: {message}', { message }), error)
  }
  return t('Reset failed: {message}', { message: reasonOf(error) })
}

export function registerFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return errorMessage(error)
  return error.isWordless
    ? helped(t('Register failed with status {status}', { status: error.status }), error)
    : reasonOf(error)
}

export function adminLoginFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return t('Invalid response from server')
  if (error.code === 'NOT_JSON') {
    return helped(
      error.details['isBroken'] ? t('Invalid response from server') : t('Server returned non-JSON response'),
      error,
    )
  }
  if (error.isWordless) return helped(t('Login failed'), error)
  if (error.code === 'TOTP_REQUIRED' || error.code === 'TOTP_INVALID') return error.message
  return t('Login failed: {message}', { message: error.message })
}

/** The specification's words for an answer that is not the store's, and what helps. */
function reasonOf(error: ApiError): string {
  if (error.code !== 'NOT_JSON') return error.message
  return error.details['isBroken']
    ? helped(t('Invalid response format from server'), error)
    : helped(t('Server returned HTML instead of JSON. Status: {status}', { status: error.status }), error)
}

const helped = (sentence: string, { message }: ApiError): string => `${t('{sentence}.', { sentence })} ${message}`

function connectionFailure(error: ApiError, isReachable: boolean): string {
  const message = isReachable ? t('the store is back online. Please try again.') : error.message
  return t('API connection failed: {message}', { message })
}

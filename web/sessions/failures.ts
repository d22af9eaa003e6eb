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
  if (error.isWordless) return t('Login failed with status {status}', { status: error.status })
  return t('Login failed: {message}', { message: error.message })
}

/** @param isReachable what the connectivity test said after a call without an answer */
export function resetFailure(error: unknown, isReachable: boolean): string {
  if (!(error instanceof ApiError)) return t('Reset failed: {message}', { message: errorMessage(error) })
  if (error.code === 'OFFLINE') return connectionFailure(error, isReachable)
  if (error.isWordless) {
    const message = t('Device reset failed with status {status}', { status: error.status })
    return t('Reset failed: {message}', { message })
  }
  return t('Reset failed: {message}', { message: error.message })
}

export function registerFailure(error: unknown): string {
  return error instanceof ApiError && error.isWordless
    ? t('Register failed with status {status}', { status: error.status })
    : errorMessage(error)
}

export function adminLoginFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return t('Invalid response from server')
  if (error.code === 'NOT_JSON') {
    const isBroken = error.message === t('Invalid response format from server')
    return isBroken ? t('Invalid response from server') : t('Server returned non-JSON response')
  }
  if (error.isWordless) return t('Login failed')
  if (error.code === 'TOTP_REQUIRED' || error.code === 'TOTP_INVALID') return error.message
  return t('Login failed: {message}', { message: error.message })
}

function connectionFailure(error: ApiError, isReachable: boolean): string {
  const message = isReachable ? t('the store is back online. Please try again.') : error.message
  return t('API connection failed: {message}', { message })
}

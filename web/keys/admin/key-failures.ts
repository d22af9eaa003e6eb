import { ApiError, errorMessage } from '../../platform/calls/api-error.ts'
import { t } from '../../platform/i18n.ts'

/** The specification's words, and the server's own reason where it has one. */
export const addFailure = (error: unknown): string => failure(error, t('Failed to add keys'))
export const deleteFailure = (error: unknown): string => failure(error, t('Failed to delete keys'))
export const undoFailure = (error: unknown): string => failure(error, t('Failed to undo batch'))

function failure(error: unknown, what: string): string {
  const isNetwork = error instanceof ApiError && error.code === 'OFFLINE'
  if (isNetwork) return t('Network error. Please try again.')
  return `${t('{sentence}.', { sentence: what })} ${errorMessage(error)}`
}

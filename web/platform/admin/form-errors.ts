import { ApiError, errorMessage } from '../calls/api-error.ts'

/** Codes that are about one field. */
const FIELD_OF: Partial<Record<ApiError['code'], string>> = { WRONG_PASSWORD: 'password', WRONG_CODE: 'totp' }

/** Returns the server's errors by field. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const field = FIELD_OF[error.code]
  return field === undefined ? error.fields : { ...error.fields, [field]: error.message }
}

/**
 * Returns the error to show over a form's buttons; undefined if each fault is already shown at its field.
 * A list that is shown shows the faults of its rows, such as "prices.0.price".
 */
export function formErrorOf(error: unknown, fieldsShown: readonly string[]): string | undefined {
  if (!error) return undefined
  const faulty = Object.keys(fieldErrorsOf(error))
  return faulty.length > 0 && faulty.every((field) => fieldsShown.includes(field.split('.')[0] ?? ''))
    ? undefined
    : errorMessage(error)
}

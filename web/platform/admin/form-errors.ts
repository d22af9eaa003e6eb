import { ApiError, errorMessage } from '../calls/api-error.ts'

/** Returns the server's errors by field. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  return error instanceof ApiError ? error.fields : {}
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

import { ApiError, errorMessage } from '../api-error.ts'

/** What the server says is wrong, by field. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  return error instanceof ApiError ? error.fields : {}
}

/** What is said over the buttons of a form; nothing where every fault already stands beside its field. */
export function formErrorOf(error: unknown, fieldsShown: readonly string[]): string | undefined {
  if (!error) return undefined
  const faulty = Object.keys(fieldErrorsOf(error))
  return faulty.length > 0 && faulty.every((field) => fieldsShown.includes(field)) ? undefined : errorMessage(error)
}

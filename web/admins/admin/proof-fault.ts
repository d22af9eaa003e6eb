import { ApiError } from '../../platform/calls/api-error.ts'

export function faultOf(error: unknown, code: 'WRONG_PASSWORD' | 'WRONG_CODE'): string | undefined {
  return error instanceof ApiError && error.code === code ? error.message : undefined
}

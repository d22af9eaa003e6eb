import type { RefusalCode } from '../../../contract/errors.ts'

/** Adds the browser's own codes to those of the contract. */
type LocalCode = 'OFFLINE' | 'NOT_JSON' | 'UNKNOWN'

interface ApiErrorParts {
  /** 0 if no answer arrived. */
  status: number
  code: RefusalCode | LocalCode
  message: string
  /** True if the answer had no message of its own and `message` is ours. */
  isWordless?: boolean
  /** Field name → its error. */
  fields?: Record<string, string>
  retryAfterMs?: number
  /** Other members of the answer, such as `shortfall` or `remainingHours`. */
  details?: Record<string, unknown>
}

/** Stands for any answer but a 2xx, or for none. `message` is fit to be shown. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: RefusalCode | LocalCode
  readonly isWordless: boolean
  readonly fields: Record<string, string>
  readonly retryAfterMs: number | undefined
  readonly details: Record<string, unknown>

  constructor(parts: ApiErrorParts) {
    super(parts.message)
    this.status = parts.status
    this.code = parts.code
    this.isWordless = parts.isWordless ?? false
    this.fields = parts.fields ?? {}
    this.retryAfterMs = parts.retryAfterMs
    this.details = parts.details ?? {}
  }

  /** True for a fault that passes: no network, or a server that is busy or starting. */
  get isPassing(): boolean {
    return this.code === 'OFFLINE' || isAway(this.status)
  }
}

/** True if the store does not answer at present. 511 is a network's own login, and 520 to 530 are Cloudflare's. */
export const isAway = (status: number): boolean => status > 501 && status !== 511

/** Returns the message for an error of any kind. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Tells callers what an error of the driver or the engine means for them. */
import pg from 'pg'
import { Refusal } from '../../../contract/errors.ts'
import { DatabaseTimeout } from './connecting/watchdog.ts'

export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** True if the driver gave up waiting. The statement's outcome is unknown, and the connection is unusable. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof DatabaseTimeout || (error instanceof Error && error.message === 'Query read timeout')
}

/** True for serialization failures and deadlocks. The engine rolled back, so a second try is right. */
export function isRetryable(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlState(error) ?? '')
}

/** True if the engine ended or is a standby now. The connection cannot be used again. */
const LEFT_STATES = [
  '25006', // read-only, because it is a standby now
  '57P01', // shut down by an administrator
  '57P02', // crashed
  '57P03', // starting up
]

export const hasLeft = (error: unknown): boolean => LEFT_STATES.includes(sqlState(error) ?? '')

const BUSY_STATES = [
  '55P03', // lock_timeout
  '57014', // statement_timeout
  '25P03', // idle_in_transaction_session_timeout
  '53100', // disk full
  '53200', // out of memory
  '53300', // too many connections
  ...LEFT_STATES,
]

/** Turns an error of a busy or absent database into a refusal. Returns every other error as it is. */
export function unavailable(error: unknown): unknown {
  if (error instanceof Refusal) return error
  const state = sqlState(error)
  const isBusy =
    isLost(error) ||
    (state !== undefined && (BUSY_STATES.includes(state) || state.startsWith('08') || isRetryable(error)))
  return isBusy ? busy(error) : error
}

/** True for the driver's own errors that say that there is no connection. */
export function isLost(error: unknown): boolean {
  if (error instanceof DatabaseTimeout) return true
  return (
    sqlState(error) === undefined &&
    error instanceof Error &&
    /ECONN|ENOENT|EPIPE|ETIMEDOUT|terminated|timeout exceeded|read timeout|Connection ended|not queryable/i.test(
      `${(error as NodeJS.ErrnoException).code} ${error.message}`,
    )
  )
}

export function busy(cause: unknown): Refusal {
  const refusal = new Refusal('SERVICE_UNAVAILABLE', { retryAfterMs: 1_000 })
  refusal.cause = cause
  return refusal
}

/** Errors that ended a transaction before its commit was sent. */
export const undone = new WeakSet<Error>()

/**
 * True if the transaction was certainly rolled back: the error came before the commit was sent, or from the engine
 * itself.
 */
export function wasRolledBack(error: unknown): boolean {
  if (error instanceof Error && undone.has(error)) return true
  const state = sqlState(error) ?? sqlState((error as Error | undefined)?.cause)
  return state !== undefined && !state.startsWith('08') && !state.startsWith('57P')
}

/** True if the error is a violation of the named constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.constraint === constraint
}

/** Refuses callers because this node has too much to do, or ends. The database has no part in it. */
import { Refusal } from '../../../contract/errors.ts'

/** Says in the log what was too much. Callers only read that the store is busy. */
export class Overload extends Error {}

/** @param what for the operator, as a line of the log */
export function overloaded(what: string, retryAfterMs?: number): Refusal {
  const refusal = new Refusal('SERVICE_UNAVAILABLE', retryAfterMs === undefined ? {} : { retryAfterMs })
  refusal.cause = new Overload(what)
  return refusal
}

import { ApiError } from '../platform/calls/api-error.ts'
import { client } from '../platform/calls/client.ts'

/**
 * True if the store can be reached (`/cors-test`), asked after a call without an answer. Always true after an answer.
 */
export async function reachesStore(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError) || error.code !== 'OFFLINE') return true
  return client.sessions.corsTest({}).then(
    () => true,
    () => false,
  )
}

import { ApiError } from '../platform/api-error.ts'
import { client } from '../platform/client.ts'

/** After a call that got no answer: whether the store can be reached at all (`/cors-test`). True after any answer. */
export async function reachesStore(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError) || error.code !== 'OFFLINE') return true
  return client.sessions.corsTest({}).then(
    () => true,
    () => false,
  )
}

/**
 * Files that the store writes while they are read:
 * `await download(files.orders.exportPurchases(filter), 'purchases.csv')`.
 * Loaded by the screens that have such a button.
 */
import type { Api } from '../../../contract/api.ts'
import { createClient, type Call } from '../../../contract/client.ts'
import { cured, ENDPOINTS, offline, refusalIn } from '../calls/client.ts'
import { saveBlob } from '../files/save-file.ts'

export const files = createClient<Api>(ENDPOINTS, (call) => cured(() => fetchFile(call)))

/** Saves a file only if all of it has arrived. */
export async function download(file: Promise<unknown>, name: string): Promise<void> {
  saveBlob(name, (await file) as Blob)
}

/** No time limit: a long list takes its time, and the person sees that it is on its way. */
async function fetchFile({ method, url, body, options }: Call): Promise<Blob> {
  const incomplete = (cause: unknown) => {
    if (options.signal?.aborted) throw cause
    throw offline()
  }
  const response = await fetch(`/api${url}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body }),
    ...options,
  }).catch(incomplete)
  // The login page of a network has no such header
  if (response.ok && response.headers.has('content-disposition')) return response.blob().catch(incomplete)
  throw await refusalIn(response, await response.json().catch(() => undefined), url)
}

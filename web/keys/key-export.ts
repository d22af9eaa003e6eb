import type { AdminKey } from '../../contract/keys.ts'
import { client } from '../platform/client.ts'
import { keysToCsv } from './key-csv.ts'
import type { KeyFilter } from './key-manager-queries.ts'
import { saveFile } from '../platform/save-file.ts'

/** As many as one call answers quickly. */
const KEYS_PER_CALL = 5_000

/** All keys of the filter as a CSV file, not only those of the page shown. */
export async function exportKeys(
  filter: KeyFilter,
  name: string,
  onProgress: (count: number) => void,
): Promise<number> {
  const keys: AdminKey[] = []
  for (;;) {
    const last = keys.at(-1)
    const found = await client.keys.list({ ...filter, limit: KEYS_PER_CALL, ...(last && { cursor: last._id }) })
    keys.push(...found)
    onProgress(keys.length)
    if (found.length < KEYS_PER_CALL) break
  }
  if (keys.length > 0) saveFile(name, 'text/csv', keysToCsv(keys))
  return keys.length
}

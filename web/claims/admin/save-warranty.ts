import type { KeyBatch } from '../../../contract/keys.ts'
import { download, files } from '../../platform/admin/download.ts'
import { t } from '../../platform/i18n.ts'
import { toast, toastError } from '../../platform/navigation/toast.ts'

const NAME = 'warranty.csv'

/** Saves the claimed keys of a batch, for its supplier. */
export async function saveWarranty({ _id }: Pick<KeyBatch, '_id'>): Promise<void> {
  try {
    await download(files.claims.warranty({ id: _id }), NAME)
    toast(t('{name} saved', { name: NAME }))
  } catch (error) {
    toastError(error)
  }
}

import { useState } from 'react'
import type { AdminKey, KeyBatch } from '../../../../contract/keys.ts'
import { ApiError } from '../../../platform/calls/api-error.ts'
import { useCall } from '../../../platform/calls/use-call.ts'
import { durationText, t } from '../../../platform/i18n.ts'
import { counted } from '../../../platform/money.ts'
import { toastUndo } from '../../../platform/admin/toast-undo.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { DeleteDialog } from '../../../ui/admin/forms/delete-dialog.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { deleteFailure, undoFailure } from '../key-failures.ts'
import { shortened } from './key-manager-columns.tsx'
import type { Place } from '../key-manager-queries.ts'

/** From this many keys on, the admin types a text before the deletion. */
const TYPE_TO_DELETE_FROM = 100

/** One key, which can come back. */
export function KeyDeletion({ row, ...dialog }: DialogProps & { row: AdminKey }) {
  const remove = useCall('keys.remove')
  const restore = useCall('keys.add')
  const { key, duration } = row
  const again = { productId: row.productId._id, duration, keys: [key], note: t('Restored after deletion') }
  return (
    <DeleteDialog
      {...dialog}
      title={t('Delete key {key}?', { key: shortened(row.key) })}
      failure={deleteFailure}
      action={async () => {
        await remove.mutateAsync({ id: row._id })
        toastUndo(
          t('Key deleted'),
          () => restore.mutateAsync(again),
          () => t('Key restored to stock'),
        )
      }}
    >
      <p>
        {t('{product}, {duration} will have one key fewer in stock.', {
          product: row.productId.name,
          duration: durationText(row.duration),
        })}
      </p>
    </DeleteDialog>
  )
}

/** All that is unsold of a place. */
export function AllKeysDeletion({ place, available, ...dialog }: DialogProps & { place: Place; available: number }) {
  const remove = useCall('keys.removeAll')
  const [count, setCount] = useState(available)
  const { productId, productName, duration } = place
  return (
    <DeleteDialog
      {...dialog}
      title={t('Delete all unsold keys of {product}, {duration}?', {
        product: productName,
        duration: durationText(duration),
      })}
      confirmLabel={t('Delete all')}
      failure={deleteFailure}
      {...(count >= TYPE_TO_DELETE_FROM && { typeToConfirm: duration })}
      does={String(count)}
      action={async () => {
        const { deletedCount } = await remove.mutateAsync(
          { productId, duration, expected: count },
          {
            onError(error) {
              if (error instanceof ApiError) setCount(Number(error.details['available'] ?? count))
            },
          },
        )
        if (deletedCount === 0) toast(t('There were no unsold keys to delete'), { tone: 'info' })
        else toast(t('{count, plural, one {# key deleted} other {{text} keys deleted}}', counted(deletedCount)))
      }}
    >
      <p>
        {t(
          '{count, plural, =0 {No keys} one {# key} other {{text} keys}} will be deleted permanently. Buyers ' +
            'will see OUT OF STOCK.',
          counted(count),
        )}
      </p>
      <p>{t('Sold keys are not affected. To keep a copy, export the keys first.')}</p>
    </DeleteDialog>
  )
}

/** Deletes a batch of which nothing was sold. */
export function BatchUndo({ batch, ...dialog }: DialogProps & { batch: KeyBatch }) {
  const undo = useCall('keys.undoBatch')
  const { productId, duration, left, supplier } = batch
  return (
    <DeleteDialog
      {...dialog}
      title={t('Undo this batch of {product}, {duration}?', {
        product: productId.name,
        duration: durationText(duration),
      })}
      confirmLabel={t('Undo batch')}
      failure={undoFailure}
      {...(left >= TYPE_TO_DELETE_FROM && { typeToConfirm: duration })}
      action={async () => {
        const { deletedCount } = await undo.mutateAsync({ id: batch._id })
        toast(t('{count, plural, one {# key removed} other {{text} keys removed}}', counted(deletedCount)))
      }}
    >
      <p>{t('{count, plural, one {# key} other {All {text} keys}} will be deleted from stock.', counted(left))}</p>
      {supplier && <p>{t('Supplier: {supplier}', { supplier })}</p>}
      <p>{t('If a buyer buys one of these keys first, the batch can’t be undone.')}</p>
    </DeleteDialog>
  )
}

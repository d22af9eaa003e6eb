import type { Product } from '../../../contract/catalogue.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { toastUndo } from '../../platform/admin/toast-undo.ts'
import { DeleteDialog } from '../../ui/admin/forms/delete-dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'

export function ProductDeletion({ product, ...dialog }: DialogProps & { product: Product }) {
  const remove = useCall('catalogue.remove')
  const restore = useCall('catalogue.restore')
  const { _id: id, name, available } = product
  return (
    <DeleteDialog
      {...dialog}
      title={t('Delete {name}?', { name })}
      action={async () => {
        await remove.mutateAsync({ id })
        toastUndo(
          t('{name} deleted', { name }),
          () => restore.mutateAsync({ id }),
          (restored) => t('{name} restored', { name: restored.name }),
        )
      }}
    >
      <p>
        {t(
          'This removes the product, its durations and custom prices from the store right away. You can undo it ' +
            'from the message that appears next.',
        )}
      </p>
      {available > 0 && (
        <p className="text-warn">
          {t(
            '{count, plural, one {# unsold key is} other {# unsold keys are}} kept but can’t be sold. To use ' +
              'them elsewhere, export keys first.',
            { count: available },
          )}
        </p>
      )}
      <p>{t('Buyers keep the keys they already bought.')}</p>
    </DeleteDialog>
  )
}

import type { SupplyLink, SupplySource } from '../../../contract/supply.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t, variantText } from '../../platform/i18n.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { DeleteDialog } from '../../ui/admin/forms/delete-dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'

export function SupplierRemoval({ link: { _id: id, name, kind }, ...dialog }: DialogProps & { link: SupplyLink }) {
  const change = useCall('supply.changeLink')
  return (
    <DeleteDialog
      {...dialog}
      title={t('Remove {name}?', { name })}
      confirmLabel={t('Remove')}
      action={async () => {
        await change.mutateAsync({ id, ended: true })
        toast(t('{name} removed', { name }))
      }}
    >
      <p>
        {kind === 'http'
          ? t('Nothing is bought there any more, and all keys stay. Orders without an answer are yours to settle.')
          : t('Nothing is bought there any more. Keys that are paid for still come, and all keys stay.')}
      </p>
    </DeleteDialog>
  )
}

export function SourceRemoval({ source, ...dialog }: DialogProps & { source: SupplySource }) {
  const remove = useCall('supply.removeSource')
  const name = variantText(source.productName, source.duration)
  return (
    <DeleteDialog
      {...dialog}
      title={t('Stop buying {name}?', { name })}
      confirmLabel={t('Stop buying')}
      action={async () => {
        await remove.mutateAsync({ priceId: source.priceId })
        toast(t('{name} is bought no longer', { name }))
      }}
    >
      <p>{t('Keys that are paid for still come, and all keys stay.')}</p>
    </DeleteDialog>
  )
}

import { supply, type SupplySource } from '../../../contract/supply.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t, variantText } from '../../platform/i18n.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { TextField, useForm } from '../../ui/admin/forms/use-form.tsx'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { marginText } from './margin-text.ts'

export function OrderNowDialog({ source, ...dialog }: DialogProps & { source: SupplySource }) {
  const { priceId, productName, duration, price, theirPrice } = source
  const form = useForm({
    dialog,
    start: { priceId, quantity: '1' },
    input: supply.order.input,
    save: useCall('supply.order'),
    send: ({ quantity }) => ({ priceId, quantity }),
    sendsUnchanged: true,
    onSaved: ({ number }) => toast(t('{number} is on the way', { number })),
  })
  return (
    <EditDialog
      {...form.dialog}
      title={t('Order {name} now', { name: variantText(productName, duration) })}
      {...(theirPrice !== undefined && { description: marginText(price, theirPrice) })}
      submitLabel={t('Order now')}
    >
      <TextField
        {...form.of('quantity')}
        label={t('Number of keys')}
        hint={t('They come into stock, also if there are enough.')}
        inputMode="numeric"
        data-autofocus
      />
    </EditDialog>
  )
}

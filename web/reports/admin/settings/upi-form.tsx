import { client } from '../../../platform/calls/client.ts'
import { t } from '../../../platform/i18n.ts'
import { calls } from '../../../platform/admin/roles.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { useUpi } from '../../../settings/use-upi.ts'
import { Field } from '../../../ui/fields/field.tsx'
import { Input } from '../../../ui/fields/input.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { CardError, failure, SettingsForm, useSettings } from '../../../ui/admin/forms/settings-form.tsx'
import { PayeeField } from './payee-field.tsx'

const UpiPreview = lazyPart(() => import('./upi-preview.tsx').then((file) => file.UpiPreview), {
  waiting: <Skeleton className="h-50" />,
  missing: 'line',
})

export function UpiForm() {
  const upi = useUpi()
  const form = useSettings({
    saved: upi.data,
    queryKey: ['settings', 'upi'],
    send: (typed: { upiId?: string; payeeName?: string }) => client.settings.saveUpi(typed),
    onSaved: (saved) =>
      toast(saved.upiId ? t('UPI ID saved. Buyers now pay to {upiId}.', { upiId: saved.upiId }) : t('UPI ID removed')),
  })
  const { save, texts, faults, field, change } = form
  const upiId = (texts.upiId ?? '').trim()
  // Another UPI ID has another name
  const isOfSaved = texts.payeeName === upi.data?.payeeName
  // Shown only at the field.
  const fault = faults['upiId']
  if (upi.error && !upi.data) return <CardError error={upi.error} onRetry={upi.refetch} />
  return (
    <div className="grid gap-3">
      <SettingsForm
        form={form}
        error={fault ? undefined : failure(t('Failed to update UPI ID.'), save.error)}
        call={calls.settings.saveUpi}
        label={t('Save UPI ID')}
      >
        <Field
          label={t('UPI ID')}
          hint={t('Buyers pay to this UPI ID, like name@bank. Leave empty to hide the QR code and payment link.')}
          error={fault && `${t('Failed to update UPI ID.')} ${fault}`}
        >
          <Input
            mono
            autoCapitalize="off"
            spellCheck={false}
            {...field('upiId')}
            onChange={({ target }) => change({ upiId: target.value, ...(isOfSaved && { payeeName: '' }) })}
          />
        </Field>
        <PayeeField error={faults['payeeName']} {...field('payeeName')} />
      </SettingsForm>
      {!fault && <UpiPreview upiId={upiId} />}
    </div>
  )
}

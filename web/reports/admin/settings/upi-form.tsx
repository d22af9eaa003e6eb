import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../platform/calls/client.ts'
import { t } from '../../../platform/i18n.ts'
import { calls } from '../../../platform/admin/roles.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { useUpi } from '../../../settings/use-upi.ts'
import { FormFoot } from '../../../ui/admin/forms/form-foot.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { Input } from '../../../ui/fields/input.tsx'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { Skeleton } from '../../../ui/page/skeleton.tsx'
import { CardError, failure, fieldFault } from '../../../ui/admin/forms/settings-form.tsx'

const UpiPreview = lazyPart(() => import('./upi-preview.tsx').then((file) => file.UpiPreview), {
  waiting: <Skeleton className="h-50" />,
  missing: 'line',
})

export function UpiForm() {
  const queries = useQueryClient()
  const upi = useUpi()
  const [typed, setTyped] = useState<string>()
  const upiId = typed ?? upi.data?.upiId ?? ''
  const save = useMutation({
    mutationFn: (next: string) => client.settings.saveUpi({ upiId: next }),
    onSuccess(saved, sent) {
      queries.setQueryData(['settings', 'upi'], saved)
      setTyped((now) => (now?.trim() === sent ? undefined : now))
      void queries.invalidateQueries({ queryKey: ['reports', 'overview'] })
      toast(saved.upiId ? t('UPI ID saved. Buyers now pay to {upiId}.', { upiId: saved.upiId }) : t('UPI ID removed'))
    },
  })
  // Shown only at the field.
  const fault = fieldFault(save.error, 'upiId')
  if (upi.error && !upi.data) return <CardError error={upi.error} onRetry={upi.refetch} />
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) save.mutate(upiId.trim())
      }}
    >
      <Field
        label={t('UPI ID')}
        hint={t('Buyers pay to this UPI ID, like name@bank. Leave empty to hide the QR code and payment link.')}
        error={fault && `${t('Failed to update UPI ID.')} ${fault}`}
      >
        <Input
          mono
          value={upiId}
          disabled={!upi.data}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => {
            setTyped(event.target.value)
            if (save.isError) save.reset()
          }}
        />
      </Field>
      <FormFoot
        error={fault ? undefined : failure(t('Failed to update UPI ID.'), save.error)}
        pending={save.isPending}
        call={calls.settings.saveUpi}
        isChanged={typed !== undefined && upiId.trim() !== upi.data?.upiId}
      >
        {t('Save UPI ID')}
      </FormFoot>
      {!fault && <UpiPreview upiId={upiId.trim()} />}
    </form>
  )
}

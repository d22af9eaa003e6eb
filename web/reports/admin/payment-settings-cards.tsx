/** Settings cards for the UPI ID and the payments switch. */
import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../platform/client.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { toast } from '../../platform/toast.ts'
import { useUpi } from '../../settings/use-upi.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/admin/switch.tsx'
import { useSentinel } from '../../ui/use-sentinel.ts'
import { CardError, failure, fieldFault } from '../../settings/admin/settings-form.tsx'

const UpiPreview = lazyPart(() => import('./upi-preview.tsx').then((file) => file.UpiPreview), {
  waiting: <Skeleton className="h-50" />,
  missing: 'line',
})

/** The id to which a link can lead. */
export const UPI_CARD = 'upi-id'

export function UpiCard() {
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
  if (upi.error && !upi.data) return <CardError error={upi.error} onRetry={upi.refetch} />
  return (
    <Panel
      id={UPI_CARD}
      className="scroll-mt-20"
      title={t('UPI ID')}
      description={t('Buyers pay to this UPI ID. Scan the code with your own phone to check it.')}
    >
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) save.mutate(upiId.trim())
        }}
      >
        <Field
          label={t('UPI ID')}
          hint={t('For example, name@bank. Leave empty to hide the QR code and payment link.')}
          error={fieldFault(save.error, 'upiId')}
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
        <FormError>{failure(t('Failed to update UPI ID.'), save.error)}</FormError>
        <Button
          type="submit"
          className="justify-self-start"
          pending={save.isPending}
          denied={denied(calls.settings.saveUpi)}
          disabled={typed === undefined || upiId.trim() === upi.data?.upiId}
        >
          {t('Save UPI ID')}
        </Button>
        <Preview upiId={upiId.trim()} />
      </form>
    </Panel>
  )
}

/** The code is made when it comes near the screen: it takes a phone longer than all the rest of the panel's start. */
function Preview({ upiId }: { upiId: string }) {
  const [isNear, setNear] = useState(false)
  const place = useSentinel(() => setNear(true))
  return <div ref={place}>{isNear ? <UpiPreview upiId={upiId} /> : <Skeleton className="h-50" />}</div>
}

export function PaymentSwitchCard() {
  const queries = useQueryClient()
  const upi = useUpi()
  const save = useMutation({
    mutationFn: (paymentEnabled: boolean) => client.settings.saveUpi({ paymentEnabled }),
    onSuccess(saved) {
      queries.setQueryData(['settings', 'upi'], saved)
      toast(saved.paymentEnabled ? t('Payments are ON') : t('Payments are OFF'))
    },
  })
  if (upi.error && !upi.data) return <CardError error={upi.error} onRetry={upi.refetch} />
  const isOn = save.isPending ? save.variables : upi.data?.paymentEnabled
  return (
    <Panel
      title={t('Payments')}
      actions={isOn !== undefined && <Chip tone={isOn ? 'ok' : 'warn'}>{isOn ? t('ON') : t('OFF')}</Chip>}
    >
      {isOn === undefined ? (
        <Loading>
          <Skeleton className="h-11" />
        </Loading>
      ) : (
        <Switch
          label={t('Accept payments')}
          hint={
            isOn
              ? t('Buyers can add money to their wallets.')
              : t('Buyers see “The admin is offline” and can’t add money.')
          }
          checked={isOn}
          disabled={save.isPending}
          denied={denied(calls.settings.saveUpi)}
          onChange={(next) => save.mutate(next)}
        />
      )}
      <div className="mt-2 empty:hidden">
        {save.error && <FormError>{failure(t('Failed to update payment status.'), save.error)}</FormError>}
      </div>
    </Panel>
  )
}

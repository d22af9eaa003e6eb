import { useQueryClient } from '@tanstack/react-query'
import { client } from '../../../platform/calls/client.ts'
import { useChange } from '../../../platform/calls/use-call.ts'
import { calls, denied } from '../../../platform/admin/roles.ts'
import { t } from '../../../platform/i18n.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { CardError, failure } from '../../../ui/admin/forms/settings-form.tsx'
import { useUpi } from '../../../settings/use-upi.ts'
import { Switch } from '../../../ui/admin/forms/switch.tsx'
import { Chip } from '../../../ui/chip.tsx'
import { cx } from '../../../ui/cx.ts'
import { FormError } from '../../../ui/fields/form-error.tsx'
import { Loading, Skeleton } from '../../../ui/page/skeleton.tsx'

/** Turns payments on and off with one tap from the dashboard. */
export function PaymentSwitch({ className }: { className?: string }) {
  const queries = useQueryClient()
  const upi = useUpi()
  const save = useChange('settings', (paymentEnabled: boolean) => client.settings.saveUpi({ paymentEnabled }), {
    onSuccess(saved) {
      queries.setQueryData(['settings', 'upi'], saved)
      toast(saved.paymentEnabled ? t('Payments are ON') : t('Payments are OFF'))
    },
  })
  if (upi.error && !upi.data) return <CardError error={upi.error} onRetry={upi.refetch} />
  const isOn = save.isPending ? save.variables : upi.data?.paymentEnabled
  return (
    <div className={cx('grid content-center rounded-card border border-line bg-surface px-4 py-2.5', className)}>
      {isOn === undefined ? (
        <Loading>
          <Skeleton className="h-11" />
        </Loading>
      ) : (
        <Switch
          label={
            <span className="flex items-center gap-x-2 text-base large-text:flex-wrap font-semibold">
              {t('Accept payments')}
              {(!isOn || upi.data?.upiId) && (
                <span aria-hidden>
                  <Chip tone={isOn ? 'ok' : 'warn'}>{isOn ? t('ON') : t('OFF')}</Chip>
                </span>
              )}
            </span>
          }
          hint={
            isOn
              ? upi.data?.upiId
                ? t('Buyers can add money to their wallets.')
                : t('Payments can’t start yet. Add your UPI ID.')
              : t('Buyers see “The admin is offline” and can’t add money.')
          }
          checked={isOn}
          disabled={save.isPending}
          denied={denied(calls.settings.saveUpi)}
          onChange={(next) => save.mutate(next)}
        />
      )}
      <div className="empty:hidden">
        {save.error && <FormError>{failure(t('Failed to update payment status.'), save.error)}</FormError>}
      </div>
    </div>
  )
}

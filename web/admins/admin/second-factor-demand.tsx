import { useQueryClient } from '@tanstack/react-query'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { client } from '../../platform/calls/client.ts'
import { useChange } from '../../platform/calls/use-call.ts'
import { useStoreSettings } from '../../ui/admin/forms/settings-form.tsx'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { refreshAdmin, useSession } from '../../platform/session/session.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { Panel } from '../../ui/page/panel.tsx'
import { confirm } from '../../ui/overlays/confirm.ts'
import { FormError } from '../../ui/fields/form-error.tsx'
import { Switch } from '../../ui/admin/forms/switch.tsx'

/** A switch that makes two-step verification compulsory for all admins. */
export function SecondFactorDemand() {
  const queries = useQueryClient()
  const { admin } = useSession()
  const settings = useStoreSettings()
  const send = (secondFactorRequired: boolean) => client.settings.saveStore({ secondFactorRequired })
  const save = useChange('settings', send, {
    async onSuccess(saved) {
      queries.setQueryData(['settings', 'store'], saved)
      toast(
        saved.secondFactorRequired
          ? t('Two-step verification is now required for all admins')
          : t('Two-step verification is now optional'),
      )
      await refreshAdmin()
    },
  })
  const change = async (isWanted: boolean) => {
    const isSure =
      !isWanted ||
      admin?.hasSecondFactor ||
      (await confirm({
        title: t('Require two-step verification for all admins?'),
        body: t('You haven’t set it up yourself. You’ll do that first and then come back here.'),
        confirmLabel: t('Require it'),
      }))
    if (isSure) save.mutate(isWanted)
  }
  const isOn = save.isPending ? save.variables : settings.data?.secondFactorRequired
  return (
    <Panel title={t('Two-step verification')} className="mt-4 sm:mt-6">
      <Switch
        label={t('Require two-step verification for all admins')}
        hint={t('Admins must set it up before they can do anything else.')}
        checked={isOn ?? false}
        disabled={isOn === undefined || save.isPending}
        denied={denied(calls.settings.saveStore)}
        onChange={(isWanted) => void change(isWanted)}
      />
      <div className="mt-2 empty:hidden">{save.error && <FormError>{errorMessage(save.error)}</FormError>}</div>
    </Panel>
  )
}

import { ask } from '../../../contract/panel-pages.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { client } from '../../platform/calls/client.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { CardError, failure, SettingsForm, useSettings } from '../../ui/admin/forms/settings-form.tsx'
import { Switch } from '../../ui/admin/forms/switch.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { Panel } from '../../ui/page/panel.tsx'

const settings = ask('waiting', 'settings', {})

/** Section of the settings: whether the store buys for buyers who wait, and how long the supplier takes. */
export function WaitingSection() {
  const saved = usePanel(settings)
  const form = useSettings({
    saved: saved.data,
    queryKey: settings.key,
    send: (typed: { autoBuy?: boolean; leadDays?: string }) => client.waiting.saveSettings(typed),
    onSaved: () => toast(t('Settings saved')),
  })
  const { save, texts, faults, change, field } = form
  if (saved.error && !saved.data) return <CardError error={saved.error} onRetry={saved.refetch} />
  return (
    <Panel title={t('Waiting list')} description={t('Buyers can wait for a duration that is out of stock.')}>
      <SettingsForm
        form={form}
        error={failure(t('Failed to save settings.'), save.error)}
        call={calls.waiting.saveSettings}
        label={t('Save settings')}
        className="items-start gap-3 sm:grid-cols-2"
      >
        <Switch
          label={t('Auto-buy for waiting buyers')}
          hint={t('Buyers can let us buy new keys for them, up to an amount they choose. First come, first served.')}
          checked={texts.autoBuy ?? false}
          disabled={!saved.data}
          denied={denied(calls.waiting.saveSettings)}
          onChange={(autoBuy) => change({ autoBuy })}
          className="sm:col-span-2"
        />
        <Field
          label={t('Your supplier takes (days)')}
          hint={t('Days between ordering keys and receiving them')}
          error={faults['leadDays']}
        >
          <Input inputMode="numeric" {...field('leadDays')} />
        </Field>
      </SettingsForm>
    </Panel>
  )
}

import { Hourglass } from 'lucide-react'
import { ask } from '../../../contract/panel-pages.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { client } from '../../platform/calls/client.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { failure, SettingsForm, useSettings } from '../../ui/admin/forms/settings-form.tsx'
import { Switch } from '../../ui/admin/forms/switch.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Row } from '../../ui/page/row.tsx'

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
  return (
    <Row
      icon={<Hourglass size={18} aria-hidden />}
      label={t('Waiting list')}
      value={saved.data ? (saved.data.autoBuy ? t('Auto-buy is on') : t('Auto-buy is off')) : saved.error ? '' : '…'}
    >
      {saved.error && !saved.data && <ErrorState error={saved.error} onRetry={saved.refetch} className="py-6" />}
      <p className="mb-3 text-sm text-fg-2">{t('Buyers can wait for a duration that is out of stock.')}</p>
      <SettingsForm
        form={form}
        error={failure(t('Failed to save settings.'), save.error)}
        call={calls.waiting.saveSettings}
        label={t('Save')}
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
    </Row>
  )
}

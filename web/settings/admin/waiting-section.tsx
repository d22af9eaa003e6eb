import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WaitingSettings } from '../../../contract/waiting.ts'
import { client } from '../../platform/calls/client.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import { queryClient } from '../../platform/calls/queries.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { CardError, failure, fieldFault, typedSince } from '../../ui/admin/forms/settings-form.tsx'
import { FormFoot } from '../../ui/admin/forms/form-foot.tsx'
import { Switch } from '../../ui/admin/forms/switch.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { Panel } from '../../ui/page/panel.tsx'

const KEY = ['settings', 'waiting']

/** The changed fields. */
type Typed = { autoBuy?: boolean; leadDays?: string }

/** Section of the settings: whether the store buys for buyers who wait, and how long the supplier takes. */
export function WaitingSection() {
  const saved = useQuery({ queryKey: KEY, queryFn: ({ signal }) => client.waiting.settings({}, { signal }) })
  const [typed, setTyped] = useState<Typed>({})
  const save = useMutation({
    mutationFn: (change: Typed) => client.waiting.saveSettings(change),
    onSuccess(answer, sent) {
      queryClient.setQueryData<WaitingSettings>(KEY, answer)
      void queryClient.invalidateQueries({ queryKey: ['settings'] })
      setTyped((now) => typedSince(now, sent))
      toast(t('Settings saved'))
    },
  })
  if (saved.error && !saved.data) return <CardError error={saved.error} onRetry={saved.refetch} />
  const change = (part: Typed) => {
    setTyped({ ...typed, ...part })
    if (save.isError) save.reset()
  }
  return (
    <Panel title={t('Waiting list')} description={t('Buyers can wait for a duration that is out of stock.')}>
      <form
        className="grid items-start gap-3 sm:grid-cols-2"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) save.mutate(typed)
        }}
      >
        <Switch
          label={t('Auto-buy for waiting buyers')}
          hint={t('Buyers can let us buy new keys for them, up to an amount they choose. First come, first served.')}
          checked={typed.autoBuy ?? saved.data?.autoBuy ?? false}
          disabled={!saved.data}
          denied={denied(calls.waiting.saveSettings)}
          onChange={(autoBuy) => change({ autoBuy })}
          className="sm:col-span-2"
        />
        <Field
          label={t('Supplier’s lead time (days)')}
          hint={t('Days between ordering keys and receiving them.')}
          error={fieldFault(save.error, 'leadDays')}
        >
          <Input
            inputMode="numeric"
            autoComplete="off"
            className="tabular"
            value={typed.leadDays ?? String(saved.data?.leadDays ?? '')}
            disabled={!saved.data}
            onChange={(event) => change({ leadDays: event.target.value })}
          />
        </Field>
        <FormFoot
          error={failure(t('Failed to save settings.'), save.error)}
          pending={save.isPending}
          call={calls.waiting.saveSettings}
          isChanged={Object.keys(typed).length > 0}
        >
          {t('Save settings')}
        </FormFoot>
      </form>
    </Panel>
  )
}

import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ChannelState, OwnChat } from '../../../contract/messages.ts'
import { ask } from '../../../contract/panel-pages.ts'
import { kindOf, KIND_NAMES } from '../../../contract/message-kinds.ts'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { client } from '../../platform/calls/client.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { t } from '../../platform/i18n.ts'
import { queryClient } from '../../platform/calls/queries.ts'
import { toast, toastError } from '../../platform/navigation/toast.ts'
import { fieldErrorsOf } from '../../platform/admin/form-errors.ts'
import { failure, SettingsForm } from '../../ui/admin/forms/settings-form.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { Panel } from '../../ui/page/panel.tsx'
import { Switch } from '../../ui/admin/forms/switch.tsx'

export const channelsQuery = ask('messages', 'channels', {})
export interface Channels {
  channels: ChannelState[]
  chat?: OwnChat | undefined
}

type ChannelChange = Parameters<typeof client.messages.saveChannel>[0]

/** Saves a part of a channel, and shows what the store answers. */
export function useSaveChannel() {
  return useMutation({
    mutationFn: (change: ChannelChange) => client.messages.saveChannel(change),
    onSuccess(saved) {
      queryClient.setQueryData<Channels>(channelsQuery.key, (known) => ({
        ...known,
        channels: (known?.channels ?? []).map((each) => (each.name === saved.name ? saved : each)),
      }))
      // What is off is not offered
      void queryClient.invalidateQueries({ queryKey: ['messages', 'choices'] })
      toast(t('Settings saved'))
    },
  })
}

interface ChannelFormProps {
  /** What is saved. Its fields are empty until something was typed. */
  change: ChannelChange
  isTyped: boolean
  onSaved: () => void
  className?: string
  /** @param fault is what the store says of a field */
  children: (fault: (name: string) => string | undefined) => ReactNode
}

/** A channel's own settings, with one button. */
export function ChannelForm({ change, isTyped, onSaved, className, children }: ChannelFormProps) {
  const save = useSaveChannel()
  return (
    <SettingsForm
      form={{ save, isChanged: isTyped, submit: () => isTyped && save.mutate(change, { onSuccess: onSaved }) }}
      error={failure(t('Failed to save settings.'), save.error)}
      call={calls.messages.saveChannel}
      label={t('Save')}
      onChange={() => save.isError && save.reset()}
      className={cx('items-start gap-3', className)}
    >
      {children((name) => fieldErrorsOf(save.error)[name])}
    </SettingsForm>
  )
}

interface ChannelCardProps {
  channel: ChannelState
  title: string
  description: string
  children?: ReactNode
}

export function ChannelCard({ channel, title, description, children }: ChannelCardProps) {
  const save = useSaveChannel()
  const { name, isOn, isSet, error } = channel
  return (
    <Panel title={title} description={description} actions={<StateChip {...channel} />}>
      <div className="grid gap-3">
        {children}
        <Switch
          label={t('Send notifications')}
          hint={isSet ? undefined : t('Fill in the form first.')}
          checked={isOn}
          disabled={save.isPending || (!isSet && !isOn)}
          denied={denied(calls.messages.saveChannel)}
          onChange={(on) => save.mutate({ name, isOn: on }, { onError: toastError })}
        />
        {isOn && error && <p className="text-sm wrap-anywhere text-bad">{t(error)}</p>}
        {isOn && <TestButton channel={channel} />}
      </div>
    </Panel>
  )
}

function StateChip({ isOn, isSet, error }: ChannelState) {
  if (isOn) return error ? <Chip tone="bad">{t('Not working')}</Chip> : <Chip tone="ok">{t('On')}</Chip>
  return <Chip tone="outline">{isSet ? t('Off') : t('Not set up')}</Chip>
}

/** Sends a real event's words, because a made-up test says little. */
function TestButton({ channel: { name } }: { channel: ChannelState }) {
  const kinds = KIND_NAMES.filter((kind) => kindOf(kind).channels.includes(name))
  const test = useCall('messages.testChannel')
  const result = test.data
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        variant="secondary"
        size="sm"
        icon={<Send size={16} aria-hidden />}
        pending={test.isPending}
        denied={denied(calls.messages.testChannel)}
        onClick={() => test.mutate({ name, kind: kinds[0] ?? KIND_NAMES[0] })}
      >
        {t('Send test')}
      </Button>
      <output className={result?.state === 'sent' ? 'text-sm text-ok' : 'text-sm wrap-anywhere text-warn'}>
        {result && t(result.state === 'sent' ? 'Sent. Check your phone or mailbox.' : (result.error ?? ''))}
        {test.error && errorMessage(test.error)}
      </output>
    </div>
  )
}

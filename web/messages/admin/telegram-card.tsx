import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChannelState } from '../../../contract/messages.ts'
import { errorMessage } from '../../platform/api-error.ts'
import { client } from '../../platform/client.ts'
import { t } from '../../platform/i18n.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { failure, fieldFault } from '../../settings/admin/settings-form.tsx'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'
import { ChannelCard, useSaveChannel } from './channel-card.tsx'

/** Messages to admins by a bot of the store's own. */
export function TelegramCard({ channel }: { channel: ChannelState }) {
  const [botToken, setToken] = useState('')
  const save = useSaveChannel()
  const bot = typeof channel.facts['bot'] === 'string' ? channel.facts['bot'] : undefined
  return (
    <ChannelCard
      channel={channel}
      title={t('Telegram')}
      description={t('Admins hear of a new top-up request in a private chat with your own bot.')}
    >
      <form
        className="grid items-start gap-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) save.mutate({ name: 'telegram', botToken }, { onSuccess: () => setToken('') })
        }}
      >
        <Field
          label={t('Bot token')}
          hint={bot ? t('Your bot is @{bot}.', { bot }) : t('Write to @BotFather in Telegram: /newbot')}
          error={fieldFault(save.error, 'botToken')}
        >
          <Input
            mono
            autoComplete="off"
            spellCheck={false}
            value={botToken}
            onChange={(event) => setToken(event.target.value)}
          />
        </Field>
        <div className="empty:hidden">
          {save.error && <FormError>{failure(t('Failed to save settings.'), save.error)}</FormError>}
        </div>
        <Button
          type="submit"
          className="justify-self-start"
          pending={save.isPending}
          denied={denied(calls.messages.saveChannel)}
          disabled={botToken.trim() === ''}
        >
          {t('Save')}
        </Button>
      </form>
      {channel.isOn && <ChatLink bot={bot ?? ''} />}
    </ChannelCard>
  )
}

/** Links the admin's own chat by a code. */
function ChatLink({ bot }: { bot: string }) {
  const link = useMutation({ mutationFn: () => client.messages.linkTelegram({}) })
  const unlink = useMutation({ mutationFn: () => client.messages.unlinkTelegram({}) })
  const error = link.error ?? unlink.error
  return (
    <div className="grid gap-2 text-sm">
      {link.data && (
        <>
          <p>{t('Send this code to @{bot} in Telegram within 10 minutes:', { bot })}</p>
          <Copyable text={link.data.code} what={t('Code')} />
        </>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          size="sm"
          pending={link.isPending}
          denied={denied(calls.messages.linkTelegram)}
          onClick={() => link.mutate()}
        >
          {t('Link my chat')}
        </Button>
        <Button variant="ghost" size="sm" pending={unlink.isPending} onClick={() => unlink.mutate()}>
          {unlink.isSuccess ? t('Unlinked') : t('Unlink my chats')}
        </Button>
      </div>
      {error && <FormError>{errorMessage(error)}</FormError>}
    </div>
  )
}

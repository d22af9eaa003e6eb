import { useState } from 'react'
import { COUNTDOWN_INTERVAL_MS } from '../../../contract/limits.ts'
import { DAY_MS } from '../../../contract/time.ts'
import { DECIDE_PER_DAY, DECIDE_UP_TO } from '../../../contract/review-requests.ts'
import type { ChannelState, OwnChat } from '../../../contract/messages.ts'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { useNow } from '../../platform/clock.ts'
import { t } from '../../platform/i18n.ts'
import { queryClient } from '../../platform/calls/queries.ts'
import { toastError } from '../../platform/navigation/toast.ts'
import { usePanel } from '../../platform/admin/panel-query.ts'
import { calls, denied } from '../../platform/admin/roles.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Copyable } from '../../ui/buttons/copyable.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { Input } from '../../ui/fields/input.tsx'
import { Switch } from '../../ui/admin/forms/switch.tsx'
import { textWith } from '../../ui/text-with.tsx'
import { Time } from '../../ui/time.tsx'
import { ChannelCard, ChannelForm, channelsQuery, useSaveChannel, type Channels } from './channel-card.tsx'
import { textOf } from './email-card.tsx'

/** Messages to admins by a bot of the store's own. */
export function TelegramCard({ channel, chat }: { channel: ChannelState; chat: OwnChat | undefined }) {
  const [botToken, setToken] = useState('')
  const bot = typeof channel.facts['bot'] === 'string' ? channel.facts['bot'] : undefined
  return (
    <ChannelCard
      channel={channel}
      title={t('Telegram')}
      description={t('Admins get new top-up requests in a private chat with your own bot.')}
    >
      <ChannelForm
        change={{ name: 'telegram', botToken }}
        isTyped={botToken.trim() !== ''}
        onSaved={() => setToken('')}
      >
        {(fault) => (
          <Field
            label={t('Bot token')}
            hint={bot ? t('Your bot is @{bot}.', { bot }) : t('In Telegram, send /newbot to @BotFather.')}
            error={fault('botToken')}
          >
            <Input
              mono
              autoComplete="off"
              spellCheck={false}
              value={botToken}
              onChange={(event) => setToken(event.target.value)}
            />
          </Field>
        )}
      </ChannelForm>
      {channel.isOn && <ChatLink bot={bot ?? ''} chat={chat} />}
      {channel.isOn && <Decisions channel={channel} />}
    </ChannelCard>
  )
}

/** Lets admins decide on small requests by a tap. Off until the owner allows it. */
function Decisions({ channel: { facts } }: { channel: ChannelState }) {
  const save = useSaveChannel()
  const [typed, setTyped] = useState<{ decideUpTo?: string; decidePerDay?: string }>({})
  const isOn = facts['decide'] === true
  const amount = (name: 'decideUpTo' | 'decidePerDay', fallback: number) => ({
    inputMode: 'decimal' as const,
    value: typed[name] ?? (textOf(facts[name]) || String(fallback)),
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
  })
  return (
    <>
      <Switch
        label={t('Approve and reject in Telegram')}
        hint={t('Approve or reject small requests in two taps. Requests with warnings open in the panel.')}
        checked={isOn}
        disabled={save.isPending}
        denied={denied(calls.messages.saveChannel)}
        onChange={(decide) => save.mutate({ name: 'telegram', decide }, { onError: toastError })}
      />
      {isOn && (
        <ChannelForm
          change={{ name: 'telegram', ...typed }}
          isTyped={Object.keys(typed).length > 0}
          onSaved={() => setTyped({})}
          className="sm:grid-cols-2"
        >
          {(fault) => (
            <>
              <Field label={t('Limit per request (₹)')} error={fault('decideUpTo')}>
                <Input {...amount('decideUpTo', DECIDE_UP_TO)} />
              </Field>
              <Field label={t('Limit per admin per day (₹)')} error={fault('decidePerDay')}>
                <Input {...amount('decidePerDay', DECIDE_PER_DAY)} />
              </Field>
            </>
          )}
        </ChannelForm>
      )}
    </>
  )
}

/** Links the admin's own chat by a code, and shows until when it is linked. */
function ChatLink({ bot, chat }: { bot: string; chat: OwnChat | undefined }) {
  const link = useCall('messages.linkTelegram')
  const renew = useCall('messages.renewTelegram', { onSuccess: (renewed) => keepChat(renewed) })
  const unlink = useCall('messages.unlinkTelegram', { onSuccess: () => keepChat(undefined) })
  const now = useNow(COUNTDOWN_INTERVAL_MS)
  const isLinked = chat !== undefined && Date.parse(chat.expiresAt) > now
  const isWaiting = link.isSuccess && !isLinked
  // The code is sent in another app
  usePanel(channelsQuery, { refetchInterval: isWaiting ? LINK_LOOK_MS : false })
  const error = link.error ?? renew.error ?? unlink.error
  return (
    <div className="grid gap-2 text-sm">
      {chat && <Until chat={chat} now={now} />}
      {isWaiting && (
        <>
          <p>{t('Send this code to @{bot} in Telegram within 10 minutes:', { bot })}</p>
          <Copyable text={link.data.code} what={t('Code')} />
        </>
      )}
      <div className="flex flex-wrap gap-2">
        {isLinked ? (
          <>
            <Button
              variant="secondary"
              size="sm"
              pending={renew.isPending}
              denied={denied(calls.messages.renewTelegram)}
              onClick={() => renew.mutate()}
            >
              {t('Renew')}
            </Button>
            <Button variant="ghost" size="sm" pending={unlink.isPending} onClick={() => unlink.mutate()}>
              {t('Unlink my chats')}
            </Button>
          </>
        ) : (
          <Button
            variant="secondary"
            size="sm"
            pending={link.isPending}
            denied={denied(calls.messages.linkTelegram)}
            onClick={() => link.mutate()}
          >
            {t('Link my chat')}
          </Button>
        )}
      </div>
      {error && <FormError>{errorMessage(error)}</FormError>}
    </div>
  )
}

const LINK_LOOK_MS = 3_000
/** The store sends a message from then on. */
const SOON_MS = 7 * DAY_MS

function keepChat(chat: OwnChat | undefined): void {
  queryClient.setQueryData<Channels>(channelsQuery.key, (known) => known && { ...known, chat })
}

function Until({ chat: { expiresAt }, now }: { chat: OwnChat; now: number }) {
  const left = Date.parse(expiresAt) - now
  const end = { end: <Time value={expiresAt} format="date" /> }
  if (left <= 0) return <p className="text-bad">{textWith('Your chat’s link ended on {end}.', end)}</p>
  return (
    <p className={left > SOON_MS ? 'text-fg-2' : 'text-warn'}>{textWith('Your chat is linked until {end}.', end)}</p>
  )
}

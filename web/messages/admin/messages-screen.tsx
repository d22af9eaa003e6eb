import { usePanel } from '../../platform/admin/panel-query.ts'
import { t } from '../../platform/i18n.ts'
import { Loaded } from '../../ui/page/loaded.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { ChoiceList } from '../choice-list.tsx'
import { channelsQuery, type Channels, ChannelCard } from './channel-card.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { EmailCard } from './email-card.tsx'
import { TelegramCard } from './telegram-card.tsx'
import type { ChannelState } from '../../../contract/messages.ts'
import { PhoneList } from '../phone-list.tsx'
import { PushSwitch } from '../push-switch.tsx'

/** How the store reaches people: the channels, the admin's choices, and what was sent. */
export function MessagesScreen() {
  const channels = usePanel(channelsQuery)
  return (
    <Page title={t('Notifications')} hideTitle>
      <div className="mx-auto grid max-w-180 grid-cols-1 gap-4 sm:gap-6">
        <Loaded query={channels} skeleton="h-40">
          {(known) => <Cards {...known} />}
        </Loaded>
        {!channels.isPending && (
          <>
            <Panel
              title={t('Your notifications')}
              description={t('Choose for yourself. Other admins choose their own.')}
            >
              <ChoiceList as="admin" />
            </Panel>
            <DeliveryLog />
          </>
        )}
      </div>
    </Page>
  )
}

function Cards({ channels, chat }: Channels) {
  const of = (name: 'push' | 'email' | 'telegram') => channels.find((channel) => channel.name === name)
  const [push, email, telegram] = [of('push'), of('email'), of('telegram')]
  return (
    <>
      {push && <PushCard channel={push} />}
      {telegram && <TelegramCard channel={telegram} chat={chat} />}
      {email && <EmailCard channel={email} />}
    </>
  )
}

/** Messages to phones and computers on which somebody turned them on. Needs nothing to be set up. */
function PushCard({ channel }: { channel: ChannelState }) {
  return (
    <ChannelCard
      channel={channel}
      title={t('Phone notifications')}
      description={t(
        'You get new top-up requests, and buyers get your decisions. It’s free. On an iPhone, first add ' +
          'the store to the Home Screen.',
      )}
    >
      {channel.isOn && (
        <>
          <PushSwitch as="admin" />
          <PhoneList as="admin" />
        </>
      )}
    </ChannelCard>
  )
}

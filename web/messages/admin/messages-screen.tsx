import { useQuery } from '@tanstack/react-query'
import { t } from '../../platform/i18n.ts'
import { Loaded } from '../../ui/page/loaded.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { ChoiceList } from '../choice-list.tsx'
import { channelsQuery, type Channels } from './channel-card.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { EmailCard } from './email-card.tsx'
import { PushCard } from './push-card.tsx'
import { TelegramCard } from './telegram-card.tsx'

/** How the store reaches people: the channels, the admin's choices, and what was sent. */
export function MessagesScreen() {
  const channels = useQuery(channelsQuery())
  return (
    <Page title={t('Messages')} hideTitle>
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

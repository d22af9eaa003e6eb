import type { ChannelState } from '../../../contract/messages.ts'
import { t } from '../../platform/i18n.ts'
import { PhoneList } from '../phone-list.tsx'
import { PushSwitch } from '../push-switch.tsx'
import { ChannelCard } from './channel-card.tsx'

/** Messages to phones and computers on which somebody turned them on. Needs nothing to be set up. */
export function PushCard({ channel }: { channel: ChannelState }) {
  return (
    <ChannelCard
      channel={channel}
      title={t('Phone messages')}
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

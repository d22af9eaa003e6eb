import { useQuery } from '@tanstack/react-query'
import { client } from '../platform/calls/client.ts'
import { t } from '../platform/i18n.ts'
import { Panel } from '../ui/page/panel.tsx'
import { ChoiceList } from './choice-list.tsx'
import { PhoneList } from './phone-list.tsx'
import { PushSwitch } from './push-switch.tsx'

/** For the account: which messages the buyer gets, and whether this phone gets them. */
export function MessagesPanel() {
  const push = useQuery({
    queryKey: ['messages', 'push-key'],
    queryFn: ({ signal }) => client.messages.pushKey({}, { signal }),
  })
  return (
    <Panel title={t('Messages')} description={t('Choose what we notify you about, and how.')}>
      <div className="grid gap-3">
        {push.data?.publicKey && (
          <>
            <PushSwitch as="user" />
            <PhoneList as="user" />
          </>
        )}
        <ChoiceList as="user" />
      </div>
    </Panel>
  )
}

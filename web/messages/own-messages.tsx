import { useQuery } from '@tanstack/react-query'
import { client } from '../platform/calls/client.ts'
import { ChoiceList } from './choice-list.tsx'
import { PhoneList } from './phone-list.tsx'
import { PushSwitch } from './push-switch.tsx'

/** For the account: whether this phone gets messages, and which the buyer gets. */
export function OwnMessages() {
  const push = useQuery({
    queryKey: ['messages', 'push-key'],
    queryFn: ({ signal }) => client.messages.pushKey({}, { signal }),
  })
  return (
    <div className="grid gap-3">
      {push.data?.publicKey && (
        <>
          <PushSwitch as="user" />
          <PhoneList as="user" />
        </>
      )}
      <ChoiceList as="user" />
    </div>
  )
}

import { useMutation, useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { errorMessage } from '../platform/api-error.ts'
import { client } from '../platform/client.ts'
import { t } from '../platform/i18n.ts'
import { Button } from '../ui/button.tsx'
import { FormError } from '../ui/form-error.tsx'
import { pushState, turnPushOn } from './push-here.ts'

interface TellMeProps {
  /** The button's label. */
  ask?: string
  /** What is said after it. */
  done?: string
}

/** Offers a message to who waits for something, while the store sends some and this browser takes them. */
export function TellMe({
  ask = t('Notify me when it’s approved'),
  done = t('We’ll notify you when it’s approved.'),
}: TellMeProps) {
  const offer = useQuery({
    queryKey: ['messages', 'offer'],
    queryFn: async ({ signal }) => {
      const { publicKey } = await client.messages.pushKey({}, { signal })
      return publicKey === null ? 'none' : pushState('user')
    },
    staleTime: Infinity,
  })
  const turnOn = useMutation({ mutationFn: () => turnPushOn('user') })
  if (turnOn.data === 'on')
    return (
      <p role="status" className="text-sm text-ok">
        {done}
      </p>
    )
  if (offer.data !== 'off') return null
  return (
    <div className="grid justify-items-start gap-2">
      <Button
        variant="secondary"
        size="sm"
        icon={<Bell size={16} aria-hidden />}
        pending={turnOn.isPending}
        onClick={() => {
          if (!turnOn.isPending) turnOn.mutate()
        }}
      >
        {ask}
      </Button>
      {turnOn.error && <FormError>{errorMessage(turnOn.error)}</FormError>}
      {turnOn.data === 'blocked' && (
        <p className="text-sm text-warn">
          {t('Notifications are blocked. Allow notifications for this site in your browser settings.')}
        </p>
      )}
    </div>
  )
}

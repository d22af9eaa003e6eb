import { useMutation, useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { errorMessage } from '../platform/calls/api-error.ts'
import { client } from '../platform/calls/client.ts'
import { t } from '../platform/i18n.ts'
import { Link } from '../platform/navigation/router.tsx'
import { useSession } from '../platform/session/session.ts'
import { Button } from '../ui/buttons/button.tsx'
import { FormError } from '../ui/fields/form-error.tsx'
import { pushState, turnPushOn } from './push-here.ts'

interface TellMeProps {
  /** The button's label. */
  ask?: string
  /** What is said after it. */
  done?: string
}

/** Offers a message to a buyer who waits, in a way that the store sends and this browser takes. */
export function TellMe({
  ask = t('Notify me when it’s approved'),
  done = t('We’ll notify you when it’s approved.'),
}: TellMeProps) {
  const offer = useQuery({
    queryKey: ['messages', 'offer'],
    queryFn: async ({ signal }) => {
      const { publicKey, mails = false } = await client.messages.pushKey({}, { signal })
      return { state: publicKey === null ? ('none' as const) : await pushState('user'), mails }
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
  if (!offer.data) return null
  const { state, mails } = offer.data
  if (state === 'insecure' || state === 'unsupported' || state === 'none')
    return <Otherwise isIPhone={state === 'unsupported' && isIPhone()} mails={mails} />
  if (state !== 'off') return null
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

/** iPads say that they are Macs, which have no touch screen. */
const isIPhone = () => /iPhone|iPad|Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1

/** What works where this browser takes no messages. */
function Otherwise({ isIPhone, mails }: { isIPhone: boolean; mails: boolean }) {
  const isProven = useSession().user?.emailProven === true
  const byMail = mails && !isProven
  if (!isIPhone && !byMail) return null
  return (
    <p className="text-sm text-fg-2">
      {isIPhone && t('For notifications on an iPhone, tap Share, then Add to Home Screen. Open the store there.')}{' '}
      {byMail && (
        <Link to="/account" hash="profile" className="font-semibold text-brand hover:underline">
          {t('Get an email instead')}
        </Link>
      )}
    </p>
  )
}

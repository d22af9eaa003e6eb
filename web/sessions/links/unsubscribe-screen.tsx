import { useMutation } from '@tanstack/react-query'
import { client } from '../../platform/calls/client.ts'
import { t } from '../../platform/i18n.ts'
import { useLocation } from '../../platform/navigation/router.tsx'
import { LinkAction } from './link-action.tsx'

/** Opens from any mail that its reader need not get. */
export function UnsubscribeScreen() {
  const { hash } = useLocation()
  const end = useMutation({ mutationFn: () => client.messages.endMails({ token: hash.slice(1) }) })
  return (
    <LinkAction
      title={t('Stop these emails')}
      ask={t('You won’t get this kind of email any more.')}
      button={t('Stop these emails')}
      done={t('You won’t get these emails any more. You can turn them on again in your account.')}
      action={end}
    />
  )
}

import { useMutation } from '@tanstack/react-query'
import { client } from '../platform/client.ts'
import { t } from '../platform/i18n.ts'
import { useLocation } from '../platform/router.tsx'
import { LinkAction } from './link-action.tsx'

/** Opens from any mail that its reader need not get. */
export function UnsubscribeScreen() {
  const { hash } = useLocation()
  const end = useMutation({ mutationFn: () => client.messages.endMails({ token: hash.slice(1) }) })
  return (
    <LinkAction
      title={t('Stop these emails')}
      ask={t('Press the button to get no more emails of this kind.')}
      button={t('Stop these emails')}
      done={t('You get no more emails of this kind. You can turn them on again in your account.')}
      action={end}
    />
  )
}

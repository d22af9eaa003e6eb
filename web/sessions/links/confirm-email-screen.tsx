import { useMutation } from '@tanstack/react-query'
import { client } from '../../platform/calls/client.ts'
import { t } from '../../platform/i18n.ts'
import { useLocation } from '../../platform/navigation/router.tsx'
import { refreshSession } from '../../platform/session/session.ts'
import { LinkAction } from './link-action.tsx'

/** Opens from the mail that confirms an address. */
export function ConfirmEmailScreen() {
  const { hash } = useLocation()
  const confirm = useMutation({
    mutationFn: () => client.sessions.emailProven({ token: hash.slice(1) }),
    onSuccess: () => void refreshSession(),
  })
  return (
    <LinkAction
      title={t('Confirm your email')}
      ask={t('Confirm that this email is yours.')}
      button={t('Confirm email')}
      done={t('Your email is confirmed. If you forget your password, we can send you a link.')}
      action={confirm}
    />
  )
}

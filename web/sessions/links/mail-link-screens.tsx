/** The screens that mails lead to, and that do one thing at the press of a button. */
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { ApiError, errorMessage } from '../../platform/calls/api-error.ts'
import { client } from '../../platform/calls/client.ts'
import { t } from '../../platform/i18n.ts'
import { Link, useLocation } from '../../platform/navigation/router.tsx'
import { useHydrated } from '../../platform/use-hydrated.ts'
import { refreshSession } from '../../platform/session/session.ts'
import { Button, buttonClass } from '../../ui/buttons/button.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { DeadLink } from '../../ui/page/dead-link.tsx'
import { AuthFrame } from '../auth-frame.tsx'

interface LinkActionProps {
  title: string
  /** What the button will do, in a sentence. */
  ask: string
  button: string
  done: string
  action: UseMutationResult<unknown, Error, void>
}

/** Opens from a mail. It waits for a press, because mail scanners open links, too. */
function LinkAction({ title, ask, button, done, action }: LinkActionProps) {
  const { hash } = useLocation()
  // Only the browser knows what is behind the #
  const isDead = useHydrated() && hash === ''
  return (
    <AuthFrame plain title={title}>
      <div className="grid justify-items-start gap-4">
        {action.isSuccess ? (
          <p role="status" className="flex items-start gap-2 text-ok">
            <CircleCheck size={18} className="mt-0.5 shrink-0" aria-hidden />
            {done}
          </p>
        ) : isDead ? (
          <DeadLink why={t('This link is not complete. Open it again from the email.')} />
        ) : (
          <>
            <p className="text-fg-2">{ask}</p>
            <FormError>{action.error ? errorMessage(action.error) : undefined}</FormError>
            {action.error instanceof ApiError && action.error.code === 'RESET_LINK_INVALID' && (
              <Link
                to="/login"
                search={{ next: '/account#profile' }}
                className={buttonClass({ variant: 'secondary', wide: true })}
              >
                {t('Ask for a new link')}
              </Link>
            )}
            <Button
              wide
              pending={action.isPending}
              onClick={() => {
                if (!action.isPending) action.mutate()
              }}
            >
              {button}
            </Button>
          </>
        )}
        {(isDead || action.isSuccess) && (
          <Link to="/" replace className={buttonClass({ variant: isDead ? 'secondary' : 'primary' })} data-next>
            {t('Go to the store')}
          </Link>
        )}
      </div>
    </AuthFrame>
  )
}

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

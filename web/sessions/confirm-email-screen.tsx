import { useMutation } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { errorMessage } from '../platform/api-error.ts'
import { client } from '../platform/client.ts'
import { t } from '../platform/i18n.ts'
import { Link, useLocation } from '../platform/router.tsx'
import { refreshSession } from '../platform/session.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { FormError } from '../ui/form-error.tsx'
import { AuthFrame } from './auth-frame.tsx'

/** Opens from the mail that confirms an address. It waits for a press, because mail scanners open links, too. */
export function ConfirmEmailScreen() {
  const { hash } = useLocation()
  const confirm = useMutation({
    mutationFn: () => client.sessions.emailProven({ token: hash.slice(1) }),
    onSuccess: () => void refreshSession(),
  })
  return (
    <AuthFrame plain title={t('Confirm your email')}>
      <div className="grid justify-items-start gap-4">
        {confirm.isSuccess ? (
          <>
            <p role="status" className="flex items-start gap-2 text-ok">
              <CircleCheck size={18} className="mt-0.5 shrink-0" aria-hidden />
              {t('Your email is confirmed. If you forget your password, we can send you a link.')}
            </p>
            <Link to="/" replace className={buttonClass()} data-next>
              {t('Go to the store')}
            </Link>
          </>
        ) : (
          <>
            <p className="text-fg-2">{t('Press the button to show that this address is yours.')}</p>
            <FormError>{confirm.error ? errorMessage(confirm.error) : undefined}</FormError>
            <Button
              wide
              pending={confirm.isPending}
              onClick={() => {
                if (!confirm.isPending) confirm.mutate()
              }}
            >
              {t('Confirm email')}
            </Button>
          </>
        )}
      </div>
    </AuthFrame>
  )
}

import type { UseMutationResult } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { t } from '../../platform/i18n.ts'
import { Link } from '../../platform/navigation/router.tsx'
import { Button, buttonClass } from '../../ui/buttons/button.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
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
export function LinkAction({ title, ask, button, done, action }: LinkActionProps) {
  return (
    <AuthFrame plain title={title}>
      <div className="grid justify-items-start gap-4">
        {action.isSuccess ? (
          <>
            <p role="status" className="flex items-start gap-2 text-ok">
              <CircleCheck size={18} className="mt-0.5 shrink-0" aria-hidden />
              {done}
            </p>
            <Link to="/" replace className={buttonClass()} data-next>
              {t('Go to the store')}
            </Link>
          </>
        ) : (
          <>
            <p className="text-fg-2">{ask}</p>
            <FormError>{action.error ? errorMessage(action.error) : undefined}</FormError>
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
      </div>
    </AuthFrame>
  )
}

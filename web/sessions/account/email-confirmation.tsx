import type { User } from '../../../contract/users.ts'
import { DemoMailboxLink } from '../../messages/demo-mailbox-link.tsx'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { useFace } from '../../platform/calls/site.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'

/** Says whether the buyer's address is confirmed, and sends the link that confirms it. */
export function EmailConfirmation({ user }: { user: User }) {
  const { mail } = useFace()
  const send = useCall('sessions.proveEmail')
  if (user.emailProven) return <Chip tone="ok">{t('Email confirmed')}</Chip>
  if (!mail) return null
  return (
    <div className="grid justify-items-start gap-2 sm:col-span-3">
      <p className="text-sm text-fg-2">
        {send.isSuccess
          ? t('We sent a link to {email}. Open it to confirm.', { email: user.email })
          : t('Confirm your email so you can reset your password if you forget it.')}
      </p>
      <Button
        variant="secondary"
        size="sm"
        pending={send.isPending}
        onClick={() => {
          if (!send.isPending) send.mutate()
        }}
      >
        {send.isSuccess ? t('Send again') : t('Confirm email')}
      </Button>
      {send.isSuccess && <DemoMailboxLink />}
      {send.error && <FormError>{errorMessage(send.error)}</FormError>}
    </div>
  )
}

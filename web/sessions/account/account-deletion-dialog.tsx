import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { User } from '../../../contract/users.ts'
import { ApiError, errorMessage } from '../../platform/calls/api-error.ts'
import { client } from '../../platform/calls/client.ts'
import { formatDateTime } from '../../platform/dates.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { navigate } from '../../platform/navigation/router.tsx'
import { leaveSession } from '../../platform/session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { tell } from '../../ui/overlays/confirm.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { EditDialog } from '../../ui/overlays/edit-dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { Field } from '../../ui/fields/field.tsx'
import { PasswordInput } from '../../ui/fields/password-input.tsx'
import { SupportLink } from '../../ui/page/support-link.tsx'

/** Holds the password, and closes the account with it. */
function useClosing() {
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string>()
  const closing = useMutation({
    mutationFn: () => client.privacy.closeAccount({ password }),
    async onSuccess({ closesAt }) {
      leaveSession()
      await navigate({ to: '/login' })
      await tell(
        t('Your account will be deleted on {date}', { date: formatDateTime(closesAt) }),
        t('You’ve been logged out on all devices. Changed your mind? Log in before this date to cancel.'),
      )
    },
    onError(error) {
      if (isWrongPassword(error)) setFault(error.fields['password'] ?? error.message)
    },
  })
  const change = (text: string) => {
    setPassword(text)
    setFault(undefined)
    if (closing.isError) closing.reset()
  }
  const submit = () => {
    if (password) closing.mutate()
    else setFault(t('Enter your password'))
  }
  return { password, fault, closing, change, submit }
}

/** Explains the consequences, asks for the password and gives seven days to change one's mind. */
export function AccountDeletionDialog({ user, ...dialog }: DialogProps & { user: User }) {
  const { password, fault, closing, change, submit } = useClosing()
  if (user.balance > 0)
    return (
      <Dialog
        {...dialog}
        title={t('Delete my account')}
        footer={
          <Button variant="ghost" data-autofocus onClick={dialog.onClose}>
            {t('Close')}
          </Button>
        }
      >
        <p className="text-sm text-fg-2">
          {t('You have {amount} in your wallet. Spend it before you delete your account.', {
            amount: formatRupees(user.balance),
          })}{' '}
          <SupportLink className="font-semibold text-brand hover:underline">{t('Contact support')}</SupportLink>
        </p>
      </Dialog>
    )
  return (
    <EditDialog
      {...dialog}
      title={t('Delete my account')}
      submitLabel={t('Delete my account')}
      danger
      pending={closing.isPending}
      error={closing.error && !isWrongPassword(closing.error) && errorMessage(closing.error)}
      onSubmit={submit}
    >
      <ul className="grid list-disc gap-1.5 pl-5 text-sm text-fg-2">
        <li>{t('You’ll be logged out on all devices right away.')}</li>
        <li>{t('You have 7 days to change your mind. Just log in and cancel.')}</li>
        <li>{t('After that, we erase your name, email and phone number. You’ll no longer see your keys here.')}</li>
        <li>{t('We keep records of your payments and purchases without your name, as our accounts require.')}</li>
      </ul>
      <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
      <Field label={t('Your password')} error={fault}>
        <PasswordInput
          data-autofocus
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => change(event.target.value)}
        />
      </Field>
    </EditDialog>
  )
}

function isWrongPassword(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'WRONG_PASSWORD'
}

import { useId, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { User } from '../../../contract/users.ts'
import { ApiError, errorMessage } from '../../platform/calls/api-error.ts'
import { client } from '../../platform/calls/client.ts'
import { formatDateTime } from '../../platform/dates.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { useNavigate } from '../../platform/navigation/router.tsx'
import { leaveSession } from '../../platform/session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { tell } from '../../ui/overlays/confirm.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { Field } from '../../ui/fields/field.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { PasswordInput } from '../../ui/fields/password-input.tsx'
import { SupportLink } from '../../ui/page/support-link.tsx'
import { WeightyButton } from '../../ui/buttons/weighty-button.tsx'

/** Holds the password, and closes the account with it. */
function useClosing(formId: string) {
  const navigate = useNavigate()
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
      if (isWrongPassword(error)) {
        setFault(error.fields['password'] ?? error.message)
        requestAnimationFrame(() => document.getElementById(formId)?.querySelector('input')?.focus())
      }
    },
  })
  const change = (text: string) => {
    setPassword(text)
    setFault(undefined)
    if (closing.isError) closing.reset()
  }
  const submit = () => {
    if (closing.isPending) return
    if (password) closing.mutate()
    else setFault(t('Enter your password'))
  }
  return { password, fault, closing, change, submit }
}

/** Explains the consequences, asks for the password and gives seven days to change one's mind. */
export function AccountDeletionDialog({ open, user, onClose }: DialogProps & { user: User }) {
  const id = useId()
  const { password, fault, closing, change, submit } = useClosing(id)
  /** A running call can't be cancelled. */
  const close = () => {
    if (!closing.isPending) onClose()
  }
  const hasMoney = user.balance > 0
  const isElsewhere = closing.error && !isWrongPassword(closing.error)
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t('Delete my account')}
      sticky
      footer={
        <>
          <div className="w-full empty:hidden">
            <FormError>{isElsewhere ? errorMessage(closing.error) : undefined}</FormError>
          </div>
          <Button
            variant="ghost"
            disabled={closing.isPending}
            onClick={close}
            {...(hasMoney && { 'data-autofocus': true })}
          >
            {hasMoney ? t('Close') : t('Cancel')}
          </Button>
          {!hasMoney && (
            <WeightyButton type="submit" form={id} variant="danger" pending={closing.isPending}>
              {t('Delete my account')}
            </WeightyButton>
          )}
        </>
      }
    >
      {hasMoney ? (
        <p className="text-sm text-fg-2">
          {t('You have {amount} in your wallet. Spend it before you delete your account.', {
            amount: formatRupees(user.balance),
          })}{' '}
          <SupportLink className="font-semibold text-brand hover:underline">{t('Contact support')}</SupportLink>
        </p>
      ) : (
        <ConsequencesForm
          id={id}
          username={user.username}
          password={password}
          fault={fault}
          onChange={change}
          onSubmit={submit}
        />
      )}
    </Dialog>
  )
}

interface ConsequencesFormProps {
  id: string
  username: string
  password: string
  fault: string | undefined
  onChange: (password: string) => void
  onSubmit: () => void
}

function ConsequencesForm({ id, username, password, fault, onChange, onSubmit }: ConsequencesFormProps) {
  return (
    <form
      id={id}
      noValidate
      aria-label={t('Delete my account')}
      className="grid gap-4 pb-1"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <ul className="grid list-disc gap-1.5 pl-5 text-sm text-fg-2">
        <li>{t('You’ll be logged out on all devices right away.')}</li>
        <li>{t('You have 7 days to change your mind. Just log in and cancel.')}</li>
        <li>{t('After that, we erase your name, email and phone number. You’ll no longer see your keys here.')}</li>
        <li>{t('We keep records of your payments and purchases without your name, as our accounts require.')}</li>
      </ul>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Field label={t('Your password')} error={fault}>
        <PasswordInput
          data-autofocus
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
    </form>
  )
}

function isWrongPassword(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'WRONG_PASSWORD'
}

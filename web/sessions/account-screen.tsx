import { useRef, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Check, CircleCheck, LogOut } from 'lucide-react'
import * as z from 'zod/mini'
import { PASSWORD_LENGTH_MIN } from '../../contract/limits.ts'
import { PasswordChange } from '../../contract/sessions.ts'
import type { User } from '../../contract/users.ts'
import { ApiError, errorMessage } from '../platform/api-error.ts'
import { client } from '../platform/client.ts'
import { t } from '../platform/i18n.ts'
import { useNavigate } from '../platform/router.tsx'
import { signOut, useSession } from '../platform/session.ts'
import { useOneAtATime } from '../platform/use-one-at-a-time.ts'
import { Button } from '../ui/button.tsx'
import { Panel } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { FormError } from '../ui/form-error.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { Page } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'

export function AccountScreen() {
  const { user } = useSession()
  if (!user) return null
  return (
    <Page title={t('Account')} description={t('Your login, and the way out.')} className="mx-auto max-w-160">
      <div className="grid gap-4">
        <Details user={user} />
        <ChangePassword user={user} />
        <SignOut />
      </div>
    </Page>
  )
}

function Details({ user }: { user: User }) {
  return (
    <Panel title={t('Your details')}>
      <dl className="grid gap-4 sm:grid-cols-3">
        <Detail name={t('Username')}>{user.username}</Detail>
        <Detail name={t('Email')}>{user.email}</Detail>
        <Detail name={t('Member since')}>
          <Time value={user.createdAt} format="date" />
        </Detail>
      </dl>
    </Panel>
  )
}

function Detail({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-fg-3">{name}</dt>
      <dd className="mt-0.5 font-medium wrap-anywhere">{children}</dd>
    </div>
  )
}

type Faults = Partial<Record<keyof z.input<typeof PasswordChange>, string>>

function ChangePassword({ user }: { user: User }) {
  const [currentPassword, setCurrentPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const form = useRef<HTMLFormElement>(null)
  const change = useMutation({
    mutationFn: (passwords: z.input<typeof PasswordChange>) => client.sessions.changePassword(passwords),
  })

  const edit = (name: keyof Faults, set: (text: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value)
    setFaults({ ...faults, [name]: undefined })
    if (!change.isPending) change.reset()
  }
  const refuse = (found: Faults) => {
    setFaults(found)
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  const submit = useOneAtATime(async () => {
    const read = z.safeParse(PasswordChange, { currentPassword, newPassword })
    if (!read.success) {
      const found: Faults = {}
      for (const { path, message } of read.error.issues) found[path[0] as keyof Faults] ??= t(message)
      refuse(found)
      return
    }
    try {
      await change.mutateAsync(read.data)
      setCurrentPassword('')
      setNewPassword('')
      setFaults({})
    } catch (error) {
      refuse(faultsOf(error))
    }
  })
  const isElsewhere = change.error !== null && Object.keys(faultsOf(change.error)).length === 0

  return (
    <Panel title={t('Change password')} description={t('Your other devices are logged out by it.')}>
      <form
        ref={form}
        noValidate
        aria-label={t('Change password')}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        className="grid gap-4.5"
      >
        {/* Tells password managers whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
        <Field label={t('Current password')} error={faults.currentPassword}>
          <PasswordInput
            name="currentPassword"
            autoComplete="current-password"
            required
            value={currentPassword}
            onChange={edit('currentPassword', setCurrentPassword)}
          />
        </Field>
        <Field
          label={t('New password')}
          error={faults.newPassword}
          hint={t('At least {count} characters, and none of the common ones', { count: PASSWORD_LENGTH_MIN })}
          success={
            newPassword.length >= PASSWORD_LENGTH_MIN ? (
              <>
                <Check size={15} aria-hidden />
                {t('Long enough')}
              </>
            ) : undefined
          }
        >
          <PasswordInput
            name="newPassword"
            autoComplete="new-password"
            required
            value={newPassword}
            onChange={edit('newPassword', setNewPassword)}
          />
        </Field>
        <div className="grid gap-2">
          <FormError>{isElsewhere ? errorMessage(change.error) : undefined}</FormError>
          <output className={change.isSuccess ? 'flex items-center gap-2 text-sm text-ok' : 'sr-only'}>
            {change.isSuccess && (
              <>
                <CircleCheck size={16} className="shrink-0" aria-hidden />
                {t('Password changed')}
              </>
            )}
          </output>
          <Button type="submit" pending={change.isPending} className="justify-self-start">
            {t('Change password')}
          </Button>
        </div>
      </form>
    </Panel>
  )
}

/** Where the server's no belongs to a field. */
function faultsOf(error: unknown): Faults {
  if (!(error instanceof ApiError)) return {}
  return error.code === 'WRONG_PASSWORD' ? { currentPassword: error.message, ...error.fields } : error.fields
}

function SignOut() {
  const navigate = useNavigate()
  const leave = useMutation({ mutationFn: signOut, onSuccess: () => navigate({ to: '/login' }) })
  return (
    <Panel title={t('Sign out')} description={t('Frees this device: you can then log in on another one.')}>
      <Button
        variant="secondary"
        icon={<LogOut size={17} aria-hidden />}
        pending={leave.isPending}
        onClick={() => leave.mutate()}
      >
        {t('Sign out')}
      </Button>
    </Panel>
  )
}

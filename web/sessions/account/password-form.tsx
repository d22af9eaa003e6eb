import { useRef, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import * as z from 'zod/mini'
import { ApiError, errorMessage } from '../../platform/calls/api-error.ts'
import { t } from '../../platform/i18n.ts'
import { useOneAtATime } from '../../platform/use-one-at-a-time.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { focusFault } from '../../ui/fields/focus-fault.ts'
import { FormError } from '../../ui/fields/form-error.tsx'
import { PasswordInput } from '../../ui/fields/password-input.tsx'
import { lengthCheck } from '../length-check.tsx'

interface Passwords {
  currentPassword: string
  newPassword: string
}
type Faults = Partial<Record<keyof Passwords, string>>

interface PasswordFormProps {
  /** Tells password managers whose password this is. */
  username: string
  /** The endpoint's schema, so that the form refuses the same input as the server. */
  schema: z.ZodMiniType<Passwords>
  lengthMin: number
  send: (passwords: Passwords) => Promise<unknown>
}

/** Holds both passwords, and sends them. */
function usePasswordChange(schema: PasswordFormProps['schema'], send: PasswordFormProps['send']) {
  const [currentPassword, setCurrentPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const form = useRef<HTMLFormElement>(null)
  const change = useMutation({ mutationFn: send })

  const edit = (name: keyof Faults, set: (text: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value)
    setFaults({ ...faults, [name]: undefined })
    if (!change.isPending) change.reset()
  }
  const refuse = (found: Faults) => {
    setFaults(found)
    focusFault(form.current)
  }
  const submit = useOneAtATime(async () => {
    const read = z.safeParse(schema, { currentPassword, newPassword })
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
  const setCurrent = edit('currentPassword', setCurrentPassword)
  const setNew = edit('newPassword', setNewPassword)
  return { currentPassword, newPassword, faults, form, change, setCurrent, setNew, submit }
}

/** Changes the user's own password, given the old one. */
export function PasswordForm({ username, schema, lengthMin, send }: PasswordFormProps) {
  const { currentPassword, newPassword, faults, form, change, setCurrent, setNew, submit } = usePasswordChange(
    schema,
    send,
  )
  const isElsewhere = change.error !== null && Object.keys(faultsOf(change.error)).length === 0
  return (
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
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <Field label={t('Current password')} error={faults.currentPassword}>
        <PasswordInput
          name="currentPassword"
          autoComplete="current-password"
          required
          value={currentPassword}
          onChange={setCurrent}
        />
      </Field>
      <Field
        label={t('New password')}
        error={faults.newPassword}
        hint={t('Use at least {count} characters. Avoid common passwords.', { count: lengthMin })}
        success={lengthCheck(newPassword, lengthMin)}
      >
        <PasswordInput name="newPassword" autoComplete="new-password" required value={newPassword} onChange={setNew} />
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
  )
}

/** Maps the server's refusals to their fields. */
function faultsOf(error: unknown): Faults {
  if (!(error instanceof ApiError)) return {}
  return error.code === 'WRONG_PASSWORD' ? { currentPassword: error.message, ...error.fields } : error.fields
}

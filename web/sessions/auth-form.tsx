import { useEffect, useRef, type ComponentProps } from 'react'
import { t } from '../platform/i18n.ts'
import { Field } from '../ui/fields/field.tsx'
import { Input } from '../ui/fields/input.tsx'
import { PasswordInput } from '../ui/fields/password-input.tsx'

interface AuthFormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: () => void
}

/**
 * Frames a form of login or signup. The form checks its own fields, so the browser's checks are off. Some browsers fill
 * in a kept password without an event, so the fields are read again before they are sent.
 */
export function AuthForm({ onSubmit, ...rest }: AuthFormProps) {
  const latest = useRef(onSubmit)
  useEffect(() => {
    latest.current = onSubmit
  })
  return (
    <form
      noValidate
      className="grid gap-5"
      {...rest}
      onSubmit={(event) => {
        event.preventDefault()
        for (const field of event.currentTarget.querySelectorAll('input'))
          field.dispatchEvent(new Event('input', { bubbles: true }))
        // What was read is drawn by then
        setTimeout(() => latest.current())
      }}
    />
  )
}

interface CredentialFieldsProps {
  username: string
  password: string
  /** True if the email logs in too. */
  takesEmail?: boolean
  onUsername: (username: string) => void
  onPassword: (password: string) => void
}

/** Asks for username and password, in the way that password managers fill in. */
export function CredentialFields({ username, password, takesEmail, onUsername, onPassword }: CredentialFieldsProps) {
  return (
    <>
      <Field label={t('Username')} hint={takesEmail && t('Username or email')}>
        <Input
          autoFocus
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          inputMode={takesEmail ? 'email' : undefined}
          enterKeyHint="next"
          required
          value={username}
          onChange={(event) => onUsername(event.target.value)}
        />
      </Field>
      <Field label={t('Password')}>
        <PasswordInput
          name="password"
          autoComplete="current-password"
          enterKeyHint="go"
          required
          value={password}
          onChange={(event) => onPassword(event.target.value)}
        />
      </Field>
    </>
  )
}

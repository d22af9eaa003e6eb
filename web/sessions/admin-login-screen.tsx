import { useEffect, useState, type ReactNode } from 'react'
import { useMutation } from '@tanstack/react-query'
import { ApiError } from '../platform/calls/api-error.ts'
import { client, NOT_OURS, toApiError } from '../platform/calls/client.ts'
import { getLanguage, t } from '../platform/i18n.ts'
import { navigate, useSearch } from '../platform/navigation/router.tsx'
import { adminSignIn, useSession } from '../platform/session/session.ts'
import { useOneAtATime } from '../platform/use-one-at-a-time.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Field } from '../ui/fields/field.tsx'
import { FormError } from '../ui/fields/form-error.tsx'
import { Input } from '../ui/fields/input.tsx'
import { afterAdminLogin } from './after-login.ts'
import { AuthForm, CredentialFields } from './auth-form.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { CookiesNeeded, isCookieless, useCookiesBlocked } from './cookies-needed.tsx'
import { adminLoginFailure } from './failures.ts'
import { dropDrafts, useDraft } from './use-draft.ts'

const TOTP_CODES = new Set<string>(['TOTP_REQUIRED', 'TOTP_INVALID'])

export function AdminLoginScreen() {
  const { next } = useSearch('/admin-login')
  const { admin } = useSession()
  const [username, setUsername] = useDraft('admin-username')
  const [password, setPassword] = useState('')
  const [totp, setTotp] = useState('')
  const [asksFor, setAsksFor] = useState<'code' | 'recovery'>()
  const [failure, setFailure] = useState<ReactNode>()
  const isBlocked = useCookiesBlocked()
  const login = useMutation({ mutationFn: adminLogin })

  useEffect(() => {
    if (!admin) return
    const href = afterAdminLogin(next)
    // The admin has chosen another language than this page's
    if ((admin.language ?? getLanguage()) !== getLanguage()) location.replace(href)
    else void navigate({ href, replace: true })
  }, [admin, next])

  const submit = useOneAtATime(async () => {
    if (username.trim() === '' || password === '') {
      setFailure(t('Please enter username and password first.'))
      return
    }
    setFailure(undefined)
    try {
      await login.mutateAsync({ username, password, ...(totp.trim() && { totp: totp.trim() }) })
      dropDrafts('admin-username')
    } catch (error) {
      const isFirstAsk = asksFor === undefined && error instanceof ApiError && error.code === 'TOTP_REQUIRED'
      // The first answer is no failure. The new field says what is needed.
      if (!isFirstAsk) setFailure(isCookieless(error) ? <CookiesNeeded /> : adminLoginFailure(error))
      if (error instanceof ApiError && TOTP_CODES.has(error.code)) setAsksFor((present) => present ?? 'code')
    }
  })

  const said = failure ?? (isBlocked && <CookiesNeeded />)
  return (
    <AuthFrame plain title={t('Admin login')} description={t('For store staff only')}>
      <AuthForm aria-label={t('Admin login')} onSubmit={submit}>
        <CredentialFields username={username} password={password} onUsername={setUsername} onPassword={setPassword} />
        {asksFor && (
          <div className="grid justify-items-start gap-1">
            <CodeField
              key={asksFor}
              kind={asksFor}
              totp={totp}
              onChange={(text) => {
                setTotp(text)
                setFailure(undefined)
              }}
            />
            <Button
              variant="ghost"
              size="sm"
              className="-ml-3.5"
              onClick={() => {
                setTotp('')
                setFailure(undefined)
                setAsksFor(asksFor === 'code' ? 'recovery' : 'code')
              }}
            >
              {asksFor === 'code' ? t('Use a recovery code instead') : t('Use authenticator app instead')}
            </Button>
          </div>
        )}
        <div>
          <FormError>{said}</FormError>
          <Button type="submit" wide pending={login.isPending} className={said ? 'mt-4' : 'mt-1'}>
            {t('Login')}
          </Button>
        </div>
      </AuthForm>
    </AuthFrame>
  )
}

interface CodeFieldProps {
  kind: 'code' | 'recovery'
  totp: string
  onChange: (totp: string) => void
}

/** Shows a numeric keyboard for the app's code. Recovery codes have letters. */
function CodeField({ kind, totp, onChange }: CodeFieldProps) {
  const isCode = kind === 'code'
  return (
    <Field
      className="w-full"
      label={isCode ? t('Authenticator code') : t('Recovery code')}
      hint={
        isCode
          ? t('Enter the 6-digit code from your authenticator app.')
          : t('Enter one of your saved recovery codes. Each works once.')
      }
    >
      <Input
        mono
        autoFocus
        name="totp"
        autoComplete="one-time-code"
        autoCapitalize={isCode ? 'none' : 'characters'}
        spellCheck={false}
        inputMode={isCode ? 'numeric' : 'text'}
        enterKeyHint="go"
        maxLength={20}
        value={totp}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

interface AdminCredentials {
  username: string
  password: string
  totp?: string
}

/** @throws ApiError NOT_JSON if the answer, such as a proxy's, names no admin */
async function adminLogin(credentials: AdminCredentials): Promise<void> {
  const answer: { admin?: unknown } = await client.sessions.adminLogin({
    ...credentials,
    canProve: true,
    needsCookie: true,
  })
  if (answer.admin) return adminSignIn()
  throw await toApiError(new Response(), { ...NOT_OURS, isBroken: true })
}

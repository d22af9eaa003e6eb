import { useEffect, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { ApiError } from '../platform/api-error.ts'
import { client } from '../platform/client.ts'
import { t } from '../platform/i18n.ts'
import { useNavigate, useSearch } from '../platform/router.tsx'
import { adminSignIn, useSession } from '../platform/session.ts'
import { useOneAtATime } from '../platform/use-one-at-a-time.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { FormError } from '../ui/form-error.tsx'
import { Input } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { afterAdminLogin } from './after-login.ts'
import { AuthFrame } from './auth-frame.tsx'
import { adminLoginFailure } from './failures.ts'
import { dropDrafts, useDraft } from './use-draft.ts'

const TOTP_CODES = new Set<string>(['TOTP_REQUIRED', 'TOTP_INVALID'])

export function AdminLoginScreen() {
  const { next } = useSearch('/admin-login')
  const { admin } = useSession()
  const navigate = useNavigate()
  const [username, setUsername] = useDraft('admin-username')
  const [password, setPassword] = useState('')
  const [totp, setTotp] = useState('')
  const [asksForCode, setAsksForCode] = useState(false)
  const [failure, setFailure] = useState<string>()
  const login = useMutation({ mutationFn: adminLogin })

  useEffect(() => {
    if (admin) void navigate({ href: afterAdminLogin(next), replace: true })
  }, [admin, next, navigate])

  const submit = useOneAtATime(async () => {
    if (username.trim() === '' || password === '') {
      setFailure(t('Please enter username and password first.'))
      return
    }
    setFailure(undefined)
    try {
      const answer = await login.mutateAsync({ username, password, ...(totp && { totp }) })
      dropDrafts('admin-username')
      adminSignIn(answer)
    } catch (error) {
      setFailure(adminLoginFailure(error))
      if (error instanceof ApiError && TOTP_CODES.has(error.code)) setAsksForCode(true)
    }
  })

  return (
    <AuthFrame plain title={t('Admin login')} description={t('For the people who run this store.')}>
      <form
        noValidate
        aria-label={t('Admin login')}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        className="grid gap-5"
      >
        <Field label={t('Username')}>
          <Input
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="next"
            required
            value={username}
            onChange={(event) => setUsername(event.target.value)}
          />
        </Field>
        <Field label={t('Password')}>
          <PasswordInput
            name="password"
            autoComplete="current-password"
            enterKeyHint="go"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
        {asksForCode && (
          <Field label={t('Authenticator code')} hint={t('6 digits from your authenticator app')}>
            <Input
              mono
              autoFocus
              name="totp"
              autoComplete="one-time-code"
              inputMode="numeric"
              maxLength={20}
              value={totp}
              onChange={(event) => setTotp(event.target.value)}
            />
          </Field>
        )}
        <div>
          <FormError>{failure}</FormError>
          <Button type="submit" wide pending={login.isPending} className={failure ? 'mt-4' : 'mt-1'}>
            {t('Login')}
          </Button>
        </div>
      </form>
    </AuthFrame>
  )
}

interface AdminCredentials {
  username: string
  password: string
  totp?: string
}

/** @throws ApiError NOT_JSON where the answer, a proxy's for one, names no admin. */
async function adminLogin(credentials: AdminCredentials): Promise<{ id: string; username: string }> {
  const answer: { admin?: { id: string; username: string } } = await client.sessions.adminLogin(credentials)
  if (answer.admin) return answer.admin
  throw new ApiError({ status: 200, code: 'NOT_JSON', message: t('Invalid response format from server') })
}

import { useMutation } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { PASSWORD_LENGTH_MIN } from '../../contract/limits.ts'
import { PasswordChange } from '../../contract/sessions.ts'
import type { User } from '../../contract/users.ts'
import { client } from '../platform/client.ts'
import { t } from '../platform/i18n.ts'
import { useNavigate } from '../platform/router.tsx'
import { renewSession, signOut, useSession } from '../platform/session.ts'
import { Button } from '../ui/button.tsx'
import { Panel } from '../ui/panel.tsx'
import { Page } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { PasswordForm } from './password-form.tsx'
import { YourData } from './your-data.tsx'

export function AccountScreen() {
  const { user } = useSession()
  if (!user) return null
  return (
    <Page title={t('Account')} description={t('Your login, and the way out.')} className="mx-auto max-w-160">
      <div className="grid gap-4">
        <Details user={user} />
        <Panel title={t('Change password')} description={t('Your other devices are logged out by it.')}>
          <PasswordForm
            username={user.username}
            schema={PasswordChange}
            lengthMin={PASSWORD_LENGTH_MIN}
            send={(passwords) => renewSession(client.sessions.changePassword(passwords))}
          />
        </Panel>
        <OwnSessions
          description={t('One device at a time. If you do not know one, log it out and change your password.')}
          queryKey={['sessions', 'own']}
          load={(signal) => client.sessions.list({}, { signal })}
          end={(id) => client.sessions.end({ id })}
        />
        <SignOut />
        <YourData user={user} />
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

import { useMutation } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { PASSWORD_LENGTH_MIN } from '../../../contract/limits.ts'
import { PasswordChange } from '../../../contract/sessions.ts'
import type { User } from '../../../contract/users.ts'
import { client } from '../../platform/calls/client.ts'
import { t } from '../../platform/i18n.ts'
import { navigate } from '../../platform/navigation/router.tsx'
import { signOut, useSession } from '../../platform/session/session.ts'
import { renewSession } from '../../platform/session/session-end.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { LanguageLinks } from '../../ui/page/language-links.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time.tsx'
import { WaitingPanel } from '../../waiting/waiting-panel.tsx'
import { pushAddress } from '../../messages/push-here.ts'
import { MessagesPanel } from '../../messages/messages-panel.tsx'
import { EmailConfirmation } from './email-confirmation.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { PasswordForm } from './password-form.tsx'
import { YourData } from './your-data.tsx'

export function AccountScreen() {
  const { user } = useSession()
  if (!user) return null
  return (
    <Page title={t('Account')} description={t('Your details, password and devices.')} className="mx-auto max-w-160">
      <div className="grid gap-4">
        <Details user={user} />
        <Panel title={t('Change password')} description={t('This logs out your other devices.')}>
          <PasswordForm
            username={user.username}
            schema={PasswordChange}
            lengthMin={PASSWORD_LENGTH_MIN}
            send={async (passwords) => {
              const endpoint = await pushAddress()
              await renewSession(client.sessions.changePassword({ ...passwords, endpoint }))
            }}
          />
        </Panel>
        <OwnSessions
          description={t(
            'You can use one device at a time. If you don’t recognise one, log it out and change your password.',
          )}
          queryKey={['sessions', 'own']}
          load={(signal) => client.sessions.list({}, { signal })}
          end={(id) => client.sessions.end({ id })}
        />
        <WaitingPanel />
        <MessagesPanel />
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
        <Detail name={t('Username')}>
          <span translate="no">{user.username}</span>
        </Detail>
        <Detail name={t('Email')}>
          <span translate="no">{user.email}</span>
        </Detail>
        <Detail name={t('Member since')}>
          <Time value={user.createdAt} format="date" />
        </Detail>
      </dl>
      <div className="mt-3 empty:hidden">
        <EmailConfirmation user={user} />
      </div>
      <p className="mt-1 text-sm">
        <LanguageLinks className="inline-flex min-h-11 items-center font-semibold text-brand hover:underline" />
      </p>
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
  const leave = useMutation({ mutationFn: signOut, onSuccess: () => navigate({ to: '/login' }) })
  return (
    <Panel title={t('Log out')} description={t('Log out here to use your account on another device.')}>
      <Button
        variant="secondary"
        icon={<LogOut size={17} aria-hidden />}
        pending={leave.isPending}
        onClick={() => leave.mutate()}
      >
        {t('Log out')}
      </Button>
    </Panel>
  )
}

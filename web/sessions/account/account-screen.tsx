import { useMutation } from '@tanstack/react-query'
import { Bell, KeyRound, KeySquare, Languages, LogOut, UserRound } from 'lucide-react'
import { PASSWORD_LENGTH_MIN } from '../../../contract/limits.ts'
import { PasswordChange } from '../../../contract/sessions.ts'
import type { User } from '../../../contract/users.ts'
import { client } from '../../platform/calls/client.ts'
import { t } from '../../platform/i18n.ts'
import { navigate } from '../../platform/navigation/router.tsx'
import { signOut, useSession } from '../../platform/session/session.ts'
import { renewSession } from '../../platform/session/session-end.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { LanguageChoice } from '../../ui/page/language-choice.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Row, rowLook } from '../../ui/page/row.tsx'
import { cx } from '../../ui/cx.ts'
import { Time } from '../../ui/time.tsx'
import { WaitingPanel } from '../../waiting/waiting-panel.tsx'
import { pushAddress } from '../../messages/push-here.ts'
import { OwnMessages } from '../../messages/own-messages.tsx'
import { EmailConfirmation } from './email-confirmation.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { PasswordForm } from './password-form.tsx'
import { YourData } from './your-data.tsx'

const InvitePanel = lazyPart(
  () => import('../../referrals/invite-parts.tsx').then((file) => file.loadInvites()).then((file) => file.InvitePanel),
  { missing: 'nothing' },
)
const ApiSection = lazyPart(() => import('./api-section.tsx').then((file) => file.ApiSection))

/** The account in rows that open, the way out, and what the store keeps about the buyer. */
export function AccountScreen() {
  const { user } = useSession()
  if (!user) return null
  return (
    <Page title={t('Account')} className="mx-auto max-w-160">
      <div className="grid grid-cols-1 gap-4">
        <WaitingPanel />
        <Panel aria-label={t('Account')} className="py-1! sm:py-2!">
          <div className="divide-y divide-line">
            <Row
              id="profile"
              icon={<UserRound size={20} aria-hidden />}
              label={t('Profile')}
              value={<Who user={user} />}
            >
              <Details user={user} />
            </Row>
            <Language />
            <Row
              id="password"
              icon={<KeyRound size={20} aria-hidden />}
              label={t('Password and devices')}
              value={t('Change your password, see where you’re logged in')}
            >
              <PasswordAndDevices user={user} />
            </Row>
            <Row
              id="notifications"
              icon={<Bell size={20} aria-hidden />}
              label={t('Notifications')}
              value={t('Which messages you get')}
            >
              <OwnMessages />
            </Row>
            {user.isReseller && (
              <Row
                id="api"
                icon={<KeySquare size={20} aria-hidden />}
                label={t('API')}
                value={t('For your own website or program')}
              >
                <ApiSection username={user.username} />
              </Row>
            )}
          </div>
        </Panel>
        <SignOut />
        <YourData user={user} />
        {/* Last, as it comes late and would push what stands below it */}
        <InvitePanel />
      </div>
    </Page>
  )
}

const Who = ({ user }: { user: User }) => <span translate="no">{`${user.username} · ${user.email}`}</span>

function Details({ user }: { user: User }) {
  return (
    <>
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
    </>
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

/** Does not open: its choice is one press. */
function Language() {
  return (
    <div className={cx(rowLook, 'flex-wrap py-1.5')}>
      <Languages size={20} aria-hidden className="shrink-0 text-fg-3" />
      <span className="mr-auto font-medium">{t('Language')}</span>
      <LanguageChoice />
    </div>
  )
}

function PasswordAndDevices({ user }: { user: User }) {
  return (
    <div className="grid gap-6">
      <Part title={t('Change password')} description={t('This logs out your other devices.')}>
        <PasswordForm
          username={user.username}
          schema={PasswordChange}
          lengthMin={PASSWORD_LENGTH_MIN}
          send={async (passwords) => {
            const endpoint = await pushAddress()
            await renewSession(client.sessions.changePassword({ ...passwords, endpoint }))
          }}
        />
      </Part>
      <Part
        title={t('Where you are logged in')}
        description={t(
          'You can use one device at a time. If you don’t recognise one, log it out and change your password.',
        )}
      >
        <OwnSessions
          queryKey={['sessions', 'own']}
          load={(signal) => client.sessions.list({}, { signal })}
          end={(id) => client.sessions.end({ id })}
        />
      </Part>
    </div>
  )
}

interface PartProps {
  title: string
  description: string
  children: React.ReactNode
}

function Part({ title, description, children }: PartProps) {
  return (
    <section>
      <h2 className="font-semibold">{title}</h2>
      <p className="mb-3 text-sm text-fg-2">{description}</p>
      {children}
    </section>
  )
}

function SignOut() {
  const leave = useMutation({ mutationFn: signOut, onSuccess: () => navigate({ to: '/login' }) })
  return (
    <div className="grid justify-items-start gap-1">
      <Button
        variant="secondary"
        wide
        icon={<LogOut size={17} aria-hidden />}
        pending={leave.isPending}
        onClick={() => leave.mutate()}
      >
        {t('Logout')}
      </Button>
      <p className="px-1 text-xs text-fg-3">{t('Log out here to use your account on another device.')}</p>
    </div>
  )
}

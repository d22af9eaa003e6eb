import { Info } from 'lucide-react'
import { admins } from '../../../contract/admins.ts'
import { ADMIN_PASSWORD_LENGTH_MIN } from '../../../contract/limits.ts'
import { client } from '../../platform/calls/client.ts'
import { t } from '../../platform/i18n.ts'
import { roleDescription, roleName } from '../../platform/admin/roles.ts'
import { navigate, useSearch } from '../../platform/navigation/router.tsx'
import { refreshAdmin, useSession } from '../../platform/session/session.ts'
import { LanguageChoice } from '../../ui/page/language-choice.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Page } from '../../ui/page/page.tsx'
import { afterAdminLogin } from '../../sessions/after-login.ts'
import { OwnSessions } from '../../sessions/account/own-sessions.tsx'
import { pushAddress } from '../../messages/push-here.ts'
import { PasswordForm } from '../../sessions/account/password-form.tsx'
import { SecondFactorPanel } from './second-factor-panel.tsx'

/** Security of the admin's own account. Shows only the set-up while two-step verification is still required. */
export function SecurityScreen() {
  const { admin } = useSession()
  const { next } = useSearch('/admin/security')
  if (!admin) return null
  return (
    <Page title={t('Account & security')} hideTitle>
      <div className="mx-auto grid max-w-180 grid-cols-1 gap-4 sm:gap-6">
        {admin.mustEnrol && (
          <p
            role="status"
            className="flex items-start gap-2.5 rounded-card border border-warn/30 bg-warn/10 p-4 text-sm text-warn"
          >
            <Info size={18} className="mt-0.5 shrink-0" aria-hidden />
            {t('This store requires two-step verification. Set it up to continue.')}
          </p>
        )}
        <SecondFactorPanel
          admin={admin}
          onEnrolled={() => {
            if (next) void navigate({ href: afterAdminLogin(next), replace: true })
          }}
        />
        {!admin.mustEnrol && (
          <>
            <Panel
              title={t('Password')}
              description={
                admin.hasGivenPassword
                  ? t('You’re using a temporary password. Set a new one that only you know.')
                  : t('Changing it logs out your other devices, and ends their notifications and your Telegram chats.')
              }
              {...(admin.hasGivenPassword && { actions: <Chip tone="warn">{t('Change password')}</Chip> })}
            >
              <PasswordForm
                username={admin.username}
                schema={admins.changePassword.input}
                lengthMin={ADMIN_PASSWORD_LENGTH_MIN}
                send={async (passwords) => {
                  await client.admins.changePassword({ ...passwords, endpoint: await pushAddress() })
                  await refreshAdmin()
                }}
              />
            </Panel>
            <Panel
              title={t('Where you are logged in')}
              description={t('If you don’t recognise a device, log it out and change your password.')}
            >
              <OwnSessions
                queryKey={['sessions', 'admin']}
                load={(signal) => client.admins.sessions({}, { signal })}
                end={(id) => client.admins.endSession({ id })}
              />
            </Panel>
            <Panel title={t('Language')} description={t('This changes only your panel, not the store.')}>
              <LanguageChoice />
            </Panel>
            <Panel title={t('Your role')} actions={<Chip tone="outline">{roleName(admin.role)}</Chip>}>
              <p className="text-sm text-fg-2">{roleDescription(admin.role)}</p>
            </Panel>
          </>
        )}
      </div>
    </Page>
  )
}

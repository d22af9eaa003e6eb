import { t } from '../../platform/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Copyable } from '../../ui/buttons/copyable.tsx'
import { OnlyHereNote } from '../../ui/admin/only-here-note.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import type { FirstLogin } from './admin-dialog.tsx'

/** Shows the username and password, so that the owner can pass them on. */
export function FirstLoginDialog({ login, open, onClose }: DialogProps & { login: FirstLogin }) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      sticky
      title={t('Share these details with {name}', { name: login.username })}
      description={t('This password is shown only once. {name} will set a new one after logging in.', {
        name: login.username,
      })}
      footer={
        <Button data-autofocus onClick={onClose}>
          {t('Done')}
        </Button>
      }
    >
      <dl className="grid gap-3">
        <div className="grid gap-1">
          <dt className="text-xs text-fg-3">{t('Login page')}</dt>
          <dd>
            <OnlyHereNote />
            <Copyable text={`${location.origin}/admin-login`} what={t('address')} />
          </dd>
        </div>
        <div className="grid gap-1">
          <dt className="text-xs text-fg-3">{t('Username')}</dt>
          <dd>
            <Copyable text={login.username} what={t('username')} />
          </dd>
        </div>
        <div className="grid gap-1">
          <dt className="text-xs text-fg-3">{t('Password')}</dt>
          <dd>
            <Copyable text={login.password} what={t('password')} />
          </dd>
        </div>
      </dl>
    </Dialog>
  )
}

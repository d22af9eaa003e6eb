import { t } from '../../platform/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Copyable } from '../../ui/buttons/copyable.tsx'
import { OnlyHereNote } from '../../ui/admin/only-here-note.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import type { FirstLogin } from './admin-dialog.tsx'

/** Shows the username and password, so that the owner can pass them on. */
export function FirstLoginDialog({ login, ...dialog }: DialogProps & { login: FirstLogin }) {
  const lines = [
    [t('Login page'), `${location.origin}/admin-login`, t('address'), <OnlyHereNote key="note" />],
    [t('Username'), login.username, t('username')],
    [t('Password'), login.password, t('password')],
  ] as const
  return (
    <Dialog
      {...dialog}
      sticky
      title={t('Share these details with {name}', { name: login.username })}
      description={t('This password is shown only once. {name} will set a new one after logging in.', {
        name: login.username,
      })}
      footer={
        <Button data-autofocus onClick={dialog.onClose}>
          {t('Done')}
        </Button>
      }
    >
      <dl className="grid gap-3">
        {lines.map(([name, text, what, note]) => (
          <div key={name} className="grid gap-1">
            <dt className="text-xs text-fg-3">{name}</dt>
            <dd>
              {note}
              <Copyable text={text} what={what} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

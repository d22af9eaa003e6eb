import type { AdminUser } from '../../../contract/users.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { ReasonDialog } from '../../ui/admin/forms/reason-dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'

/** Asks why, and blocks a user. */
export function BlockDialog({ user: { _id: id, username: name }, ...dialog }: DialogProps & { user: AdminUser }) {
  return (
    <ReasonDialog
      {...dialog}
      title={t('Block {name}?', { name })}
      description={t(
        'They’re logged out now and can’t log in. Their wallet, keys and requests stay. You can unblock them.',
      )}
      submitLabel={t('Block')}
      danger
      hint={t('{name} sees this at login.', { name })}
      change={useCall('users.block')}
      send={(reason) => ({ id, reason })}
      onDone={() => toast(t('{name} is blocked', { name }))}
    />
  )
}

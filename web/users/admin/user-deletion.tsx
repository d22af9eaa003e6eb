import type { AdminUser } from '../../../contract/users.ts'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { DeleteDialog } from '../../ui/admin/forms/delete-dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { useLatestUser } from './user-queries.ts'

export function UserDeletion({ user, ...dialog }: DialogProps & { user: AdminUser }) {
  const { _id, username: name, email, balance } = useLatestUser(user)
  const removal = useCall('users.remove')
  return (
    <DeleteDialog
      {...dialog}
      title={t('Delete {name}?', { name })}
      confirmLabel={t('Delete user')}
      failure={(error) => `${t('Failed to delete user.')} ${errorMessage(error)}`}
      action={async () => {
        await removal.mutateAsync({ id: _id })
        toast(t('{name} deleted', { name }))
      }}
    >
      <p>
        {t('The account {email} is logged out and closed right away. Name, email and phone number are erased.', {
          email,
        })}
      </p>
      {balance > 0 && (
        <p className="font-medium text-warn">
          {t('The wallet balance of {amount} will be lost.', { amount: formatRupees(balance) })}
        </p>
      )}
      <p>{t('Pending top-ups are rejected. The buyer no longer sees their keys.')}</p>
      <p>{t('Payment and sales records are kept without personal details. This can’t be undone.')}</p>
    </DeleteDialog>
  )
}

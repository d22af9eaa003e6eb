import { useEffect } from 'react'
import type { AdminUser } from '../../../contract/users.ts'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { useCall } from '../../platform/calls/use-call.ts'
import { t } from '../../platform/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { IssuedLink } from './reset-link-section.tsx'

/** Creates a link for a new password at once, and shows it to be passed on. */
export function ResetLinkDialog({ user: { _id: id, username: name }, ...dialog }: DialogProps & { user: AdminUser }) {
  const { mutate, data, error, isPending } = useCall('users.issueResetLink')
  useEffect(() => mutate({ id }), [mutate, id])
  return (
    <Dialog
      {...dialog}
      title={t('Password link for {name}', { name })}
      description={t('It works once, and logs out all their devices.')}
    >
      {isPending && (
        <Loading>
          <Skeleton className="h-32" />
        </Loading>
      )}
      {data && <IssuedLink {...data} name={name} />}
      {error && (
        <div className="grid justify-items-start gap-3">
          <FormError>{errorMessage(error)}</FormError>
          <Button variant="secondary" onClick={() => mutate({ id })}>
            {t('Retry')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

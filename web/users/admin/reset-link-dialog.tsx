import { useMutation } from '@tanstack/react-query'
import type { AdminUser } from '../../../contract/users.ts'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { client } from '../../platform/calls/client.ts'
import { t } from '../../platform/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { useDialog } from '../../ui/overlays/use-dialog.ts'
import { IssuedLink } from './reset-link-section.tsx'

/** Creates a link for a new password at once, and shows it to be passed on. */
export function useResetLink() {
  const shown = useDialog<{ user: AdminUser }>()
  const issue = useMutation({ mutationFn: (id: string) => client.users.issueResetLink({ id }) })
  const user = shown.target?.user
  return {
    create(wanted: AdminUser) {
      shown.show({ user: wanted })
      issue.mutate(wanted._id)
    },
    dialog: user && (
      <Dialog
        open={shown.open}
        onClose={shown.close}
        title={t('Password link for {name}', { name: user.username })}
        description={t('It works once, and logs out all their devices.')}
      >
        {issue.isPending && (
          <Loading>
            <Skeleton className="h-32" />
          </Loading>
        )}
        {issue.data && <IssuedLink {...issue.data} name={user.username} />}
        {issue.error && (
          <div className="grid justify-items-start gap-3">
            <FormError>{errorMessage(issue.error)}</FormError>
            <Button variant="secondary" onClick={() => issue.mutate(user._id)}>
              {t('Retry')}
            </Button>
          </div>
        )}
      </Dialog>
    ),
  }
}

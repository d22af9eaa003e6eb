import { useMutation } from '@tanstack/react-query'
import { Download, Trash2 } from 'lucide-react'
import type { User } from '../../../contract/users.ts'
import { errorMessage } from '../../platform/calls/api-error.ts'
import { client } from '../../platform/calls/client.ts'
import { t } from '../../platform/i18n.ts'
import { saveFile } from '../../platform/files/save-file.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { FormError } from '../../ui/fields/form-error.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { Dialogs } from '../../ui/overlays/dialogs.tsx'
import { openDialog } from '../../ui/overlays/open-dialog.ts'

const DeletionDialog = lazyPart(() =>
  import('./account-deletion-dialog.tsx').then((file) => file.AccountDeletionDialog),
)

const INDENT = 2

/** Shows the store's data about the buyer, to read or to erase. */
export function YourData({ user }: { user: User }) {
  const download = useMutation({
    mutationFn: () => client.privacy.myData({}),
    onSuccess(data) {
      saveFile('my-data.json', 'application/json', JSON.stringify(data, undefined, INDENT))
      toast(t('Your data has been downloaded'))
    },
  })
  return (
    <Panel
      title={t('Your data')}
      description={t('Everything we store about you: account, logins, top-ups, purchases and keys')}
    >
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          icon={<Download size={17} aria-hidden />}
          pending={download.isPending}
          onClick={() => {
            if (!download.isPending) download.mutate()
          }}
        >
          {t('Download my data')}
        </Button>
        <Button
          variant="ghost"
          icon={<Trash2 size={17} aria-hidden />}
          onClick={() => openDialog(DeletionDialog, { user })}
        >
          {t('Delete my account')}
        </Button>
      </div>
      <div className="mt-3 empty:hidden">{download.error && <FormError>{errorMessage(download.error)}</FormError>}</div>
      <Dialogs />
    </Panel>
  )
}

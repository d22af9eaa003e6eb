import * as z from 'zod/mini'
import { KeyText, type AdminKey } from '../../../../contract/keys.ts'
import { t, variantText } from '../../../platform/i18n.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { TextField, useForm } from '../../../ui/admin/forms/use-form.tsx'
import { EditDialog } from '../../../ui/overlays/edit-dialog.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { useCall } from '../../../platform/calls/use-call.ts'

const Input = z.object({ key: KeyText })

/** Edits a key that is not sold. */
export function KeyEditDialog({ row, ...dialog }: DialogProps & { row: AdminKey }) {
  const form = useForm({
    dialog,
    start: { key: row.key },
    input: Input,
    save: useCall('keys.edit'),
    send: (typed) => ({ id: row._id, ...typed }),
    onSaved: () => toast(t('Key saved')),
  })
  return (
    <EditDialog
      {...form.dialog}
      title={t('Edit key')}
      description={variantText(row.productId.name, row.duration)}
      submitLabel={t('Save changes')}
    >
      <TextField {...form.of('key')} label={t('Key')} mono autoCapitalize="off" spellCheck={false} data-autofocus />
    </EditDialog>
  )
}

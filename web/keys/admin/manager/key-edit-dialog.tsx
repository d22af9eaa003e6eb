import { useState } from 'react'
import { KeyText, type AdminKey } from '../../../../contract/keys.ts'
import { fieldErrorsOf, formErrorOf } from '../../../platform/admin/form-errors.ts'
import { t, variantText } from '../../../platform/i18n.ts'
import { toast } from '../../../platform/navigation/toast.ts'
import { EditDialog } from '../../../ui/overlays/edit-dialog.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { Input } from '../../../ui/fields/input.tsx'
import type { DialogProps } from '../../../ui/overlays/open-dialog.ts'
import { useEditKey } from '../key-manager-queries.ts'

/** Edits a key that is not sold. */
export function KeyEditDialog({ row, ...dialog }: DialogProps & { row: AdminKey }) {
  const [text, setText] = useState(row.key)
  const [isChecked, setChecked] = useState(false)
  const edit = useEditKey()
  const read = KeyText.safeParse(text)
  const fault = read.success ? undefined : read.error.issues[0]?.message
  const submit = () => {
    setChecked(true)
    if (!read.success) return
    if (read.data === row.key) {
      dialog.onClose()
      return
    }
    edit.mutate(
      { id: row._id, key: read.data },
      {
        onSuccess: () => {
          toast(t('Key saved'))
          dialog.onClose()
        },
      },
    )
  }
  return (
    <EditDialog
      {...dialog}
      title={t('Edit key')}
      description={variantText(row.productId.name, row.duration)}
      submitLabel={t('Save changes')}
      dirty={text !== row.key}
      pending={edit.isPending}
      error={formErrorOf(edit.error, ['key'])}
      onSubmit={submit}
    >
      <Field label={t('Key')} error={fieldErrorsOf(edit.error)['key'] ?? (isChecked ? fault : undefined)}>
        <Input
          mono
          name="key"
          required
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={text}
          data-autofocus
          onChange={(event) => {
            setText(event.target.value)
            if (edit.isError) edit.reset()
          }}
        />
      </Field>
    </EditDialog>
  )
}

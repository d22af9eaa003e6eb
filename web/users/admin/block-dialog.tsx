import { useState } from 'react'
import { REASON_LENGTH_MAX } from '../../../contract/limits.ts'
import type { AdminUser } from '../../../contract/users.ts'
import { fieldErrorsOf, formErrorOf } from '../../platform/admin/form-errors.ts'
import { t } from '../../platform/i18n.ts'
import { toast } from '../../platform/navigation/toast.ts'
import { EditDialog } from '../../ui/admin/forms/edit-dialog.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Input } from '../../ui/fields/input.tsx'
import type { DialogProps } from '../../ui/overlays/open-dialog.ts'
import { useBlocking } from './user-queries.ts'

/** Asks why, and blocks a user. */
export function BlockDialog({ open, onClose, user }: DialogProps & { user: AdminUser }) {
  const { _id: id, username: name } = user
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const { block } = useBlocking()
  const lacksReason = reason.trim() === ''
  const submit = () => {
    setChecked(true)
    if (lacksReason) return
    block.mutate(
      { id, reason },
      {
        onSuccess: () => {
          toast(t('{name} is blocked', { name }))
          onClose()
        },
      },
    )
  }
  return (
    <EditDialog
      open={open}
      title={t('Block {name}?', { name })}
      description={t(
        'They’re logged out now and can’t log in. Their wallet, keys and requests stay. You can unblock them.',
      )}
      submitLabel={t('Block')}
      danger
      dirty={reason !== ''}
      pending={block.isPending}
      error={formErrorOf(block.error, ['reason'])}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label={t('Reason')}
        hint={t('{name} sees this at login', { name })}
        error={fieldErrorsOf(block.error)['reason'] ?? (isChecked && lacksReason ? t('Reason is required') : undefined)}
      >
        <Input
          data-autofocus
          value={reason}
          maxLength={REASON_LENGTH_MAX}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </EditDialog>
  )
}

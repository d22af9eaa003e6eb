import { useState, type ComponentProps, type ReactNode } from 'react'
import type { UseMutationResult } from '@tanstack/react-query'
import { fieldErrorsOf, formErrorOf } from '../../../platform/admin/form-errors.ts'
import { t } from '../../../platform/i18n.ts'
import { EditDialog } from '../../overlays/edit-dialog.tsx'
import { ReasonField } from './reason-field.tsx'

type Frame = Pick<
  ComponentProps<typeof EditDialog>,
  'open' | 'title' | 'description' | 'submitLabel' | 'danger' | 'denied' | 'onClose'
>

interface ReasonDialogProps<Answer> extends Frame {
  /** Does what the dialog asks about, with the reason. */
  change: UseMutationResult<Answer, Error, string>
  /** Says what was done. The dialog closes then. */
  onDone?: (answer: Answer) => void
  /** What the call names it. */
  field?: string
  label?: string
  /** Said when it is missing. */
  lacks?: string
  hint?: string
  lengthMax?: number
  /** Something else than the reason has been changed. */
  isChanged?: boolean
  /** Fields over the reason, and under it. */
  children?: ReactNode
  foot?: ReactNode
}

/** Asks before something that needs a reason. */
export function ReasonDialog<Answer>(props: ReasonDialogProps<Answer>) {
  const { change, onDone, field = 'reason', label, lacks, hint, lengthMax, isChanged, children, foot, ...frame } = props
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const isLacking = reason.trim() === ''
  return (
    <EditDialog
      {...frame}
      dirty={reason !== '' || isChanged === true}
      pending={change.isPending}
      error={formErrorOf(change.error, [field])}
      onSubmit={() => {
        setChecked(true)
        if (isLacking) return
        change.mutate(reason, {
          onSuccess: (answer) => {
            onDone?.(answer)
            frame.onClose()
          },
        })
      }}
    >
      {children}
      <ReasonField
        label={label}
        hint={hint}
        value={reason}
        onChange={setReason}
        error={
          fieldErrorsOf(change.error)[field] ??
          (isChecked && isLacking ? (lacks ?? t('Reason is required')) : undefined)
        }
        isFirst
        lengthMax={lengthMax}
      />
      {foot}
    </EditDialog>
  )
}

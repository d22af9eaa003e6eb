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

interface ReasonDialogProps<Sent, Answer> extends Frame {
  /** Does what the dialog asks about. */
  change: UseMutationResult<Answer, Error, Sent>
  /** What it needs, with the reason. */
  send: (reason: string) => Sent
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
export function ReasonDialog<Sent, Answer>(props: ReasonDialogProps<Sent, Answer>) {
  const { change, send, onDone, field = 'reason', label, lacks, hint, lengthMax, ...rest } = props
  const { isChanged, children, foot, ...frame } = rest
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
        change.mutate(send(reason), {
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

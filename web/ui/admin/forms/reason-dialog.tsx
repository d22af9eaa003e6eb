import type { ComponentProps, ReactNode } from 'react'
import * as z from 'zod/mini'
import { REASON_LENGTH_MAX } from '../../../../contract/limits.ts'
import { t } from '../../../platform/i18n.ts'
import { EditDialog } from '../../overlays/edit-dialog.tsx'
import { TextField, useForm, type Save } from './use-form.tsx'

type Frame = Pick<
  ComponentProps<typeof EditDialog>,
  'open' | 'title' | 'description' | 'submitLabel' | 'danger' | 'denied' | 'onClose'
>

interface ReasonDialogProps<Sent, Answer> extends Frame {
  /** Does what the dialog asks about. */
  change: Save<Sent, Answer>
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
  const { open, onClose, change, send, onDone, field = 'reason', label, lacks, hint, lengthMax, ...rest } = props
  const { isChanged, children, foot, ...frame } = rest
  const form = useForm({
    dialog: { open, onClose },
    start: { [field]: '' },
    input: z.record(z.string(), z.string()),
    save: change,
    send: ({ [field]: reason = '' }) => send(reason),
    faults: ({ [field]: reason }) => (reason?.trim() ? {} : { [field]: lacks ?? t('Reason is required') }),
    ...(onDone && { onSaved: onDone }),
  })
  return (
    <EditDialog {...frame} {...form.dialog} dirty={form.dialog.dirty || isChanged === true}>
      {children}
      <TextField
        {...form.of(field)}
        label={label ?? t('Reason')}
        hint={hint}
        maxLength={lengthMax ?? REASON_LENGTH_MAX}
        data-autofocus
      />
      {foot}
    </EditDialog>
  )
}

import { useState, type ComponentProps, type ReactNode } from 'react'
import * as z from 'zod/mini'
import { changesOf } from '../../../platform/admin/changes-of.ts'
import { fieldErrorsOf, formErrorOf } from '../../../platform/admin/form-errors.ts'
import { t } from '../../../platform/i18n.ts'
import { Field } from '../../fields/field.tsx'
import { Input } from '../../fields/input.tsx'
import type { DialogProps } from '../../overlays/open-dialog.ts'

/** What the save needs of a mutation of react-query. */
export interface Save<Sent, Saved> {
  mutate: (sent: Sent, then: { onSuccess: (saved: Saved) => void }) => void
  reset: () => void
  isPending: boolean
  isError: boolean
  error: unknown
}

interface FormOptions<Draft, Schema extends z.ZodMiniType, Sent, Saved> {
  dialog: DialogProps
  /** What the fields hold at first. Each field has the name of what is sent. */
  start: Draft
  /** The input of the call. It checks what is typed, as the server will. */
  input: Schema
  save: Save<Sent, Saved>
  /** Makes what is sent. `changed` is what differs from the start, and an update sends no more. */
  send: (typed: Draft, changed: Partial<Draft>) => Sent
  /** True if the first values may be sent as they are. */
  sendsUnchanged?: true
  /** What a schema cannot know, such as a limit that depends on the record. */
  faults?: (draft: Draft) => Partial<Record<string, string | undefined>>
  /** Called when it is saved and the dialog is closed. A save that answers nothing was called off. */
  onSaved?: (saved: NonNullable<Saved>, draft: Draft) => void
}

/**
 * The form in a dialog: what it holds, what is wrong with it, and how it is saved. Spread `form.dialog` into an
 * EditDialog, and `form.of('code')` into a TextField. Faults show from the first try to save.
 */
export function useForm<Draft extends object, Schema extends z.ZodMiniType, Sent, Saved>(
  options: FormOptions<Draft, Schema, Sent, Saved>,
) {
  const { dialog, input, save, send, sendsUnchanged, faults, onSaved } = options
  const [start] = useState(options.start)
  const [draft, setDraft] = useState(start)
  const [isChecked, setChecked] = useState(false)
  const read = z.safeParse(input, draft)
  const wrong: Partial<Record<string, string | undefined>> = {
    ...(read.success ? {} : faultsIn(read.error)),
    ...faults?.(draft),
  }
  const isValid = Object.values(wrong).every((fault) => fault === undefined)
  const change = (part: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...part }))
    if (save.isError) save.reset()
  }
  const shown = { ...(isChecked && wrong), ...fieldErrorsOf(save.error) }
  return {
    draft,
    change,
    /** What the server would read; undefined while there is a fault. */
    read: isValid && read.success ? read.data : undefined,
    wrong,
    /** What is shown as wrong, by name or by path: "prices.0.duration". */
    faults: shown,
    /** The name, value and error of one text field. */
    of: (name: TextOf<Draft>) => ({
      name,
      value: String(draft[name]),
      error: shown[name],
      onText: (text: string) => change({ [name]: text } as Partial<Draft>),
    }),
    dialog: {
      ...dialog,
      dirty: JSON.stringify(draft) !== JSON.stringify(start),
      pending: save.isPending,
      error: formErrorOf(save.error, Object.keys(draft)),
      onSubmit: () => {
        setChecked(true)
        if (!isValid) return
        const onSuccess = (saved: Saved) => {
          if (saved === undefined || saved === null) return
          dialog.onClose()
          onSaved?.(saved, draft)
        }
        const changed = changesOf(draft, start)
        if (Object.keys(changed).length === 0 && !sendsUnchanged) dialog.onClose()
        else save.mutate(send(draft, changed), { onSuccess })
      },
    },
  }
}

/** The names of fields that hold a text. */
type TextOf<Draft> = { [Name in keyof Draft & string]: Draft[Name] extends string ? Name : never }[keyof Draft & string]

/** The first fault of each field by its path, in the reader's language. */
function faultsIn({ issues }: { issues: readonly z.core.$ZodIssue[] }): Record<string, string> {
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.join('.'), t(message)]))
}

interface TextFieldProps extends Omit<ComponentProps<typeof Input>, 'value' | 'onChange'> {
  label: string
  hint?: ReactNode
  optional?: boolean
  error: string | undefined
  value: string
  fieldClass?: string
  onText: (text: string) => void
}

/** `<TextField {...form.of('code')} label={t('Code')} />` */
export function TextField({ label, hint, optional, error, fieldClass, onText, ...rest }: TextFieldProps) {
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      {...(optional && { optional })}
      {...(fieldClass !== undefined && { className: fieldClass })}
    >
      <Input required={!optional} autoComplete="off" {...rest} onChange={(event) => onText(event.target.value)} />
    </Field>
  )
}

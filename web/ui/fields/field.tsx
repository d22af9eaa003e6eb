import { useId, type ReactNode } from 'react'
import { CircleAlert } from 'lucide-react'
import { t } from '../../platform/i18n.ts'
import { FieldContext } from './field-context.ts'
import { cx } from '../cx.ts'

interface FieldProps {
  label: ReactNode
  /** A quiet line under the control. */
  hint?: ReactNode
  /** The error, which replaces the hint and marks the control. */
  error?: string | undefined
  /** Good news in the hint's place: "✓ Valid code". */
  success?: ReactNode
  /** Right end of the label's line: a link, a counter. */
  aside?: ReactNode
  optional?: boolean
  className?: string
  /** One control of the kit. It finds its label, hint and error. */
  children: ReactNode
}

/** `<Field label hint error success aside><Input …/></Field>` */
export function Field({ label, hint, error, success, aside, optional, className, children }: FieldProps) {
  const id = useId()
  const note = error ?? success ?? hint
  const noteId = note ? `${id}-note` : undefined
  return (
    <div className={cx('grid grid-cols-1 gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-x-3 large-text:flex-wrap">
        <label htmlFor={id} className="text-sm font-medium text-fg-2">
          {label}
          {optional && <span className="font-normal text-fg-3"> · {t('optional')}</span>}
        </label>
        {aside && <span className="text-xs text-fg-3">{aside}</span>}
      </div>
      <FieldContext value={{ id, describedBy: noteId, invalid: Boolean(error) }}>{children}</FieldContext>
      {/* Always present, so that a later message is read out. */}
      <div id={noteId} aria-live="polite" className={cx(!note && 'sr-only')}>
        {error ? (
          <p className="flex items-start gap-1.5 text-sm text-bad">
            <CircleAlert size={15} className="mt-0.5 shrink-0" aria-hidden />
            {error}
          </p>
        ) : success ? (
          <div className="flex items-center gap-1.5 text-sm text-ok">{success}</div>
        ) : (
          hint && <div className="text-xs text-fg-3">{hint}</div>
        )}
      </div>
    </div>
  )
}

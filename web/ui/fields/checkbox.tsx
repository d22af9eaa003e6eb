import type { ComponentProps, ReactNode } from 'react'
import { useId } from 'react'
import { cx } from '../cx.ts'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** Text next to the box. A click on it counts. */
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
}

/** `<Checkbox label checked onChange />`. The whole line is the target, 44 px high. */
export function Checkbox({ label, hint, error, className, ...rest }: CheckboxProps) {
  const noteId = useId()
  const note = error ?? hint
  return (
    <div className={className}>
      <label className="flex min-h-11 items-center gap-2.5 text-sm select-none">
        <input
          {...rest}
          type="checkbox"
          className="checkbox"
          aria-describedby={note ? noteId : undefined}
          aria-invalid={error ? true : undefined}
        />
        <span>{label}</span>
      </label>
      <div id={noteId} aria-live="polite" className={cx('ml-7.5 text-xs', error ? 'text-bad' : 'text-fg-3')}>
        {note}
      </div>
    </div>
  )
}

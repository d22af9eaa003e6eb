import type { ReactNode } from 'react'
import { useId } from 'react'
import { cx } from '../../cx.ts'

interface SwitchProps {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
  /** Why the person may not change it; said under the label. */
  denied?: string | undefined
  /** The label is for screen readers only: in a table cell whose head says it already. */
  bare?: boolean
  /** Shown instead of the label, where the card says what it is about: "Active". */
  short?: string | undefined
  /** Less visible, for a list in which the rows matter more. */
  quiet?: boolean
  className?: string
}

/** Takes effect at once, unlike a checkbox. `<Switch label checked onChange={(on) => …} hint bare disabled />` */
export function Switch({
  label,
  hint,
  checked,
  onChange,
  disabled,
  denied,
  bare,
  short,
  quiet,
  className,
}: SwitchProps) {
  const labelId = useId()
  const hintId = useId()
  return (
    <label
      className={cx(
        'flex min-h-11 items-center gap-4 text-sm select-none',
        quiet && 'text-fg-2',
        bare ? 'justify-start' : 'justify-between',
        short && '-my-1 gap-2!',
        className,
      )}
    >
      {short && <span aria-hidden>{short}</span>}
      <span className={cx('min-w-0', (bare || short) && 'sr-only')}>
        <span id={labelId} className="block">
          {label}
        </span>
        {(denied ?? hint) && (
          <span id={hintId} className="block text-xs text-fg-3">
            {denied ?? hint}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className={cx('switch', quiet && 'checked:bg-brand-bg checked:before:bg-brand')}
        checked={checked}
        disabled={disabled || denied !== undefined}
        aria-labelledby={labelId}
        aria-describedby={(denied ?? hint) ? hintId : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}

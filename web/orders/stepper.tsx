import { useState, type ComponentProps } from 'react'
import { plainDigits } from '../../contract/digits.ts'
import { t } from '../platform/i18n.ts'
import { useFieldControl } from '../ui/fields/field-context.ts'
import { cx } from '../ui/cx.ts'

interface StepperProps extends Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange' | 'min' | 'max' | 'step'> {
  /** A whole number from `min` to `max`. Undefined while something else is typed. */
  value: number | undefined
  /** Called with whole numbers between `min` and `max`, and with undefined for any other typed text. */
  onChange: (value: number | undefined) => void
  min?: number
  max?: number
  step?: number
}

/** Edits a whole number with − and +. `<Stepper value onChange min={1} max={100} />`. Arrow keys work in the field. */
export function Stepper({ value, onChange, min = 1, max = 100, step = 1, className, disabled, ...rest }: StepperProps) {
  // The typed text. A wrong one stays, so that it can be corrected, unless a button sets another value.
  const [typed, setTyped] = useState<string>()
  const isKept = value === undefined || typed?.trim() === '' || Number(typed) === value
  const change = (next: number) => {
    setTyped(undefined)
    onChange(Math.min(max, Math.max(min, next)))
  }
  const move = (by: number) => change(value === undefined ? min : value + by)
  const type = (text: string) => {
    setTyped(text)
    const next = Number(text)
    // A person who clears the field is about to type another number.
    if (text.trim() !== '') onChange(Number.isInteger(next) && next >= min && next <= max ? next : undefined)
  }
  const leave = () => {
    if (typed?.trim() === '') onChange(undefined)
    else if (value !== undefined) setTyped(undefined)
  }
  const buttonClass = '-my-px min-h-11 w-11 shrink-0 text-xl text-fg-2 hover:text-fg aria-disabled:opacity-50'
  return (
    <div
      className={cx(
        'control flex items-stretch p-0! focus-within:outline-2 focus-within:-outline-offset-1 ' +
          'focus-within:outline-brand',
        className,
      )}
    >
      <button
        type="button"
        aria-label={t('Decrease')}
        disabled={disabled}
        // A button disabled by its own click would lose the focus. Beyond the limit it changes nothing.
        aria-disabled={disabled || (value ?? min + 1) <= min}
        onClick={() => move(-step)}
        className={buttonClass}
      >
        −
      </button>
      <input
        {...useFieldControl()}
        {...rest}
        disabled={disabled}
        inputMode="numeric"
        role="spinbutton"
        aria-valuenow={value}
        aria-valuemin={min}
        aria-valuemax={max}
        value={(isKept ? typed : undefined) ?? String(value ?? '')}
        onChange={(event) => type(plainDigits(event.target.value))}
        onBlur={leave}
        onKeyDown={(event) => {
          const by = { ArrowUp: step, ArrowDown: -step, PageUp: 10 * step, PageDown: -10 * step }[event.key]
          if (by === undefined) return
          event.preventDefault()
          move(by)
        }}
        className="tabular w-0 min-w-0 flex-1 bg-transparent text-center outline-none"
      />
      <button
        type="button"
        aria-label={t('Increase')}
        disabled={disabled}
        aria-disabled={disabled || (value ?? max - 1) >= max}
        onClick={() => move(step)}
        className={buttonClass}
      >
        +
      </button>
    </div>
  )
}

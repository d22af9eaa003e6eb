import type { ComponentProps } from 'react'
import { plainDigits } from '../../../contract/digits.ts'
import { useFieldControl } from './field-context.ts'
import { cx } from '../cx.ts'

interface InputProps extends ComponentProps<'input'> {
  /** For codes, references and keys. */
  mono?: boolean
}

/**
 * A text field. Takes every attribute and `ref` of `<input>`. With the `inputMode` of a number it takes the digits of
 * every script, and no suggestions.
 */
export function Input({ mono, className, onChange, ...rest }: InputProps) {
  const isNumber = rest.inputMode === 'decimal' || rest.inputMode === 'numeric'
  return (
    <input
      {...useFieldControl()}
      {...(isNumber && { autoComplete: 'off' })}
      {...rest}
      onChange={(event) => {
        if (isNumber) event.target.value = plainDigits(event.target.value)
        onChange?.(event)
      }}
      className={cx('control', mono && 'font-mono', isNumber && 'tabular', className)}
    />
  )
}

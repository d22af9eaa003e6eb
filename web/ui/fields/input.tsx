import type { ComponentProps } from 'react'
import { useFieldControl } from './field-context.ts'
import { cx } from '../cx.ts'

interface InputProps extends ComponentProps<'input'> {
  /** For codes, references and keys. */
  mono?: boolean
}

/** A text field. Takes every attribute and `ref` of `<input>`, so `{...register('utr')}` fits. */
export function Input({ mono, className, ...rest }: InputProps) {
  return <input {...useFieldControl()} {...rest} className={cx('control', mono && 'font-mono', className)} />
}

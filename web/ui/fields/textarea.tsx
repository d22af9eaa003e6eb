import type { ComponentProps } from 'react'
import { useFieldControl } from './field-context.ts'
import { cx } from '../cx.ts'

interface TextareaProps extends ComponentProps<'textarea'> {
  mono?: boolean
}

/** Several lines; grows with its text where the browser can. Takes `ref` and all attributes of `<textarea>`. */
export function Textarea({ mono, rows = 3, className, ...rest }: TextareaProps) {
  return (
    <textarea
      {...useFieldControl()}
      {...rest}
      rows={rows}
      className={cx('control field-sizing-content max-h-80 min-h-24 resize-y', mono && 'font-mono text-sm', className)}
    />
  )
}

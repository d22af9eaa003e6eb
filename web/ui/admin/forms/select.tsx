import type { ComponentProps } from 'react'
import { ChevronsUpDown } from 'lucide-react'
import { useFieldControl } from '../../fields/field-context.ts'
import { cx } from '../../cx.ts'

/** The browser's own select, in the kit's dress: `<Select value onChange><option…/></Select>`. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <div className={cx('relative', className)}>
      <select {...useFieldControl()} {...rest} className="control" />
      <ChevronsUpDown size={16} aria-hidden className="pointer-events-none absolute top-3.5 right-3.5 text-fg-3" />
    </div>
  )
}

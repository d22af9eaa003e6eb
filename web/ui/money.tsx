import { formatRupees, formatSignedRupees } from '../platform/money.ts'
import { cx } from './cx.ts'

interface MoneyProps {
  /** In rupees, as it comes over the wire. */
  rupees: number
  /** +₹1,100 in green, −₹649 plain. */
  signed?: boolean
  className?: string
}

/** An amount with figures of one width, in lakh grouping. `<Money rupees={2340} signed />` */
export function Money({ rupees, signed, className }: MoneyProps) {
  return (
    <span className={cx('tabular whitespace-nowrap', signed && rupees > 0 && 'text-ok', className)}>
      {signed ? formatSignedRupees(rupees) : formatRupees(rupees)}
    </span>
  )
}

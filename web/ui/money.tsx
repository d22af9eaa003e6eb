import { formatRupees, formatSignedRupees } from '../platform/money.ts'
import { cx } from './cx.ts'

interface MoneyProps {
  /** In rupees, as the API sends it. Undefined shows a dash. */
  rupees: number | undefined
  /** +₹1,100 in green, −₹649 plain. */
  signed?: boolean
  className?: string
}

/** Shows an amount with equal-width digits in lakh grouping. `<Money rupees={2340} signed />` */
export function Money({ rupees, signed, className }: MoneyProps) {
  return (
    <span className={cx('tabular whitespace-nowrap', signed && Number(rupees) > 0 && 'text-ok', className)}>
      {rupees === undefined ? '–' : signed ? formatSignedRupees(rupees) : formatRupees(rupees)}
    </span>
  )
}

import { t } from '../../platform/i18n.ts'
import { formatRupees } from '../../platform/money.ts'

/** "You sell at ₹120, they at ₹80: ₹40 a key." */
export const marginText = (price: number, theirs: number): string =>
  t('You sell at {price}, they at {theirs}: {margin} a key.', {
    price: formatRupees(price),
    theirs: formatRupees(theirs),
    margin: formatRupees(price - theirs),
  })

import { parseRupees, toRupees, ZERO } from '../../../../contract/money.ts'
import { t } from '../../../platform/i18n.ts'
import { formatRupees, sumRupees } from '../../../platform/money.ts'

/** As typed, or as saved in rupees. */
type Typed = string | number | undefined

interface Terms {
  reward: Typed
  friendGets: Typed
  minimum: Typed
}

/** What both rewards are together, and what they are for, in rupees. Undefined while a field is wrong. */
export function shareOf(terms: Terms): { both: number; minimum: number } | undefined {
  const [reward, friendGets, minimum] = [terms.reward, terms.friendGets, terms.minimum].map((typed = '') =>
    parseRupees(typed),
  )
  if (reward === undefined || friendGets === undefined || minimum === undefined || minimum <= ZERO) return undefined
  return { both: sumRupees([toRupees(reward), toRupees(friendGets)]), minimum: toRupees(minimum) }
}

/** An invitation gives a discount on money that came, and never more than half of it. */
export function rewardFault(terms: Terms): string | undefined {
  const { both = 0, minimum = 0 } = shareOf(terms) ?? {}
  return both > minimum / 2
    ? t('Both rewards together can be at most half of the first payment: {amount}.', {
        amount: formatRupees(minimum / 2),
      })
    : undefined
}

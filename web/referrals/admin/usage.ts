import type { ReferralCode } from '../../../contract/referrals.ts'
import { t } from '../../platform/i18n.ts'
import { formatCount } from '../../platform/money.ts'

type Usage = Pick<ReferralCode, 'usageCount' | 'maxUsage'>

const NEARLY_USED_UP = 0.8

export function isUsedUp({ usageCount, maxUsage }: Usage): boolean {
  return maxUsage !== null && usageCount >= maxUsage
}

/** Returns the used share of a code, 0 to 1; undefined if it is unlimited. */
export function usedShare({ usageCount, maxUsage }: Usage): number | undefined {
  return maxUsage === null ? undefined : Math.min(1, usageCount / maxUsage)
}

export function usageTone(usage: Usage): 'brand' | 'warn' | 'bad' {
  if (isUsedUp(usage)) return 'bad'
  return (usedShare(usage) ?? 0) >= NEARLY_USED_UP ? 'warn' : 'brand'
}

export function usageText({ usageCount, maxUsage }: Usage): string {
  const used = formatCount(usageCount)
  return maxUsage === null
    ? t('{used} used · unlimited', { used })
    : t('{used} of {most} used', { used, most: formatCount(maxUsage) })
}

export type ReferralFilter = 'all' | 'active' | 'inactive' | 'used-up'

/** Returns the codes of a kind whose code or description contains every typed word. */
export function filterReferrals(
  codes: readonly ReferralCode[],
  filter: ReferralFilter,
  search: string,
): readonly ReferralCode[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return codes.filter((referral) => {
    if (filter === 'used-up' && !isUsedUp(referral)) return false
    if (filter === 'active' && !referral.isActive) return false
    if (filter === 'inactive' && referral.isActive) return false
    const text = `${referral.code} ${referral.description}`.toLocaleLowerCase()
    return words.every((word) => text.includes(word))
  })
}

import type { ReferralCode } from '../../../contract/referrals.ts'

/** As typed. */
export type ReferralDraft = ReturnType<typeof draftOf>

export function draftOf(referral?: ReferralCode) {
  return {
    code: referral?.code ?? '',
    description: referral?.description ?? '',
    /** Empty for unlimited. */
    maxUsage: String(referral?.maxUsage ?? ''),
    rewardAmount: String(referral?.rewardAmount ?? 0),
    isActive: referral?.isActive ?? true,
    /** Undefined until chosen: proposed for a new code that anybody may use without a limit. */
    paysAfterTopUp: referral?.paysAfterTopUp,
    /** Empty for no ceiling. */
    dayMax: String(referral?.dayMax ?? ''),
  }
}

export const paysAfterTopUp = (draft: ReferralDraft): boolean => draft.paysAfterTopUp ?? draft.maxUsage.trim() === ''

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Eight letters and digits that are not mistaken for one another. */
export function suggestCode(random: (below: number) => number = randomBelow): string {
  return Array.from({ length: 8 }, () => LETTERS.charAt(random(LETTERS.length))).join('')
}

function randomBelow(below: number): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
  return value % below
}

import { parseRupees, toRupees, ZERO } from '../../../contract/money.ts'
import type { ReferralCode } from '../../../contract/referrals.ts'
import { t } from '../../platform/i18n.ts'
import type { ReferralTerms } from './use-referrals.ts'

/** As typed. */
export interface ReferralDraft {
  code: string
  description: string
  /** Empty for unlimited. */
  maxUsage: string
  rewardAmount: string
  isActive: boolean
  /** Undefined until chosen: proposed for a new code that anybody may use without a limit. */
  paysAfterTopUp: boolean | undefined
  /** Empty for no ceiling. */
  dayMax: string
}

export const paysAfterTopUp = (draft: ReferralDraft): boolean => draft.paysAfterTopUp ?? draft.maxUsage.trim() === ''

type Faults = Partial<Record<keyof ReferralDraft, string>>

const DESCRIPTION_LENGTH_MAX = 200
const MAX_USAGE_MAX = 1_000_000_000

export function draftOf(referral?: ReferralCode): ReferralDraft {
  return {
    code: referral?.code ?? '',
    description: referral?.description ?? '',
    maxUsage: referral?.maxUsage ? String(referral.maxUsage) : '',
    rewardAmount: referral ? String(referral.rewardAmount) : '0',
    isActive: referral?.isActive ?? true,
    paysAfterTopUp: referral?.paysAfterTopUp,
    dayMax: referral?.dayMax ? String(referral.dayMax) : '',
  }
}

/** Returns the error of each field. The server checks the same and decides. */
export function faultsOf(draft: ReferralDraft, usageCount = 0): Faults {
  return {
    ...faultOf('code', codeFault(draft.code.trim().toUpperCase())),
    ...faultOf('description', descriptionFault(draft.description.trim())),
    ...faultOf('maxUsage', maxUsageFault(draft.maxUsage.trim(), usageCount)),
    ...faultOf('rewardAmount', rewardFault(draft.rewardAmount.trim())),
    ...faultOf('dayMax', dayMaxFault(draft.dayMax.trim())),
  }
}

function faultOf(field: keyof ReferralDraft, fault: string | undefined): Faults {
  return fault === undefined ? {} : { [field]: fault }
}

function codeFault(code: string): string | undefined {
  if (code === '') return t('Code is required')
  return /^[A-Z0-9_-]{3,32}$/.test(code) ? undefined : t('Use 3 to 32 letters, numbers, - or _')
}

function descriptionFault(description: string): string | undefined {
  if (description === '') return t('Description is required')
  return description.length > DESCRIPTION_LENGTH_MAX
    ? t('Use up to {most} characters', { most: DESCRIPTION_LENGTH_MAX })
    : undefined
}

function maxUsageFault(written: string, usageCount: number): string | undefined {
  if (written === '') return undefined
  const count = /^\d{1,10}$/.test(written) ? Number(written) : 0
  if (count < 1 || count > MAX_USAGE_MAX) return t('Enter a whole number from 1, or leave empty for unlimited')
  if (count >= usageCount) return undefined
  return t('Already used {count, plural, one {# time} other {# times}}. Maximum uses can’t be lower than this.', {
    count: usageCount,
  })
}

function rewardFault(written: string): string | undefined {
  if (written === '') return undefined
  const reward = parseRupees(written)
  return reward === undefined || reward < ZERO ? t('Enter ₹0 or more, up to 2 decimal places') : undefined
}

function dayMaxFault(written: string): string | undefined {
  if (written === '') return undefined
  const most = parseRupees(written)
  return most === undefined || most <= ZERO ? t('Enter more than ₹0, or leave empty for no ceiling') : undefined
}

/** Returns the terms to send. The draft must have no faults. */
export function termsOf(draft: ReferralDraft): ReferralTerms {
  const maxUsage = draft.maxUsage.trim()
  return {
    code: draft.code.trim().toUpperCase(),
    description: draft.description.trim(),
    maxUsage: maxUsage === '' ? null : Number(maxUsage),
    rewardAmount: toRupees(parseRupees(draft.rewardAmount) ?? ZERO),
    isActive: draft.isActive,
    paysAfterTopUp: paysAfterTopUp(draft),
    dayMax: draft.dayMax.trim() === '' ? null : toRupees(parseRupees(draft.dayMax) ?? ZERO),
  }
}

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Eight letters and digits that are not mistaken for one another. */
export function suggestCode(random: (below: number) => number = randomBelow): string {
  return Array.from({ length: 8 }, () => LETTERS.charAt(random(LETTERS.length))).join('')
}

function randomBelow(below: number): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
  return value % below
}

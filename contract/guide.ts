/** The steps that lead from an empty store to its first buyer, in their order. */

/** Without these nothing can be sold; the store's name is asked first, because buyers see it at once. */
export const FIRST_STEPS = ['name', 'upiId', 'product', 'keys', 'referralCode', 'supportLink'] as const
/** These make a store that people come back to. Each can be skipped. */
export const LATER_STEPS = ['face', 'plans', 'buyerView', 'phone', 'share', 'backup', 'twoStep'] as const
export const GUIDE_STEPS = [...FIRST_STEPS, ...LATER_STEPS] as const
export type GuideStep = (typeof GUIDE_STEPS)[number]

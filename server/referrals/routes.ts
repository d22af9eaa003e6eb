import type { referrals } from '../../contract/referrals.ts'
import type { Handlers } from '../platform/http/http.ts'
import type { Services } from '../platform/services.ts'
import { readReferralStats } from './read-referral-stats.ts'
import { listReferralCodes, validateReferral } from './referral-codes.ts'
import { createReferral, removeReferral, updateReferral } from './save-referral.ts'

export const referralRoutes = ({ db }: Services): Handlers<typeof referrals> => ({
  validate: ({ code }) => validateReferral(db, code),
  list: () => listReferralCodes(db),
  stats: () => readReferralStats(db),
  create: (form, call) => createReferral(db, form, call),
  update: (change, call) => updateReferral(db, change, call),
  remove: ({ id }, call) => removeReferral(db, id, call),
})

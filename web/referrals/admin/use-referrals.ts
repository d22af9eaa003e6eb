import { useQuery } from '@tanstack/react-query'
import type { ReferralCode } from '../../../contract/referrals.ts'
import { referralCodes, referralStats } from '../../../contract/panel-pages.ts'
import { panelQuery } from '../../platform/admin/panel-query.ts'
import { useChange, useRowChange } from '../../platform/admin/use-change.ts'
import { client } from '../../platform/calls/client.ts'
import { makesStale } from '../../platform/calls/queries.ts'
import { draftOf, type ReferralDraft } from './referral-form.ts'

const REFERRALS = ['referrals']

/** All codes, newest first. */
export function useReferrals() {
  return useQuery(panelQuery(referralCodes))
}

export function useReferralStats() {
  return useQuery(panelQuery(referralStats))
}

/** Saves a code: all of a new one, of another what is changed. */
export const useSaveReferral = (referral?: ReferralCode) =>
  useChange(
    (typed: Partial<ReferralDraft>) =>
      referral
        ? client.referrals.update({ id: referral._id, ...typed })
        : client.referrals.create({ ...draftOf(), ...typed }),
    makesStale(REFERRALS),
  )

export const useRemoveReferral = () => useChange((id: string) => client.referrals.remove({ id }), makesStale(REFERRALS))

/** `toggle(referral, { isActive: false })` */
export function useToggleReferral() {
  return useRowChange<ReferralCode>({
    rows: referralCodes.key,
    send: ({ _id }, { isActive }) => client.referrals.update({ id: _id, ...(isActive !== undefined && { isActive }) }),
    stale: REFERRALS,
  })
}

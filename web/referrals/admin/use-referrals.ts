import { useQuery } from '@tanstack/react-query'
import type { ReferralCode } from '../../../contract/referrals.ts'
import { referralCodes, referralStats } from '../../../contract/panel-pages.ts'
import { panelQuery } from '../../platform/admin/panel-query.ts'
import { changesOf } from '../../platform/admin/changes-of.ts'
import { useChange, useRowChange } from '../../platform/admin/use-change.ts'
import { client } from '../../platform/calls/client.ts'
import { makesStale } from '../../platform/calls/queries.ts'

const REFERRALS = ['referrals']

export type ReferralTerms = Omit<ReferralCode, '_id' | 'usageCount' | 'given' | 'createdBy' | 'createdAt'>

/** All codes, newest first. */
export function useReferrals() {
  return useQuery(panelQuery(referralCodes))
}

export function useReferralStats() {
  return useQuery(panelQuery(referralStats))
}

/** Saves a code, a new one where there is no id. */
export const useSaveReferral = () =>
  useChange(
    ({ referral, terms }: { referral: ReferralCode | undefined; terms: ReferralTerms }) =>
      referral
        ? client.referrals.update({ id: referral._id, ...changesOf(terms, referral) })
        : client.referrals.create(terms),
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

import { unproven } from '../../worlds/admins.ts'
import { unique } from '../../worlds/constants.ts'
import { DESK } from '../../leaks/places.ts'
import { code, form, missing } from '../things.ts'
import type { Walk } from '../walk.ts'

const INVITES = { isOn: true, reward: 25, friendGets: '25', minimum: 200, days: 60, monthMax: 500, budget: 5_000 }

export const referrals: Walk<'referrals'> = {
  succeed: {
    validate: (shop) => shop.visitor().get(`/referral/validate/${shop.referralCode.toLowerCase()}`),
    list: (shop) => shop.owner.get('/referral'),
    stats: (shop) => shop.owner.get('/referral/stats'),
    create: (shop) =>
      shop.owner.post('/referral', {
        code: unique('n'),
        description: 'New',
        maxUsage: '',
        rewardAmount: '12.50',
        isActive: true,
      }),
    update: async (shop) => shop.owner.put(`/referral/${(await code(shop))._id}`, { isActive: false }),
    remove: async (shop) => shop.owner.delete(`/referral/${(await code(shop))._id}`),
    ownInvites: async (shop) => (await shop.buyer()).get('/invites/own'),
    inviters: (shop) => shop.owner.get('/invites'),
    setInviteTerms: async (shop) =>
      shop.owner.put(`/invites/${(await shop.buyer()).id}`, { reward: '50', monthMax: null, paused: true }),
    inviteSettings: (shop) => shop.owner.get('/settings/invites'),
    saveInviteSettings: (shop) => shop.owner.put('/settings/invites', INVITES),
  },
  refuse: {
    validate: {
      REFERRAL_NOT_FOUND: (shop) => shop.visitor().get('/referral/validate/NOSUCHCODE'),
      REFERRAL_USED_UP: async (shop) => {
        const { code: one } = await code(shop, { maxUsage: 1 })
        await shop.visitor().post('/auth/register', form(shop, { referralCode: one }))
        return shop.visitor().get(`/referral/validate/${one}`)
      },
    },
    create: {
      CODE_TAKEN: async (shop) =>
        shop.owner.post('/referral', { code: shop.referralCode.toLowerCase(), description: 'Again' }),
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop)).post('/referral', { code: unique('n'), description: 'Rewarded', rewardAmount: 1 }),
    },
    update: {
      NOT_FOUND: (shop) => shop.owner.put(`/referral/${missing()}`, { isActive: true }),
      CODE_TAKEN: async (shop) => shop.owner.put(`/referral/${(await code(shop))._id}`, { code: shop.referralCode }),
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop)).put(`/referral/${(await code(shop))._id}`, { rewardAmount: 10_001, maxUsage: 1 }),
    },
    setInviteTerms: {
      NOT_FOUND: (shop) => shop.owner.put(`/invites/${missing()}`, { paused: true }),
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop)).put(`/invites/${(await shop.buyer()).id}`, { reward: 26 }),
    },
    saveInviteSettings: {
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).put('/settings/invites', { budget: 5_001 }),
    },
    remove: { NOT_FOUND: (shop) => shop.owner.delete(`/referral/${missing()}`) },
  },
  shows: { inviters: { username: DESK }, setInviteTerms: { username: ['owner'] } },
}

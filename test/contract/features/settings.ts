import { unproven } from '../../worlds/admins.ts'
import { unique } from '../../worlds/constants.ts'
import type { Walk } from '../walk.ts'

export const settings: Walk<'settings'> = {
  succeed: {
    site: (shop) => shop.visitor().get('/settings/site'),
    saveSite: (shop) =>
      shop.owner.put('/settings/site', { websiteName: 'Chaabi', websiteTitle: 'Keys', websiteTitleHi: 'चाबी' }),
    saveFace: (shop) =>
      shop.owner.put('/settings/face', { accent: 'sky', heroLine: 'Keys in a minute', heroLineHi: 'मिनटों में key' }),
    upi: (shop) => shop.visitor().get('/settings/upi'),
    saveUpi: (shop) => shop.owner.put('/settings/upi', { upiId: 'shop@okaxis', paymentEnabled: true }),
    store: (shop) => shop.owner.get('/settings/store'),
    saveStore: (shop) =>
      shop.owner.put('/settings/store', {
        supportUrl: 'https://chat.example/shop',
        refundNoteHi: 'दीवाली पर रिफ़ंड नहीं।',
        merchantVpa: false,
        topupMax: '100000',
        topupValidityDays: null,
      }),
    markGuideStep: (shop) => shop.owner.put('/settings/guide', { step: 'backup', state: 'skipped' }),
    notice: (shop) => shop.visitor().get('/notice'),
    saveNotice: (shop) => shop.owner.put('/notice', { text: 'Line one\nLine two', noticeHi: 'पहली लाइन' }),
    version: (shop) => shop.visitor().get('/settings/version'),
    refreshVersion: (shop) => shop.owner.post('/settings/refresh-version'),
  },
  refuse: {
    saveSite: {
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop)).put('/settings/site', { websiteName: unique('Pay '), websiteTitle: 'Keys' }),
    },
    saveFace: {
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop)).put('/settings/face', { heroLine: unique('Pay thief@okaxis ') }),
    },
    saveNotice: {
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop)).put('/notice', { text: unique('Our new UPI ID is thief@okaxis ') }),
    },
    saveUpi: {
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).put('/settings/upi', { upiId: 'thief@okaxis' }),
    },
    saveStore: {
      STEP_UP_REQUIRED: async (shop) => (await unproven(shop)).put('/settings/store', { stepUpAbove: 9_999_999 }),
    },
  },
}

import { DESK } from '../../leaks/places.ts'
import { unproven } from '../../worlds/admins.ts'
import { codeForm } from '../../worlds/codes.ts'
import { decided, missing } from '../things.ts'
import type { Shop } from '../../worlds/shop.ts'
import type { Walk } from '../walk.ts'

/** Two codes of ₹100. */
const made = (shop: Shop) => shop.owner.api.wallet.makeCodes(codeForm(shop.store))

export const wallet: Walk<'wallet'> = {
  succeed: {
    history: async (shop) => (await shop.buyer({ balance: 100 })).get('/auth/balance-history?limit=50'),
    receipt: async (shop) => shop.owner.get(`/receipts/${await decided(shop)}`),
    redeem: async (shop) => (await shop.buyer()).post('/wallet/redeem', { code: (await made(shop)).codes[0] }),
    codes: async (shop) => {
      await made(shop)
      return shop.owner.get('/codes')
    },
    makeCodes: (shop) => shop.owner.post('/codes', codeForm(shop.store, { count: '2', amount: '10.50' })),
    endCodes: async (shop) => shop.owner.post(`/codes/${(await made(shop)).batch._id}/end`),
  },
  refuse: {
    receipt: { NOT_FOUND: (shop) => shop.owner.get(`/receipts/${missing()}`) },
    redeem: {
      CODE_INVALID: async (shop) => (await shop.buyer()).post('/wallet/redeem', { code: 'K7QM-2XRD-94HW-TB5N' }),
      CODE_USED: async (shop) => {
        const { codes } = await made(shop)
        const [code = ''] = codes
        await (await shop.buyer()).api.wallet.redeem({ code })
        return (await shop.buyer()).post('/wallet/redeem', { code })
      },
      ONE_EACH: async (shop) => {
        const [{ codes }, buyer] = [await made(shop), await shop.buyer()]
        await buyer.api.wallet.redeem({ code: codes[0] ?? '' })
        return buyer.post('/wallet/redeem', { code: codes[1] })
      },
    },
    makeCodes: {
      STEP_UP_REQUIRED: async (shop) =>
        (await unproven(shop)).post('/codes', codeForm(shop.store, { count: 2, amount: 10_000 })),
    },
    endCodes: { NOT_FOUND: (shop) => shop.owner.post(`/codes/${missing()}/end`) },
  },
  shows: { receipt: { username: DESK, UTR: DESK } },
}

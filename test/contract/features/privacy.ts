import { nextUtr, PASSWORD } from '../../worlds/shop.ts'
import { closing } from '../things.ts'
import type { Walk } from '../walk.ts'

export const privacy: Walk<'privacy'> = {
  succeed: {
    myData: async (shop) => (await shop.buyer({ balance: 50 })).get('/auth/my-data'),
    closeAccount: async (shop) => (await shop.buyer()).post('/auth/close-account', { password: PASSWORD }),
    keepAccount: async (shop) => {
      const { username } = await closing(shop)
      return shop.visitor().post('/auth/keep-account', { username, password: PASSWORD })
    },
  },
  refuse: {
    closeAccount: {
      WRONG_PASSWORD: async (shop) => (await shop.buyer()).post('/auth/close-account', { password: 'wrong' }),
      BALANCE_LEFT: async (shop) =>
        (await shop.buyer({ balance: 1 })).post('/auth/close-account', { password: PASSWORD }),
      REQUEST_PENDING: async (shop) => {
        const buyer = await shop.buyer()
        await buyer.api.payments.addMoney({ amount: 1, utr: nextUtr(), payerName: '9876543210' })
        return buyer.post('/auth/close-account', { password: PASSWORD })
      },
    },
    keepAccount: {
      WRONG_CREDENTIALS: async (shop) =>
        shop.visitor().post('/auth/keep-account', { username: (await closing(shop)).username, password: 'wrong' }),
      ACCOUNT_NOT_CLOSING: async (shop) =>
        shop.visitor().post('/auth/keep-account', { username: (await shop.buyer()).username, password: PASSWORD }),
    },
  },
}

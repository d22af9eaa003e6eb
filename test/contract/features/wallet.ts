import type { Walk } from '../walk.ts'

export const wallet: Walk<'wallet'> = {
  succeed: {
    history: async (shop) => (await shop.buyer({ balance: 100 })).get('/auth/balance-history?limit=50'),
  },
  refuse: {},
}

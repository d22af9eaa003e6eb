import { DESK } from '../../leaks/places.ts'
import { decided, missing } from '../things.ts'
import type { Walk } from '../walk.ts'

export const wallet: Walk<'wallet'> = {
  succeed: {
    history: async (shop) => (await shop.buyer({ balance: 100 })).get('/auth/balance-history?limit=50'),
    receipt: async (shop) => shop.owner.get(`/receipts/${await decided(shop)}`),
  },
  refuse: { receipt: { NOT_FOUND: (shop) => shop.owner.get(`/receipts/${missing()}`) } },
  shows: { receipt: { username: DESK, UTR: DESK } },
}

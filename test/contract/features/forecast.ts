import type { Walk } from '../walk.ts'

export const forecast: Walk<'forecast'> = {
  succeed: {
    read: async (shop) => {
      await shop.product({ stock: 2 })
      return shop.owner.get('/reports/forecast')
    },
  },
  refuse: {},
}

/** Mistakes in what a buyer pays. */
import type { PlantedBug } from './plant.ts'

export const priceBugs: readonly PlantedBug[] = [
  {
    name: 'prices: a step counts beside an own price',
    test: 'server/catalogue/buyers-price.test.ts',
    changes: [
      {
        file: 'server/catalogue/pricing.ts',
        find: 'paise(custom ?? (group === null ? price : price === 0 ? group : Math.min(price, group)))',
        replace: 'paise(Math.min(custom ?? Infinity, price))',
      },
    ],
  },
  {
    name: 'prices: a group that a buyer joins is not locked',
    test: 'server/groups/groups.test.ts',
    changes: [
      {
        file: 'server/users/set-group.ts',
        find: 'or id = ${groupId} for key share',
        replace: 'or id = ${groupId}',
      },
    ],
  },
  {
    name: 'prices: what the buyer saw is not compared',
    test: 'server/orders/steps.test.ts',
    changes: [
      {
        file: 'server/orders/decide-orders.ts',
        find: 'if (!isExpected || offer.unitPrice > priceMax)',
        replace: 'if (offer.unitPrice > priceMax)',
      },
    ],
  },
]

/** Mistakes in what a buyer pays. */
import type { PlantedBug } from './plant.ts'

export const priceBugs: readonly PlantedBug[] = [
  {
    name: 'prices: a step counts beside an own price',
    test: 'server/catalogue/buyers-price.test.ts',
    changes: [
      {
        file: 'server/catalogue/pricing.ts',
        find: 'paise(custom ?? priceFor({ price: list, steps }, quantity))',
        replace: 'paise(Math.min(custom ?? Infinity, priceFor({ price: list, steps }, quantity)))',
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

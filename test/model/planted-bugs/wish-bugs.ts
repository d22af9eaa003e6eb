/** Mistakes in what is bought when a payment is approved. */
import type { PlantedBug } from './plant.ts'

const test = 'server/orders/wishes.test.ts'

export const wishBugs: readonly PlantedBug[] = [
  {
    name: 'wishes: bought without the lock on the wish',
    test,
    changes: [
      {
        file: 'server/orders/settle-wishes.ts',
        find: 'where wish.topup_id = ${topUpId} and wish.ended_at is null\n       for update of wish`',
        replace: 'where wish.topup_id = ${topUpId} and wish.ended_at is null`',
      },
    ],
  },
  {
    name: 'wishes: bought at any price',
    test,
    changes: [
      { file: 'server/orders/decide-orders.ts', find: ' || offer.unitPrice > priceMax)', replace: ' || priceMax < 0)' },
    ],
  },
  {
    name: 'wishes: an order after the end of the wish',
    test,
    changes: [
      {
        file: 'server/orders/settle-wishes.ts',
        find: 'where wish.topup_id = ${topUpId} and wish.ended_at is null\n       for update',
        replace: 'where wish.topup_id = ${topUpId}\n       for update',
      },
      {
        file: 'server/orders/settle-wishes.ts',
        find: 'from order_wishes where topup_id = ${topUpId} and ended_at is null`',
        replace: 'from order_wishes where topup_id = ${topUpId}`',
      },
    ],
  },
]

import type { Wish } from '../../../contract/orders.ts'
import { wishText } from './wish-words.ts'

/** What a payment buys or bought, in the list of payments. */
export function WishLine({ wish }: { wish: Wish }) {
  return <p className="text-sm wrap-anywhere text-fg-2">{wishText(wish)}</p>
}

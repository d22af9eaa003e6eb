/** What renews for a buyer, in words, and the calls that change it. */
import { useQuery } from '@tanstack/react-query'
import { priceFor } from '../../contract/prices.ts'
import type { Renewal, RenewalReason } from '../../contract/renewals.ts'
import { useProducts } from '../catalogue/use-products.ts'
import { client } from '../platform/calls/client.ts'
import { queryClient } from '../platform/calls/queries.ts'
import { useCall } from '../platform/calls/use-call.ts'
import { t } from '../platform/i18n.ts'
import { sumRupees, timesRupees } from '../platform/money.ts'
import { useSession } from '../platform/session/session.ts'

/** Among the buyer's keys, because it changes with them (contract/live.ts). */
const KEY = ['keys', 'mine', 'renewals']

const useRenewals = () =>
  useQuery({ queryKey: KEY, queryFn: ({ signal }) => client.renewals.mine({}, { signal }), staleTime: 30_000 })

/** @returns the newest renewal of the purchase that these keys are of */
export const useRenewalOf = (keys: readonly { _id: string }[]): Renewal | undefined =>
  useRenewals().data?.find(({ keyIds }) => keys.some(({ _id }) => keyIds.includes(_id)))

/** What will end, because its buyer has bought the same again since. */
export const useDoomed = (): Renewal[] =>
  useRenewals().data?.filter((each) => isOpen(each) && each.reason === 'by-hand') ?? []

const onSettled = () => queryClient.invalidateQueries({ queryKey: KEY })
export const useMake = () => useCall('renewals.make', { onSettled })
export const useStop = () => useCall('renewals.stop', { onSettled })

export const isOpen = ({ state }: Renewal): boolean => state === 'waiting' || state === 'held'

type PricedOrder = Pick<Renewal, 'productId' | 'duration' | 'quantity'>

/**
 * Today's price of each key for this buyer, in rupees. Undefined for what is not for sale to them, and for what one
 * buyer may have once.
 */
export function usePrice({ productId, duration, quantity }: PricedOrder): number | undefined {
  const product = useProducts().data?.find(({ _id }) => _id === productId)
  const found = product?.prices.find((each) => each.duration === duration)
  return !found || found.perBuyer === 1 ? undefined : priceFor(found, quantity) || undefined
}

/** What the wallet lacks for it, in rupees. */
export function useShortfall({ productId, duration, quantity, max }: Renewal): number {
  const price = usePrice({ productId, duration, quantity }) ?? max
  const { user } = useSession()
  return Math.max(0, sumRupees([timesRupees(Math.min(price, max), quantity), -(user?.balance ?? 0)]))
}

/** Why nothing was bought. None for what the buyer ended, and where the key itself says it. */
export const ENDED: Record<RenewalReason, () => string | undefined> = {
  price: () => t('Not renewed: it cost more than your limit.'),
  stock: () => t('Not renewed: it was out of stock.'),
  money: () => t('Not renewed: your balance was too low.'),
  'not-for-sale': () => t('Not renewed: it’s no longer for sale.'),
  limit: () => t('Not renewed: you have bought all that one buyer can.'),
  'by-hand': () => t('Not renewed, because you bought it yourself.'),
  unused: () => t('You haven’t opened the store since the last renewal, so we stopped.'),
  untold: () => t('Not renewed: we couldn’t tell you a day before.'),
  account: () => t('Not renewed: your account couldn’t buy.'),
  refunded: () => undefined,
  stopped: () => undefined,
}

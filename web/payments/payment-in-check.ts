import type { OwnTopUp } from '../../contract/payments.ts'
import { useOwnRequests } from './use-own-requests.ts'

/** True for a payment that buys as soon as it is approved. */
export const willBuy = ({ then }: OwnTopUp): boolean => then?.state === 'waiting'

/** Returns the buyer's payment that is being checked: one that buys something, or else the newest. */
export function usePaymentInCheck(): OwnTopUp | undefined {
  const requests = useOwnRequests().data ?? []
  return requests.find(willBuy) ?? requests.find(({ status }) => status === 'pending')
}

import { useQueries } from '@tanstack/react-query'
import type { Payment } from '../../contract/payments.ts'
import { client } from '../platform/client.ts'
import { signsOf, type Sign } from './payment-manager-signs.ts'

const KNOWN_MAX = 100
const FRESH_MS = 60_000

/** The signs of one pending request; none while they are looked up, or where they can't be. */
export function useSigns(payment: Payment): readonly Sign[] {
  const ask = (text: string) => ({
    // Not under 'payments': each event of the queue would ask for all of it again.
    queryKey: ['payment-signs', text],
    queryFn: async ({ signal }: { signal: AbortSignal }) =>
      (await client.payments.list({ search: text, type: 'add_money', limit: KNOWN_MAX }, { signal })).payments,
    staleTime: FRESH_MS,
    enabled: text !== '',
  })
  const [sameUtr, samePhone, ofBuyer] = useQueries({
    queries: [ask(payment.utr), ask(payment.payerName), ask(payment.userId?.email ?? '')],
  })
  if (!sameUtr?.data || !samePhone?.data || !ofBuyer?.data) return []
  return signsOf(payment, { sameUtr: sameUtr.data, samePhone: samePhone.data, ofBuyer: ofBuyer.data })
}

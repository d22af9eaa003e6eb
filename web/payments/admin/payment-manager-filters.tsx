import type { PaymentStatus } from '../../../contract/payments.ts'

export type Filter = PaymentStatus | 'all'

export function toFilter(status: string | undefined): Filter {
  return status === 'all' || status === 'approved' || status === 'rejected' ? status : 'pending'
}

import type { Payment, PaymentBank } from '../../contract/payments.ts'
import type { Queries } from '../platform/database/database.ts'

/** Hooks after a request or a review. The bank inbox (server/bank) provides them. */
export interface PaymentHooks {
  /** After the commit of a request. */
  afterRequest(request: { utr: string }): void
  /** After the commit of an approval by an admin. */
  afterApproval(payment: Payment): void
  /** When a UTR was refused because it is claimed already. */
  afterRepeat(utr: string, userId: string): Promise<void>
  /** Returns the bank's verdicts on pending requests, in a transaction where one is given. */
  bankOf(ids: readonly string[], tx?: Queries): Promise<Map<string, PaymentBank>>
  /** The ids of pending requests that the bank confirms. */
  confirmed(): Promise<string[]>
}

export const WITHOUT_BANK: PaymentHooks = {
  afterRequest() {},
  afterApproval() {},
  afterRepeat: () => Promise.resolve(),
  bankOf: () => Promise.resolve(new Map()),
  confirmed: () => Promise.resolve([]),
}

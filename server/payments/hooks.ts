import type { OwnTopUp } from '../../contract/payments.ts'
import type { PaymentBank } from '../../contract/payment-signs.ts'
import type { Transaction } from '../platform/database/database.ts'

/** What requests and reviews ask the bank's inbox (server/bank), which builds on them. */
export interface PaymentHooks {
  /** When a UTR was refused because it is claimed already. */
  afterRepeat(utr: string, userId: string): Promise<void>
  /** Returns the bank's verdicts on pending requests. */
  bankOf(ids: readonly string[], tx?: Transaction): Promise<Map<string, PaymentBank>>
  /** What a buyer may read about pending requests that the store will approve itself, by their ids. */
  checkedOf(userId: string, now: Date): Promise<Map<string, NonNullable<OwnTopUp['checked']>>>
  /** The ids of pending requests that the bank confirms. */
  confirmed(): Promise<string[]>
}

export const WITHOUT_BANK: PaymentHooks = {
  afterRepeat: () => Promise.resolve(),
  bankOf: () => Promise.resolve(new Map()),
  checkedOf: () => Promise.resolve(new Map()),
  confirmed: () => Promise.resolve([]),
}

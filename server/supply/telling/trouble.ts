/** Tells admins of trouble with a supplier: once a supplier, reason, thing and day. */
import { dayOf } from '../../../contract/india.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { enqueue } from '../../platform/outbox.ts'

/** What server/messages/words/admin/supply-words.ts says. */
type Trouble =
  | { why: 'low' | 'silent' | 'token' | 'address' | 'differs' }
  | { why: 'back'; count: number }
  | { why: 'replaced' | 'refunded' | 'rejected' | 'withdrawn'; claim: number }
  | { why: 'dear'; priceId: string; price: number; cap: number }
  | { why: 'unsettled' | 'limit' | 'request'; priceId: string }
  | { why: 'known-key' | 'above-cap' | 'by-hand' | 'removed' | 'lost'; number: number }

export function tellTrouble(tx: Transaction, linkId: string, trouble: Trouble, now: Date): void {
  const thing =
    'priceId' in trouble
      ? trouble.priceId
      : 'number' in trouble
        ? trouble.number
        : 'claim' in trouble
          ? trouble.claim
          : ''
  enqueue(tx, {
    kind: 'supply.trouble',
    subjectId: linkId,
    data: { ...trouble },
    dedupe: `supply.trouble:${linkId}:${trouble.why}:${thing}:${dayOf(now)}`,
    now,
  })
}

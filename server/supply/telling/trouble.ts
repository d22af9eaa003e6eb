/** Tells admins of trouble with a supplier: once a supplier, reason, thing and day. */
import { dayOf } from '../../../contract/india.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { enqueue } from '../../platform/outbox.ts'

/** What server/messages/words/admin/supply-words.ts says. */
type Trouble =
  | { why: 'low' | 'silent' | 'token' | 'address' | 'differs' }
  | { why: 'back'; count: number }
  | { why: 'recalled'; count: number; orders: string }
  | { why: 'replaced' | 'refunded' | 'rejected' | 'withdrawn'; claim: number }
  | { why: 'dear'; priceId: string; price: number; cap: number }
  | { why: 'unsettled' | 'limit' | 'request'; priceId: string }
  | { why: 'known-key' | 'above-cap' | 'by-hand' | 'removed' | 'lost'; number: number }

/** What a message may be about. */
type Named = { why: string; priceId?: string; number?: number; claim?: number }

export function tellTrouble(tx: Transaction, linkId: string, trouble: Trouble, now: Date): void {
  const { priceId, number, claim }: Named = trouble
  const thing = priceId ?? number ?? claim ?? ''
  enqueue(tx, {
    kind: 'supply.trouble',
    subjectId: linkId,
    data: { ...trouble },
    dedupe: `supply.trouble:${linkId}:${trouble.why}:${thing}:${dayOf(now)}`,
    now,
  })
}

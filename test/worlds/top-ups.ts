/** Top-up requests of a shop, and what became of them. */
import { expect } from 'vitest'
import * as z from 'zod/mini'
import type { BankAlarm } from '../../contract/bank-shapes.ts'
import type { Payment } from '../../contract/payments.ts'
import { sql } from '../../server/platform/database/database.ts'
import { nextUtr, type Buyer, type Shop } from './shop.ts'

const Match = z.object({ how: z.string(), released: z.boolean() })

export interface TopUps {
  asked(amount: number, utr?: string): Promise<{ buyer: Buyer; id: string; utr: string }>
  /** As the panel lists it. */
  listed(id: string): Promise<Payment | undefined>
  matchOf(id: string): Promise<z.output<typeof Match> | undefined>
  /** Waits until its match is made, a moment after the decision. */
  untilSettled(id: string, how: string): Promise<void>
  openAlarms(): Promise<BankAlarm[]>
}

export function topUpsOf(shop: Shop): TopUps {
  const matchOf = (id: string) =>
    shop.store.db.maybe(sql(Match)`
      select how, released_at is not null as released from bank_matches where topup_id = ${id}`)
  return {
    matchOf,
    async asked(amount, utr = nextUtr()) {
      const buyer = await shop.buyer()
      const { payment } = await buyer.api.payments.addMoney({ amount, utr, payerName: '9876543210' })
      return { buyer, id: payment._id, utr }
    },
    async listed(id) {
      const { payments } = await shop.owner.api.payments.list({ limit: 100 })
      return payments.find(({ _id }) => _id === id)
    },
    async untilSettled(id, how) {
      await expect.poll(async () => (await matchOf(id))?.how, { timeout: 5_000 }).toBe(how)
    },
    openAlarms: async () => (await shop.owner.api.bank.alarms({ open: true })).alarms,
  }
}

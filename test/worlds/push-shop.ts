/** A shop that sends push messages, and what its tests ask of it. */
import * as z from 'zod/mini'
import { startPushService, type PushService } from './mailboxes.ts'
import { nextUtr, openShop, type Buyer, type Shop } from './shop.ts'
import { withStore, type TestStore } from '../store.ts'
import { storeJobs } from '../../server/operations/jobs.ts'
import { sql } from '../../server/platform/database/database.ts'
import { runDueJobs } from '../../server/platform/jobs.ts'
import { sendDue } from '../../server/messages/worker.ts'

export const send = ({ app }: TestStore) => sendDue(app.services, app.reach)

export const ask = (buyer: Buyer, amount = 500) =>
  buyer.api.payments.addMoney({ amount, utr: nextUtr(), payerName: '9876543210' })

/** A shop with push on, an owner and a buyer who have each turned it on in their browser. */
export async function withPush(
  work: (given: { shop: Shop; buyer: Buyer; push: PushService; to: string }) => Promise<void>,
) {
  const push = await startPushService()
  try {
    await withStore(
      async (store) => {
        const shop = await openShop(store)
        await shop.owner.api.messages.saveChannel({ name: 'push', isOn: true })
        const buyer = await shop.buyer()
        await shop.owner.api.messages.subscribe(push.subscribe())
        const own = push.subscribe()
        await buyer.api.messages.subscribe(own)
        await work({ shop, buyer, push, to: new URL(own.endpoint).pathname })
      },
      { testOrigins: [push.origin] },
    )
  } finally {
    await push.stop()
  }
}

export const cleanUp = ({ db, clock }: TestStore) =>
  runDueJobs(
    db,
    storeJobs(db, () => Promise.resolve({ broken: [], warnings: [] })),
    clock,
  )

export const states = (store: TestStore) =>
  store.db.rows(sql(z.object({ state: z.string(), attempts: z.number(), error: z.nullable(z.string()) }))`
    select state, attempts, error from outbox_deliveries order by created_at, id`)

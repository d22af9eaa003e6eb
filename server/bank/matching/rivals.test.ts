import { expect, test } from 'vitest'
import { untilBlocked } from '../../../test/blocked.ts'
import { shopForFile } from '../../../test/shop-for-file.ts'
import type { Answer } from '../../../test/store.ts'
import { account, imported, rules } from '../../../test/worlds/bank.ts'
import { nextUtr } from '../../../test/worlds/shop.ts'
import { sql } from '../../platform/database/database.ts'
import { settle } from './settle.ts'

const shop = await shopForFile()
const { store } = shop

// Seen to fail without the lock in rivals.ts: neither sees the other, and the money is credited without an alarm
test('a rival’s claim that comes while the store approves the first one raises an alarm', async () => {
  const { _id: accountId } = await account(shop)
  const claim = { amount: 100, utr: nextUtr(), payerName: '9876543210' }
  const { payment } = await (await shop.buyer()).api.payments.addMoney(claim)
  await imported(shop, accountId, [{ refs: [claim.utr], amount: 100 }])
  const rival = await shop.buyer()
  await shop.owner.api.bank.saveRules(rules({ mode: 'auto' }))
  let both: Promise<[unknown, Answer]> | undefined

  await store.db.transaction(async (tx) => {
    // The approval has decided when it comes to the audit log
    await tx.run(sql`select from audit_head for update`)
    const approval = settle(store.app.services, [claim.utr])
    await untilBlocked(store.db, 1)
    const refused = rival.post('/payments/add-money', claim)
    await Promise.race([untilBlocked(store.db, 2), refused])
    both = Promise.all([approval, refused])
  })

  expect(await both).toMatchObject([{ approved: 1 }, { status: 409, body: { code: 'UTR_ALREADY_USED' } }])
  const { alarms } = await shop.owner.api.bank.alarms({})
  expect(alarms).toMatchObject([{ kind: 'rival-after-automatic', topUpId: payment._id }])
})

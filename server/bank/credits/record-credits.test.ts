import { expect, test } from 'vitest'
import { account, imported, rules } from '../../../test/worlds/bank.ts'
import { givenAlert, givenDevice } from '../../../test/worlds/alerts.ts'
import { untilBlocked } from '../../../test/blocked.ts'
import { shopForFile } from '../../../test/shop-for-file.ts'
import { inTheBooks } from '../../../test/users.ts'
import { nextUtr } from '../../../test/worlds/shop.ts'
import { sql } from '../../platform/database/database.ts'
import { settle } from '../matching/settle.ts'

const shop = await shopForFile()
const { store } = shop

// Seen to fail where the rules were locked only for alerts, or after the credits: a decision at the same time deadlocks
test.each<[string, (of: { accountId: string; utr: string; deviceId: string }) => Promise<unknown>]>([
  ['a statement', ({ accountId, utr }) => imported(shop, accountId, [{ refs: [utr], amount: 200 }])],
  ['an alert', ({ accountId, utr, deviceId }) => givenAlert(store, { accountId, deviceId, ref: utr, amount: 200 })],
  ['what a statement lacks', ({ accountId }) => imported(shop, accountId, [{}], { from: '2026-11-18' })],
])('%s that disproves a decision locks the rules before the money', async (what, disprove) => {
  await shop.owner.api.bank.saveRules(rules({ mode: 'auto', trusts: 'phone' }))
  const { _id: accountId } = await account(shop)
  const deviceId = await givenDevice(store.db, accountId)
  const utr = nextUtr()
  await (await shop.buyer()).api.payments.addMoney({ amount: 100, utr, payerName: '9876543210' })
  const at = new Date(store.clock.now().getTime() - 23 * 3_600_000)
  if (what === 'what a statement lacks') await givenAlert(store, { accountId, deviceId, ref: utr, amount: 100, at })
  else await imported(shop, accountId, [{ refs: [utr] }])
  await settle(store.app.services, [utr])
  let disproving: Promise<unknown> | undefined
  await store.db.transaction(async (tx) => {
    await tx.run(sql`select from bank_rules for update`)
    disproving = disprove({ accountId, utr, deviceId })
    await untilBlocked(store.db)
    await tx.run(sql`
      select from bank_credits join bank_credit_refs on credit_id = id where ref = ${utr} for update nowait`)
  })
  await disproving
  expect((await shop.owner.api.bank.rules({})).mode).toBe('propose')
  await inTheBooks(shop)
})

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { account, confirmed, credited, imported, rules, statementOf, type Row } from '../../../test/worlds/bank.ts'
import { topUpsOf } from '../../../test/worlds/top-ups.ts'
import { givenAlert, givenDevice } from '../../../test/worlds/alerts.ts'
import { untilBlocked } from '../../../test/blocked.ts'
import { nextUtr, OWNER } from '../../../test/worlds/shop.ts'
import { givenAdminCall } from '../../../test/services.ts'
import { DAY_MS } from '../../../contract/time.ts'
import { shopForFile } from '../../../test/shop-for-file.ts'
import { inTheBooks } from '../../../test/users.ts'
import { sql } from '../../platform/database/database.ts'
import { approveTopUp } from '../../payments/decide-top-up.ts'
import { newId } from '../../platform/ids.ts'
import { runDueJobs } from '../../platform/jobs.ts'
import { bankJobs } from '../jobs.ts'
import { settleLeft } from './follow-payments.ts'
import { settle } from './settle.ts'

/** Widened by the environment: RACES=100. */
const RACES = Number(process.env.RACES ?? 20)

const shop = await shopForFile()
const { store } = shop
const { asked, listed, matchOf, openAlarms, untilSettled } = topUpsOf(shop)
/** An account, and a phone that hears of its money. */
async function givenPhone() {
  const { _id: accountId } = await account(shop)
  return { accountId, deviceId: await givenDevice(store.db, accountId) }
}
/** So that a statement of the day before covers it. */
const yesterday = () => new Date(store.clock.now().getTime() - 23 * 3_600_000)

describe('by the store’s rules', () => {
  const automatic = (more: object = {}) =>
    shop.owner.api.bank.saveRules(
      rules({ mode: 'auto', perBuyerDay: 1_00_000, perDay: 10_00_000, perRequest: 50_000, ...more }),
    )

  test('a request is approved when its money comes, and money pays when its request comes', async () => {
    await automatic()
    const { id, utr } = await asked(100)
    const { _id: accountId } = await account(shop)
    const text = statementOf([{ refs: [utr], vpa: 'NEW1@OKAXIS' }])
    expect(await shop.owner.api.bank.preview({ text, accountId })).toMatchObject({ approvesNow: 1 })
    expect(await shop.owner.api.bank.import({ text, accountId })).toMatchObject({ approved: 1 })
    expect(await listed(id)).toMatchObject({ status: 'approved', decidedHow: 'bank' })

    const later = nextUtr()
    await imported(shop, accountId, [{ refs: [later], vpa: 'NEW2@OKAXIS' }])
    const second = await asked(100, later)
    await untilSettled(second.id, 'auto')
    const { entries } = await shop.owner.api.reports.audit({ action: 'payment.approve' })
    expect(entries[0]).toMatchObject({ admin: 'system', after: { bank: { proof: 'statement', uploadedBy: 'owner' } } })
    await inTheBooks(shop)
  })

  test('nothing is approved twice, when a request, its money, a statement and an admin meet', async () => {
    await automatic()
    const { accountId, deviceId } = await givenPhone()
    for (let round = 0; round < RACES; round++) {
      const utr = nextUtr()
      const buyer = await shop.buyer()
      const row: Row = { refs: [utr], vpa: `RACE${round}@OKAXIS` }
      const [first] = await Promise.all([
        buyer.api.payments.addMoney({ amount: 100, utr, payerName: '9876543210' }).then(async ({ payment }) => {
          await shop.owner.put(`/payments/${payment._id}/approve`)
          return payment._id
        }),
        givenAlert(store, { accountId, deviceId, ref: utr, amount: 100 }).then(() => settle(store.app.services, [utr])),
        imported(shop, accountId, [row], { opening: 100_000 + round }),
      ])
      await expect.poll(async () => (await matchOf(first))?.released, { timeout: 5_000 }).toBe(false)
      expect((await buyer.api.sessions.me({}))?.balance).toBe(100)
    }
    await inTheBooks(shop)
  })

  test('what alerts alone approve stays within the ceiling, also under fifty at once', async () => {
    await automatic({ trusts: 'phone', unprovenMax: 1_000 })
    const { accountId, deviceId } = await givenPhone()
    const { unproven } = await shop.owner.api.bank.rules({})
    const utrs: string[] = []
    for (let n = 0; n < 50; n++) {
      const { utr } = await asked(100)
      await givenAlert(store, { accountId, deviceId, ref: utr, amount: 100 })
      utrs.push(utr)
    }
    await Promise.all(utrs.map((utr) => settle(store.app.services, [utr])))
    const after = await shop.owner.api.bank.rules({})
    expect(after.unproven).toBe(1_000)
    expect(unproven).toBeLessThanOrEqual(1_000)
    await inTheBooks(shop)

    const lines = utrs.map((utr) => ({ refs: [utr] }))
    await imported(shop, accountId, lines)
    expect((await shop.owner.api.bank.rules({})).unproven, 'a statement takes them off').toBe(0)
    await inTheBooks(shop)
  })

  // Seen to fail without lockMoneyOf in decide-top-up.ts: both were approved
  test.each(['', 'SBIN'])('money does not pay while an admin approves its other reference (%s…)', async (bank) => {
    await automatic({ mode: 'propose' })
    const { creditId } = await credited(shop)
    const other = nextUtr()
    const [byHand, byRules] = [await asked(100, bank + other), await asked(100)]
    await store.db.run(sql`
      insert into bank_credit_refs (credit_id, ref)
      select ${creditId}, unnest(${[other, byRules.utr]}::text[])`)
    let both: Promise<unknown> = Promise.resolve()
    await store.db.transaction(async (tx) => {
      await tx.run(sql`select from audit_head for update`)
      const approved = shop.owner.api.payments.approve({ id: byHand.id })
      await untilBlocked(store.db, 1)
      // Only now, because the store itself may still be looking for the money of this request
      await store.db.run(sql`update bank_rules set mode = 'auto'`)
      both = Promise.all([approved, settle(store.app.services, [byRules.utr])])
      await untilBlocked(store.db, 2)
    })
    await both
    expect(await listed(byRules.id)).toMatchObject({ status: 'pending', bank: { verdict: 'unseen' } })
    await inTheBooks(shop)
  })

  // Seen to fail without the lock of readRules: both were approved, ₹1,200 in all
  test('of two alerts that meet below the ceiling, which has room for one, one approves', async () => {
    await automatic({ trusts: 'phone', unprovenMax: 1_000 })
    const { accountId, deviceId } = await givenPhone()
    const requests = [await asked(600), await asked(600)]
    for (const { utr } of requests) await givenAlert(store, { accountId, deviceId, ref: utr, amount: 600 })
    let both: Promise<unknown> = Promise.resolve()
    await store.db.transaction(async (tx) => {
      await tx.run(sql`select from bank_rules for update`)
      both = Promise.all(requests.map(({ utr }) => settle(store.app.services, [utr])))
      await untilBlocked(store.db, 2)
    })
    await both
    const statuses = await Promise.all(requests.map(async ({ id }) => (await listed(id))?.status ?? ''))
    expect(statuses.toSorted()).toEqual(['approved', 'pending'])
    const lines = requests.map(({ utr }) => ({ refs: [utr], amount: 600 }))
    await imported(shop, accountId, lines)
    await inTheBooks(shop)
  })

  test('an alert that a proven statement lacks turns it off and pauses the phone', async () => {
    await automatic({ trusts: 'phone' })
    const { accountId, deviceId } = await givenPhone()
    const { id, utr } = await asked(100)
    await givenAlert(store, { accountId, deviceId, ref: utr, amount: 100, at: yesterday() })
    await settle(store.app.services, [utr])
    expect(await listed(id)).toMatchObject({ status: 'approved', decidedHow: 'bank' })

    const from = '2026-11-19'
    await imported(shop, accountId, [{ day: from }], { from, to: from })
    expect((await shop.owner.api.bank.rules({})).mode, 'the period must end a day later').toBe('auto')
    await imported(shop, accountId, [{ amount: 3 }], { from })
    expect(await shop.owner.api.bank.rules({})).toMatchObject({
      mode: 'propose',
      offWhy: 'A statement doesn’t show money that an alert reported',
    })
    const kinds = (await openAlarms()).map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['alert-not-in-statement', 'automation-off']))
    const paused = await store.db.holds(sql`select paused_at is not null from bank_devices where id = ${deviceId}`)
    expect(paused).toBe(true)
    await inTheBooks(shop)
  })

  // Seen to fail without the lock in recordSome: the statement proved the credit, and the ceiling kept its amount
  test('a statement that arrives while an alert decides takes the amount off the ceiling', async () => {
    await automatic({ trusts: 'phone' })
    const { accountId, deviceId } = await givenPhone()
    const { id, utr } = await asked(100)
    const { unproven } = await shop.owner.api.bank.rules({})
    await givenAlert(store, { accountId, deviceId, ref: utr, amount: 100 })
    let both: Promise<unknown> = Promise.resolve()
    await store.db.transaction(async (tx) => {
      await tx.run(sql`select from bank_credits where id in (select credit_id from bank_credit_refs where ref = ${utr})
                          for update`)
      const settled = settle(store.app.services, [utr])
      await sleep(200)
      both = Promise.all([settled, imported(shop, accountId, [{ refs: [utr] }])])
      await sleep(200)
    })
    await both
    expect(await listed(id)).toMatchObject({ status: 'approved', decidedHow: 'bank' })
    expect((await shop.owner.api.bank.rules({})).unproven).toBe(unproven)
    await inTheBooks(shop)
  })

  // Seen to fail without IS_DISPROVEN: automation was on again, and the money that the bank never had was credited
  test('an alert that a proven statement lacks approves nothing later, whichever of the two came first', async () => {
    const { accountId, deviceId } = await givenPhone()
    const [before, after] = [nextUtr(), nextUtr()]
    const alert = { accountId, amount: 100, at: yesterday() }
    await givenAlert(store, { ...alert, deviceId, ref: before })
    await imported(shop, accountId, [{ amount: 5 }], { from: '2026-11-19' })
    await givenAlert(store, { ...alert, deviceId: await givenDevice(store.db, accountId), ref: after })
    await automatic({ trusts: 'phone' })
    for (const utr of [before, after]) {
      const { id } = await asked(100, utr)
      await settle(store.app.services, [utr])
      expect(await listed(id)).toMatchObject({ status: 'pending', bank: { verdict: 'differs' } })
    }
    await inTheBooks(shop)
  })

  test('a forged alert over the reference of a real rupee is not proven by it', async () => {
    await automatic({ trusts: 'phone' })
    const { accountId, deviceId } = await givenPhone()
    const { utr } = await asked(2_000)
    await givenAlert(store, { accountId, deviceId, ref: utr, amount: 2_000 })
    await settle(store.app.services, [utr])
    const { unproven } = await shop.owner.api.bank.rules({})
    await imported(shop, accountId, [{ refs: [utr], amount: 1 }])
    const { credits } = await shop.owner.api.bank.credits({ search: utr })
    expect(credits).toMatchObject([{ amount: 2_000, proof: 'alert', state: 'differs' }])
    expect(await shop.owner.api.bank.rules({})).toMatchObject({ mode: 'propose', unproven })
    await inTheBooks(shop)
  })

  test('what a dying node left unsettled, the job settles', async () => {
    await shop.owner.api.bank.saveRules(rules())
    const { id } = await confirmed(shop, { amount: 100, vpa: 'LEFT@OKAXIS' })
    await automatic()
    expect((await listed(id))?.status).toBe('pending')
    await settleLeft(store.app.services)
    expect(await listed(id)).toMatchObject({ status: 'approved', decidedHow: 'bank' })
  })

  test('an approval of a store that died at once and was off for three days finds its money', async () => {
    const { clock, db } = store
    await shop.owner.api.bank.saveRules(rules())
    const runJobs = () => runDueJobs(db, bankJobs(store.app.services), clock)
    await runJobs()
    const { id } = await confirmed(shop, { amount: 100 })
    const admin = await givenAdminCall(db)
    await approveTopUp(store.app.services, id, { ...admin, now: clock.now() })
    expect(await matchOf(id)).toBeUndefined()
    clock.advance(3 * 24 * 3_600_000)
    await runJobs()
    expect(await matchOf(id)).toMatchObject({ how: 'approved' })
    await shop.owner.api.sessions.adminLogin(OWNER)
    await inTheBooks(shop)
  })

  test('what a message told without becoming a credit is kept for 180 days', async () => {
    const { db, clock } = store
    const { _id: accountId } = await account(shop)
    const deviceId = await givenDevice(db, accountId)
    await givenAlert(store, { accountId, deviceId, ref: nextUtr(), amount: 100 })
    const given = (outcome: string, days: number) =>
      db.run(sql`
        insert into bank_sightings (id, source_key, device_id, outcome, amount_paise, seen_at)
        values (${newId()}, ${randomBytes(32)}, ${deviceId}, ${outcome}, 10000,
                ${new Date(clock.now().getTime() - days * DAY_MS)})`)
    await db.run(sql`
      update bank_sightings set seen_at = ${new Date(clock.now().getTime() - 200 * DAY_MS)}
       where device_id = ${deviceId}`)
    for (const outcome of ['hint', 'unread', 'refused']) for (const days of [179, 181]) await given(outcome, days)
    const job = bankJobs(store.app.services).find(({ name }) => name === 'forget-payers')
    expect(await job?.run(clock.now(), new AbortController().signal)).toMatchObject({ told: 3 })
    const kept = await db.texts(sql`select outcome from bank_sightings where device_id = ${deviceId} order by outcome`)
    expect(kept).toEqual(['credit', 'hint', 'refused', 'unread'])
  })

  test('who paid is erased after 180 days, however many there were', async () => {
    const { db, clock } = store
    const { _id: accountId } = await account(shop)
    await db.run(sql`
      insert into bank_credits (id, account_id, amount_paise, day, kind, proof, payer_name, first_seen_at)
      select gen_random_uuid(), ${accountId}, 100, now(), 'payment', 'none', 'RAVI',
             ${new Date(clock.now().getTime() - 181 * DAY_MS)}
        from generate_series(1, 5001)`)
    await bankJobs(store.app.services)
      .find(({ name }) => name === 'forget-payers')
      ?.run(clock.now(), new AbortController().signal)
    expect(
      await db.count(sql`select count(*) from bank_credits where account_id = ${accountId} and payer_name <> ''`),
    ).toBe(0)
  })

  test('a rule above the store’s largest top-up is refused', async () => {
    const answer = await shop.owner.put('/bank/rules', rules({ perRequest: 10_00_000 }))
    expect([answer.status, answer.body.fields.perRequest]).toEqual([400, 'Enter at most ₹1,00,000, the largest top-up'])
  })
})

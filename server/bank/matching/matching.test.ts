import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { account, confirmed, credited, imported, rules, statementOf, type Row } from '../../../test/worlds/bank.ts'
import { givenAlert, givenDevice } from '../../../test/worlds/alerts.ts'
import { untilBlocked } from '../../../test/blocked.ts'
import { nextUtr, OWNER } from '../../../test/worlds/shop.ts'
import { givenAdminCall } from '../../../test/services.ts'
import { DAY_MS } from '../../../contract/time.ts'
import { shopForFile } from '../../../test/shop-for-file.ts'
import type { Answer } from '../../../test/store.ts'
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

const listed = async (id: string) => {
  const { payments } = await shop.owner.api.payments.list({ limit: 100 })
  return payments.find(({ _id }) => _id === id)
}
const asked = async (amount: number, utr = nextUtr()) => {
  const buyer = await shop.buyer()
  const { payment } = await buyer.api.payments.addMoney({ amount, utr, payerName: '9876543210' })
  return { buyer, id: payment._id, utr }
}
const matchOf = (topUpId: string) =>
  store.db.maybe(sql(z.object({ how: z.string(), released: z.boolean() }))`
    select how, released_at is not null as released from bank_matches where topup_id = ${topUpId}`)
/** So that a statement of the day before covers it. */
const yesterday = () => new Date(store.clock.now().getTime() - 23 * 3_600_000)
const openAlarms = async () => (await shop.owner.api.bank.alarms({ open: true })).alarms
const untilSettled = async (id: string, how: string) => {
  await expect.poll(async () => (await matchOf(id))?.how, { timeout: 5_000 }).toBe(how)
}

describe('a statement', () => {
  test('is read without storing anything, and then confirms the request whose money is in it', async () => {
    const { _id: accountId } = await account(shop)
    const { id, utr } = await asked(250)
    const text = statementOf([{ refs: [utr], amount: 250 }, {}, { amount: -40 }])

    const preview = await shop.owner.api.bank.preview({ text, accountId })
    expect(preview).toMatchObject({ lines: 3, credits: 2, known: 0, confirmed: 1, approvesNow: 0, balances: 'proven' })
    expect(await listed(id)).toMatchObject({ bank: { verdict: 'unseen' } })
    expect((await shop.owner.api.bank.imports({})).imports).toEqual([])

    expect(await shop.owner.api.bank.import({ text, accountId })).toMatchObject({
      new: 2,
      known: 0,
      matched: 1,
      confirmed: 1,
    })
    expect((await listed(id))?.bank).toMatchObject({ verdict: 'confirmed', amount: 250, proof: 'statement' })
    const { payments } = await shop.owner.api.payments.list({ bank: 'confirmed' })
    expect(payments.map(({ _id }) => _id)).toEqual([id])

    await shop.owner.api.payments.approve({ id })
    await untilSettled(id, 'approved')
    expect((await shop.owner.api.payments.list({ bank: 'confirmed' })).total).toBe(0)
    await inTheBooks(shop)
  })

  test('that is uploaded again changes nothing and is answered with 200', async () => {
    const { _id: accountId } = await account(shop)
    const text = statementOf([{}, {}])
    expect((await shop.owner.post('/bank/statements', { text, accountId })).status).toBe(201)
    const again = await shop.owner.post('/bank/statements', { text, accountId })
    expect([again.status, again.body.new, again.body.known]).toEqual([200, 0, 2])
  })

  test.each([
    ['of the store’s account', true],
    ['of an account that is added after the preview', false],
  ])('%s brings what its preview has counted', async (_, isKnown) => {
    const tail = `9${nextUtr().slice(-3)}`
    const added = { bank: 'HDFC', label: 'Shop', tail, feedsStore: true }
    const accountId = isKnown ? (await shop.owner.api.bank.createAccount(added))._id : undefined
    const [one, approved, other] = [await asked(250), await asked(300), await asked(400)]
    await shop.owner.api.payments.approve({ id: approved.id })
    const text = statementOf(
      [{}, { refs: [one.utr], amount: 250 }, { refs: [approved.utr], amount: 300 }, { refs: [other.utr], amount: 9 }],
      { tail },
    )
    const preview = await shop.owner.api.bank.preview({ text })
    expect(preview).toMatchObject({ account: { _id: accountId ?? null, bank: 'HDFC', tail }, confirmed: 1 })

    const into = accountId ?? (await shop.owner.api.bank.createAccount(added))._id
    for (const _ of ['uploaded', 'uploaded again']) {
      const { new: fresh, known, confirmed } = await shop.owner.api.bank.import({ text, accountId: into })
      expect([fresh + known, confirmed]).toEqual([preview.credits, preview.confirmed])
    }
    // Other tests count what is confirmed
    await shop.owner.api.payments.approve({ id: one.id })
  })

  test('counts no line that has neither a reference nor a balance', async () => {
    const { _id: accountId } = await account(shop)
    const lines = [`21/11/2026,UPI-RAVI-R@OKAXIS-UTIB0000123-${nextUtr()}-UPI,,21/11/2026,,50.00,`]
    lines.push('21/11/2026,CASH,,21/11/2026,,70.00,')
    const head = 'Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance'
    const text = [head, ...lines].join('\n')
    expect(await shop.owner.api.bank.preview({ text, accountId })).toMatchObject({ lines: 2, credits: 1, known: 0 })
    expect(await shop.owner.api.bank.import({ text, accountId })).toMatchObject({ new: 1, import: { credits: 1 } })
  })

  test('that overlaps another makes no second credit', async () => {
    const { _id: accountId } = await account(shop)
    const [one, two, three] = [nextUtr(), nextUtr(), nextUtr()]
    await imported(shop, accountId, [{ refs: [one] }, { refs: [two] }])
    const result = await imported(shop, accountId, [{ refs: [two] }, { refs: [three] }], { opening: 100_100 })
    expect(result).toMatchObject({ new: 1, known: 1 })
    expect((await shop.owner.api.bank.credits({ accountId })).total).toBe(3)
  })

  test('whose balances do not add up confirms nothing', async () => {
    const { _id: accountId } = await account(shop)
    const { id, utr } = await asked(100)
    const text = statementOf([{}, { refs: [utr] }, {}]).replace('100200.00', '100201.00')
    expect(await shop.owner.api.bank.preview({ text, accountId })).toMatchObject({ balances: 'broken', confirmed: 0 })
    await shop.owner.api.bank.import({ text, accountId })
    expect((await listed(id))?.bank).toMatchObject({ verdict: 'hint', proof: 'none' })
  })

  test('of more than five megabytes, or 20,000 lines, is refused and stores nothing', async () => {
    const { _id: accountId } = await account(shop)
    const large = await shop.owner.post('/bank/statements', { text: 'x'.repeat(5_242_881), accountId })
    expect([large.status, large.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    const long = await shop.owner.post('/bank/statements', { text: 'x\n'.repeat(20_001), accountId })
    expect([long.status, long.body.code]).toEqual([400, 'STATEMENT_UNREADABLE'])
    expect((await shop.owner.api.bank.credits({ accountId })).total).toBe(0)
  })

  test('of money that came to an account that feeds nothing confirms nothing', async () => {
    const { _id: accountId } = await account(shop, { feedsStore: false })
    const { id, utr } = await asked(100)
    await imported(shop, accountId, [{ refs: [utr] }])
    expect((await listed(id))?.bank).toMatchObject({ verdict: 'unseen', why: 'It came to another account' })
  })
})

describe('a request', () => {
  test('of another amount is flagged, and can be credited with what came', async () => {
    const { id, creditId } = await confirmed(shop, { amount: 500, shown: 100 })
    expect((await listed(id))?.bank).toMatchObject({ verdict: 'amount', amount: 100 })
    const paid = await shop.owner.api.bank.creditInstead({ id, creditId, expectedAmount: 100 })
    expect(paid).toMatchObject({ status: 'approved', amount: 100 })
    expect(await listed(id)).toMatchObject({ status: 'rejected', reason: 'The bank shows ₹100' })
    await inTheBooks(shop)
  })

  test('whose transfer two have claimed is flagged with the names', async () => {
    const { id, utr } = await confirmed(shop, { amount: 100 })
    const rival = await shop.buyer()
    const refused = await rival.post('/payments/add-money', { amount: 100, utr, payerName: '9876543210' })
    expect(refused.body.code).toBe('UTR_ALREADY_USED')
    expect((await listed(id))?.bank).toMatchObject({ verdict: 'rivals', rivals: [rival.username] })
    expect((await shop.owner.api.payments.list({ bank: 'confirmed' })).total).toBe(0)
  })

  test('is approved as one of several only while the bank confirms it', async () => {
    const [plain, other, rivalled, suited] = [
      await asked(100),
      await confirmed(shop, { amount: 500, shown: 100 }),
      await confirmed(shop, { amount: 100 }),
      await confirmed(shop, { amount: 100 }),
    ]
    // Claimed by another after the list was drawn
    const rival = await shop.buyer()
    await rival.post('/payments/add-money', { amount: 100, utr: rivalled.utr, payerName: '9876543210' })
    for (const { id } of [plain, other, rivalled]) {
      const refused = await shop.owner.put(`/payments/${id}/approve`, { onlyConfirmed: true })
      expect([refused.status, refused.body.code]).toEqual([409, 'NOT_CONFIRMED'])
      expect((await listed(id))?.status).toBe('pending')
    }
    expect(await shop.owner.api.payments.approve({ id: suited.id, onlyConfirmed: true })).toMatchObject({
      status: 'approved',
    })
    // One by one an admin decides
    expect(await shop.owner.api.payments.approve({ id: plain.id })).toMatchObject({ status: 'approved' })
    await inTheBooks(shop)
  })

  const ofOneCredit = async () => {
    const [first, second] = [await confirmed(shop, { amount: 100 }), await asked(100)]
    const added = await shop.store.db.run(sql`
      insert into bank_credit_refs (credit_id, ref)
      select credit_id, ${second.utr} from bank_credit_refs where ref = ${first.utr}`)
    expect(added).toBe(1)
    return [first, second] as const
  }

  // The match of the first is made a moment after its approval
  test('is not confirmed once another reference of the same money was approved', async () => {
    const [first, second] = await ofOneCredit()
    await shop.owner.api.payments.approve({ id: first.id, onlyConfirmed: true })
    const refused = await shop.owner.put(`/payments/${second.id}/approve`, { onlyConfirmed: true })
    expect(refused.body.code).toBe('NOT_CONFIRMED')
    await untilSettled(first.id, 'approved')
  })

  // Seen to fail without the lock in payment-bank.ts: both are approved
  test('is not confirmed while another reference of the same money is being approved', async () => {
    const pair = await ofOneCredit()
    let both: Promise<Answer[]> | undefined
    await store.db.transaction(async (tx) => {
      await tx.run(sql`select from audit_head for update`)
      both = Promise.all(pair.map(({ id }) => shop.owner.put(`/payments/${id}/approve`, { onlyConfirmed: true })))
      await untilBlocked(store.db, 2)
    })
    const answers = (await both) ?? []
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409'])
    expect(answers.map(({ body }) => body.code)).toContain('NOT_CONFIRMED')
    await inTheBooks(shop)
  })

  test('is not confirmed by the payer of another buyer', async () => {
    const vpa = 'MEENA@OKSBI'
    const first = await confirmed(shop, { amount: 100, vpa })
    await shop.owner.api.payments.approve({ id: first.id })
    await untilSettled(first.id, 'approved')
    const { id } = await confirmed(shop, { amount: 100, vpa })
    expect((await listed(id))?.bank).toMatchObject({ verdict: 'payer' })
  })
})

describe('an approval by hand', () => {
  test('is matched by the statement that comes later', async () => {
    const { id, utr } = await asked(100)
    await shop.owner.api.payments.approve({ id })
    store.clock.advance(60_000)
    await imported(shop, (await account(shop))._id, [{ refs: [utr] }])
    expect(await matchOf(id)).toEqual({ how: 'afterwards', released: false })
  })

  test('raises an alarm when the bank shows another amount', async () => {
    const { id, utr } = await asked(100)
    await shop.owner.api.payments.approve({ id })
    await imported(shop, (await account(shop))._id, [{ refs: [utr], amount: 1 }])
    expect(await openAlarms()).toContainEqual(expect.objectContaining({ kind: 'amount-after-approval', topUpId: id }))
  })

  test('raises an alarm when the bank takes the money back', async () => {
    const { id, utr, accountId } = await confirmed(shop, { amount: 100 })
    await shop.owner.api.payments.approve({ id })
    await untilSettled(id, 'approved')
    await imported(shop, accountId, [{ refs: [utr], amount: -100, day: '2026-11-21' }], {
      to: '2026-11-21',
      opening: 100_100,
    })
    expect(await openAlarms()).toContainEqual(expect.objectContaining({ kind: 'taken-back-by-bank', topUpId: id }))
  })

  test('raises an alarm when what was approved turns out to be the store’s own money', async () => {
    const { id, utr } = await confirmed(shop, { amount: 100 })
    await shop.owner.api.payments.approve({ id })
    await untilSettled(id, 'approved')
    const { alarms } = await imported(shop, (await account(shop))._id, [{ refs: [utr], amount: -100 }])
    expect(alarms).toBe(1)
    expect(await openAlarms()).toContainEqual(expect.objectContaining({ kind: 'taken-back-by-bank', topUpId: id }))
  })
})

test('an approval whose money no statement of any account shows raises an alarm, once', async () => {
  await store.db.run(sql`update bank_accounts set closed_at = now() where closed_at is null`)
  const [one, two] = [await account(shop), await account(shop)]
  const { id } = await asked(100)
  const { id: paid, utr } = await asked(100)
  // Another reference of the same money
  const second = await asked(100)
  for (const approved of [id, paid, second.id]) {
    await shop.owner.api.payments.approve({ id: approved })
    store.clock.advance(1)
  }
  const { clock } = store
  const decided = clock.now()
  clock.set(new Date('2026-11-22T12:00:00Z'))
  await store.db.run(sql`update admin_sessions set created_at = ${clock.now()}, last_active_at = ${clock.now()}`)
  const period = { from: '2026-11-10', to: '2026-11-22' }
  await imported(shop, one._id, [{ refs: [utr] }], period)
  await store.db.run(sql`
    insert into bank_credit_refs (credit_id, ref)
    select credit_id, ${second.utr} from bank_credit_refs where ref = ${utr}`)
  expect(
    (await openAlarms()).map(({ kind }) => kind),
    'the other account may have it',
  ).not.toContain('approved-without-money')

  await imported(shop, two._id, [{}], { from: '2026-11-18', to: '2026-11-22' })
  expect(
    (await openAlarms()).filter(({ kind }) => kind === 'approved-without-money'),
    'from 3 days before',
  ).toEqual([])
  await imported(shop, two._id, [{ amount: 7 }], period)
  await imported(shop, two._id, [{ amount: 8 }], period)
  const missing = (await openAlarms()).filter(({ kind }) => kind === 'approved-without-money')
  expect(missing.map(({ topUpId }) => topUpId)).toContain(id)
  expect(missing.map(({ topUpId }) => topUpId)).toContain(second.id)
  expect(missing.map(({ topUpId }) => topUpId)).not.toContain(paid)
  expect(new Set(missing.map(({ topUpId }) => topUpId)).size).toBe(missing.length)
  clock.set(decided)
})

describe('money that nobody claimed', () => {
  test('is credited to a buyer once, however many admins try', async () => {
    const { creditId } = await credited(shop, { amount: 300 })
    const buyer = await shop.buyer()
    const tries = await Promise.all(
      Array.from({ length: 5 }, () =>
        shop.owner.post(`/bank/credits/${creditId}/credit`, { userId: buyer.id, reason: 'Asked' }),
      ),
    )
    expect(tries.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409', '409', '409', '409'])
    expect((await buyer.api.sessions.me({}))?.balance).toBe(300)
    await inTheBooks(shop)
  })

  test('without a reference is credited by hand', async () => {
    const { creditId: none } = await credited(shop, { refs: [''], amount: 77, narration: () => 'BY CASH DEPOSIT' })
    expect(none).toBe('')
    const { credits } = await shop.owner.api.bank.credits({ search: '77' })
    const buyer = await shop.buyer()
    const paid = await shop.owner.api.bank.creditTo({ id: credits[0]?._id ?? '', userId: buyer.id, reason: 'Asked' })
    expect(paid).toMatchObject({ status: 'approved', amount: 77 })
    await inTheBooks(shop)
  })

  test('that was set aside pays for nothing until it is taken up again', async () => {
    const { id, creditId } = await confirmed(shop, { amount: 100 })
    await shop.owner.api.bank.setAside({ id: creditId, why: 'Own money' })
    expect((await listed(id))?.bank?.verdict).toBe('unseen')
    expect((await shop.owner.api.bank.credits({ state: 'set-aside' })).credits.map(({ _id }) => _id)).toContain(
      creditId,
    )
    await shop.owner.api.bank.setAside({ id: creditId, back: true })
    expect((await listed(id))?.bank?.verdict).toBe('confirmed')
  })
})

test('what is taken back is what is left; the UTR and the money are free for the right buyer', async () => {
  const { id, utr, creditId } = await confirmed(shop, { amount: 200 })
  await shop.owner.api.payments.approve({ id })
  await untilSettled(id, 'approved')
  const row = await listed(id)
  const user = row?.userId?._id ?? ''
  await shop.owner.put(`/admin/users/${user}/custom-prices`, { balance: -50, expiresInDays: null })

  const answer = await shop.owner.api.bank.takeBack({ id, reason: 'Another buyer’s money' })
  expect(answer).toMatchObject({
    taken: 150,
    loss: 50,
    payment: { status: 'rejected', reason: 'Another buyer’s money' },
  })
  await inTheBooks(shop)
  const again = await shop.owner.post(`/payments/${id}/take-back`, { reason: 'Again' })
  expect(again.body.code).toBe('NOTHING_TO_TAKE_BACK')

  const right = await shop.buyer()
  const { payment } = await right.api.payments.addMoney({ amount: 200, utr, payerName: '9876543210' })
  expect((await listed(payment._id))?.bank, 'a person decides').toMatchObject({ verdict: 'rivals', creditId })
  await shop.owner.api.payments.approve({ id: payment._id })
  await untilSettled(payment._id, 'approved')
  await inTheBooks(shop)
})

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
    const { _id: accountId } = await account(shop)
    const deviceId = await givenDevice(store.db, accountId)
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
    const { _id: accountId } = await account(shop)
    const deviceId = await givenDevice(store.db, accountId)
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

  // Seen to fail without the lock of readRules: both were approved, ₹1,200 in all
  test('of two alerts that meet below the ceiling, which has room for one, one approves', async () => {
    await automatic({ trusts: 'phone', unprovenMax: 1_000 })
    const { _id: accountId } = await account(shop)
    const deviceId = await givenDevice(store.db, accountId)
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
    const { _id: accountId } = await account(shop)
    const deviceId = await givenDevice(store.db, accountId)
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
    const { _id: accountId } = await account(shop)
    const deviceId = await givenDevice(store.db, accountId)
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
    const { _id: accountId } = await account(shop)
    const deviceId = await givenDevice(store.db, accountId)
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
    const { _id: accountId } = await account(shop)
    const deviceId = await givenDevice(store.db, accountId)
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

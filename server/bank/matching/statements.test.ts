import { describe, expect, test } from 'vitest'
import { account, imported, statementOf } from '../../../test/worlds/bank.ts'
import { topUpsOf } from '../../../test/worlds/top-ups.ts'
import { nextUtr } from '../../../test/worlds/shop.ts'
import { shopForFile } from '../../../test/shop-for-file.ts'
import { inTheBooks } from '../../../test/users.ts'

const shop = await shopForFile()
const { asked, listed, untilSettled } = topUpsOf(shop)

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

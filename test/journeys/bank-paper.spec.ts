/** A frozen account: from a UTR to the printed paper, and the mark of money that a bank holds. */
import { actionOf, ask, expect, PHONE, rowOf, said, test } from './admin-counter.ts'

const TAPS_MAX = 4

test('from a UTR to the printed paper are four taps on a phone', async ({ owner, people, shop }) => {
  const [page, buyer] = await Promise.all([owner({ viewport: PHONE }), people.buyer()])
  const { payment } = await ask(buyer, 500)
  await shop.owner.payments.approve({ id: payment._id })
  await page.addInitScript(() => {
    const add = (name: string) => sessionStorage.setItem(name, String(Number(sessionStorage.getItem(name)) + 1))
    addEventListener('pointerdown', ({ isTrusted }) => isTrusted && add('taps'), true)
    window.print = () => add('prints')
  })
  await page.goto('/admin/payment-manager')
  const counted = (name: string) => page.evaluate((key) => Number(sessionStorage.getItem(key)), name)

  await page.getByLabel('Search name, UTR or phone').click()
  await page.keyboard.type(payment.utr)
  await rowOf(page, payment.utr)
    .getByRole('button', { name: /^More: / })
    .click()
  await page.getByRole('link', { name: `Paper for the bank about ₹500 from ${buyer.username}` }).click()
  await page.getByRole('button', { name: 'Print or save as PDF' }).click()
  await expect.poll(() => counted('prints')).toBe(1)
  expect(await counted('taps')).toBeLessThanOrEqual(TAPS_MAX)
  await expect(page.getByText(payment.utr).first()).toBeVisible()
})

test('money that only an alert names is in no statement, says the paper', async ({ owner, people }) => {
  const [page, buyer] = await Promise.all([owner({ viewport: PHONE }), people.buyer()])
  const { payment } = await ask(buyer, 510)
  let source = 'alert'
  await page.route('**/api/payments/*/proof', async (route) => {
    const response = await route.fetch()
    const credit = { day: '2026-11-20', at: null, amount: 510, refs: [payment.utr], importedAt: null, source }
    const bank = [{ ...credit, payerName: 'RAVI', payerVpa: 'ravi@ybl', account: 'HDFC ··4417' }]
    await route.fulfill({ response, json: { ...(await response.json()), bank } })
  })
  const warning = page.getByText('No statement shows this money yet.', { exact: true })
  await page.goto(`/admin/proof?id=${payment._id}`)
  await expect(page.getByText('RAVI, ravi@ybl')).toBeVisible()
  await expect(warning).toBeVisible()
  const wider = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(await wider(), 'the table of the bank scrolls in its own frame').toBe(0)
  source = 'statement'
  await page.reload()
  await expect(page.getByText('RAVI, ravi@ybl')).toBeVisible()
  await expect(warning).toHaveCount(0)
})

test('held money keeps its buyer out until the bank lets it go', async ({ owner, people, shop }) => {
  const [page, buyer] = await Promise.all([owner({ viewport: PHONE }), people.buyer()])
  const name = buyer.username
  const { payment } = await ask(buyer, 640)
  await shop.owner.payments.approve({ id: payment._id })
  await page.goto(`/admin/payment-manager?status=approved&search=${name}`)
  const row = rowOf(page, payment.utr)
  await (await actionOf(row, `Held by the bank… ₹640 from ${name}`)).click()
  const question = page.getByRole('dialog', { name: `Does the bank hold ₹640 of ${name}?` })
  await question.getByRole('button', { name: 'Mark as held' }).click()
  await expect(question.getByText('Note is required')).toBeVisible()
  await question.getByLabel('What the bank wrote').fill('Letter 7')
  await question.getByRole('button', { name: 'Mark as held' }).click()
  await expect(said(page, `₹640 of ${name} is marked as held`)).toBeVisible()
  await expect(row.getByText('Held by the bank', { exact: true })).toBeVisible()
  expect((await shop.owner.users.list({ search: name })).users[0]?.blocked?.reason).toMatch(/examined by the bank/)

  await page.goto('/admin/dashboard')
  await page.getByRole('link', { name: /^Held by banks: ₹/ }).click()
  await expect(rowOf(page, payment.utr).getByText('Held by the bank: Letter 7')).toBeVisible()
  await (await actionOf(rowOf(page, payment.utr), `Bank let it go… ₹640 from ${name}`)).click()
  const end = page.getByRole('alertdialog', { name: `Has the bank let ₹640 of ${name} go?` })
  await end.getByRole('button', { name: 'End the mark' }).click()
  await expect(end).toBeHidden()
  expect((await shop.owner.users.list({ search: name })).users[0]?.blocked).toBeNull()
})

test('the paper of a closed account says so, and keeps what the store may keep', async ({ owner, people, shop }) => {
  const [page, buyer] = await Promise.all([owner(), people.buyer()])
  const { payment } = await ask(buyer, 520)
  await shop.owner.payments.approve({ id: payment._id })
  await shop.owner.users.remove({ id: buyer.id })
  await page.goto(`/admin/proof?id=${payment._id}`)
  await expect(page.getByText('Account deleted on')).toBeVisible()
  await expect(page.getByText(payment.utr).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toBeVisible()
})

test('of 130 purchases the paper shows 100 and their whole sum', async ({ owner, people, shop }) => {
  const [page, buyer] = await Promise.all([owner({ viewport: PHONE }), people.buyer()])
  const { payment } = await ask(buyer, 530)
  await shop.owner.payments.approve({ id: payment._id })
  await page.route('**/api/payments/*/proof', async (route) => {
    const response = await route.fetch()
    const order = { at: payment.createdAt, productName: 'Game', duration: '1 Day', quantity: 1, keys: ['AB…WXYZ'] }
    const sums = { paid: 4, amount: 4, bonus: 0, refunded: 0, refundedHere: 0 }
    const spent = Array.from({ length: 130 }, (_, nth) => ({ ...order, ...sums, order: `order ${nth}`, claims: [] }))
    await route.fulfill({ response, json: { ...(await response.json()), spent } })
  })
  await page.goto(`/admin/proof?id=${payment._id}`)
  const delivered = page.getByRole('region', { name: 'What was delivered for it' })
  await expect(delivered.getByText('The first 100 of 130. The JSON file has all of them.')).toBeVisible()
  await expect(delivered.getByRole('row')).toHaveCount(1 + 100)
  await expect(page.getByText('Spent', { exact: true }).locator('xpath=..')).toContainText('₹520')

  // Semantic-Org/Semantic-UI#3454, hugo-book#127: what scrolls or stands in a grid is cut at the end of a page
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const cut = await page.locator('.proof').evaluate((paper) => {
    const within = [paper, ...paper.querySelectorAll('*')].map((each) => getComputedStyle(each))
    return [getComputedStyle(paper).display, ...new Set(within.map(({ overflowX }) => overflowX))]
  })
  expect(cut).toEqual(['block', 'visible'])
})

test('what became of the money adds up where a purchase was refunded', async ({ owner, people, shop }) => {
  const [page, buyer] = await Promise.all([owner(), people.buyer()])
  const { payment } = await ask(buyer, 540)
  await shop.owner.payments.approve({ id: payment._id })
  await page.route('**/api/payments/*/proof', async (route) => {
    const response = await route.fetch()
    const at = payment.createdAt
    const ledger = [
      { at, kind: 'topup', amount: 540 },
      { at, kind: 'purchase', amount: -40.1 },
      { at, kind: 'refund', amount: 20.05 },
      { at, kind: 'admin_debit', amount: -100 },
    ]
    await route.fulfill({ response, json: { ...(await response.json()), ledger } })
  })
  await page.goto(`/admin/proof?id=${payment._id}`)
  const became = page.locator('section', { has: page.getByRole('heading', { name: 'What became of the money' }) })
  await expect(became).toContainText('Refund₹20.05')
  await expect(became).toContainText('Deducted by admin−₹100')
})

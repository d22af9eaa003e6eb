/** The bank's name for buyers, money that came without a request, and the year's turnover. */
import { dayOf, financialYear, yearText } from '../../contract/india.ts'
import { expect, freshUtr, PHONE, rowOf, said, test } from './admin-counter.ts'
import { statementOf } from './bank-statement.ts'

test('the name in a statement is offered to buyers, and the money in it gets a paper', async ({
  owner,
  people,
  shop,
}) => {
  const { upiId, payeeName = '' } = await shop.owner.settings.upi({})
  const [page, buyer] = await Promise.all([owner({ viewport: PHONE }), people.buyer()])
  const utr = freshUtr()
  await shop.owner.settings.saveUpi({ payeeName: '' })
  try {
    await page.goto('/admin/bank')
    await page.getByRole('button', { name: 'Upload statement' }).first().click()
    const upload = page.getByRole('dialog', { name: /^Upload statement/ })
    const credits = statementOf([{ utr, rupees: 1234, payer: 'RAVI KUMAR' }])
    const statement = `Account Name :,M/S ASHA & SONS,,,,,\n${credits}`
    await upload.getByLabel('Or paste the statement').fill(statement)
    await upload.getByRole('button', { name: 'Check statement' }).click()
    await expect(
      upload.getByText(`This account belongs to M/S ASHA & SONS. Do UPI apps show this name for ${upiId}?`),
    ).toBeVisible()
    expect((await shop.owner.settings.upi({})).payeeName, 'never without a press').toBeUndefined()
    await upload.getByRole('button', { name: 'Show it to buyers' }).click()
    await expect(said(page, 'Buyers now see M/S ASHA & SONS')).toBeVisible()
    await expect(upload.getByText(/^This account belongs to/)).toHaveCount(0)
    expect((await shop.owner.settings.upi({})).payeeName).toBe('M/S ASHA & SONS')
    await upload.getByRole('button', { name: /^Upload \d+ credit/ }).click()
    await upload.getByRole('button', { name: 'Done' }).click()
    await expect(upload).toBeHidden()
  } finally {
    await shop.owner.settings.saveUpi({ payeeName })
  }

  const { credits } = await shop.owner.bank.credits({ search: utr })
  await shop.owner.bank.creditTo({ id: credits[0]?._id ?? '', userId: buyer.id, reason: 'He called' })
  await page.goto(`/admin/payment-manager?status=approved&search=${utr}`)
  await rowOf(page, utr)
    .getByRole('button', { name: /^More: / })
    .click()
  await page.getByRole('link', { name: /^Paper for the bank about/ }).click()
  const titles = page.locator('article.proof h3')
  await expect(titles.first()).toHaveText('In the bank')
  await expect(page.getByText('Credited without a request')).toBeVisible()
})

test('the dashboard warns once the year’s sales come to the owner’s line', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  const year = yearText(financialYear(dayOf(new Date())))
  let sales = 1_590_000
  await page.route('**/api/books/year**', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    await route.fulfill({ response, json: { ...answer, line: 2_000_000, total: { ...answer.total, sales } } })
  })
  await page.goto('/admin/dashboard')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expect(page.getByText(`Sales of ${year}`)).toHaveCount(0)
  sales = 1_600_000
  await page.reload()
  await expect(page.getByText(`Sales of ${year}: ₹16,00,000 of ₹20,00,000`)).toBeVisible()
  await page.getByRole('link', { name: 'Open the year' }).click()
  await expect(page).toHaveURL(/\/admin\/books\?.*view=year/)
})

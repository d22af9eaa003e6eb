/** The bank inbox: a statement, what it says of each request, and money that goes back. */
import type { Page } from '@playwright/test'
import { expect, freshUtr, rowOf, said, actionOf, PHONE, test } from './admin-counter.ts'
import { callsOf, type People } from './people.ts'

interface Credit {
  utr: string
  rupees: number
  payer: string
}

/** Of the demo's account: HDFC, ending 5678. Balances add up, also with an earlier statement of this run. */
function statementOf(credits: readonly Credit[]): string {
  const [year, month, day] = new Date(Date.now() + 5.5 * 3_600_000).toISOString().slice(0, 10).split('-')
  const today = `${day}/${month}/${year}`
  let balance = 1_000
  const lines = credits.map(({ utr, rupees, payer }) => {
    balance += rupees
    const narration = `UPI-${payer}-${payer.replace(/\W/g, '')}@OKAXIS-UTIB0000123-${utr}-UPI`
    return [today, narration, `0000${utr}`, today, '', rupees.toFixed(2), balance.toFixed(2)].join(',')
  })
  return [
    'Account No : 50100000005678   OTHER,,,,,,',
    `Statement From : ${today} To : ${today},,,,,,`,
    'Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance',
    ...lines,
  ].join('\n')
}

async function upload(page: Page, statement: string): Promise<void> {
  await page.getByRole('button', { name: 'Upload statement' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Upload statement' })
  await dialog.getByLabel('Or paste the statement').fill(statement)
  await dialog.getByRole('button', { name: 'Read' }).click()
  await expect(dialog.getByText('Balances add up.')).toBeVisible()
  await dialog.getByRole('button', { name: /^Upload \d+ credit/ }).click()
  await expect(dialog.getByText(/new credits?\./)).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
}

/** An owner who has just confirmed the password, as taking money back asks for. */
async function freshOwner(people: People, shop: { admin: { username: string; password: string } }) {
  const { page, context } = await people.visitor({ viewport: PHONE, reducedMotion: 'reduce' })
  await callsOf(context.request).sessions.adminLogin(shop.admin)
  return page
}

test('a statement sorts the queue: “all” leaves out what the bank speaks against, and money is taken back', async ({
  people,
  shop,
}) => {
  const buyer = await people.buyer()
  const name = buyer.username
  const [proven, less, more] = await Promise.all(
    [411, 412, 413].map(async (amount) => {
      const utr = freshUtr()
      await buyer.calls.payments.addMoney({ amount, utr, payerName: '9812345675' })
      return utr
    }),
  )
  const page = await freshOwner(people, shop)
  await page.goto(`/admin/payment-manager?search=${name}`)
  await expect(page.getByRole('button', { name: 'Approve all 3' })).toBeVisible()
  await upload(
    page,
    statementOf([
      // Nothing stands before the first line that could prove its balance
      { utr: freshUtr(), rupees: 77, payer: 'RAVI K' },
      { utr: proven ?? '', rupees: 411, payer: 'ASHA' },
      { utr: less ?? '', rupees: 100, payer: 'ASHA' },
      { utr: more ?? '', rupees: 413, payer: 'ASHA' },
    ]),
  )
  await expect(rowOf(page, '₹411').getByText(/^In the bank: ₹411/)).toBeVisible()

  await test.step('what is ticked all the same is asked about, in the bank’s words', async () => {
    await page.getByLabel(`Select ₹412 from ${name}`).check()
    await page.getByRole('button', { name: 'Approve 1' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question.getByText(`${name}, ₹412: The bank shows ₹100.`)).toBeVisible()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await page.getByLabel(`Select ₹412 from ${name}`).uncheck()
  })

  await test.step('the others are approved together', async () => {
    await expect(page.getByText(`Left out: ${name}`)).toBeVisible()
    await page.getByRole('button', { name: 'Approve 2 of 3' }).click()
    await expect(page.getByText('2 requests approved, ₹824 credited.')).toBeVisible({ timeout: 12_000 })
  })

  await test.step('the bank’s amount is credited instead', async () => {
    await rowOf(page, '₹412').getByRole('button', { name: 'Credit ₹100 instead' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Credit ₹100' }).click()
    await expect(said(page, '₹100 credited')).toBeVisible()
    expect(await buyer.calls.sessions.me({})).toMatchObject({ balance: 50 + 411 + 413 + 100 })
  })

  await test.step('money is taken back, and what was spent is said to be lost', async () => {
    const { users } = await shop.owner.users.list({ search: name })
    await shop.owner.users.update({ id: users[0]?._id ?? '', balance: -(50 + 411 + 13) })
    for (const [utr, text] of [
      [proven, `₹0 taken back from ${name}. ₹411 was spent already, and is lost.`],
      [less, `₹100 taken back from ${name}`],
    ]) {
      await page.goto(`/admin/bank?status=matched&search=${utr}`)
      await (await actionOf(page.locator('[data-row]'), /^Take back…/)).click()
      const dialog = page.getByRole('dialog', { name: /^Take ₹\d+ back from/ })
      await dialog.getByRole('button', { name: 'Take back' }).click()
      await expect(dialog.getByText('Reason is required')).toBeVisible()
      await dialog.getByLabel('Reason').fill('The money was another buyer’s')
      await dialog.getByRole('button', { name: 'Take back' }).click()
      await expect(said(page, text ?? '')).toBeVisible()
      await expect(page.locator('[data-row]')).toHaveCount(0)
    }
    expect(await buyer.calls.sessions.me({})).toMatchObject({ balance: 400 })
  })

  // Else the queue of other journeys says that nobody claimed it
  const { credits } = await shop.owner.bank.credits({ state: 'unclaimed', limit: 50 })
  for (const { _id: id } of credits) await shop.owner.bank.setAside({ id, why: 'Nobody’s' })
})

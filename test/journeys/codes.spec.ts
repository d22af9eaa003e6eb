/** Redeem codes: the owner makes and prints them, and a buyer opens one by its link. */
import type { Page } from '@playwright/test'
import { expect, PHONE, rowOf, test, actionOf } from './admin-counter.ts'
import { callsOf, freshName, PASSWORD } from './people.ts'
import { dayAfter, dayOf } from '../../contract/india.ts'

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

test('an owner makes codes, is asked before they are gone, and ends what is left', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  const name = freshName()
  await page.goto('/admin/codes')
  await page.getByRole('button', { name: 'Make codes' }).click()
  const form = dialogOf(page, 'Make codes')
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('How many').fill('1001')
  await form.getByLabel('Each adds (₹)').fill('25')
  await form.getByLabel('Days to spend it').fill('3')
  await form.getByRole('button', { name: 'Make codes' }).click()
  await expect(form.getByText('Enter a whole number from 1 to 1,000')).toBeVisible()
  await expect(form.getByText('Enter 7 to 730 days')).toBeVisible()
  await form.getByLabel('How many').fill('30')
  await form.getByLabel('Days to spend it').fill('30')
  await expect(form.getByText('30 codes for ₹750 of credit in all.')).toBeVisible()
  await form.getByRole('button', { name: 'Make codes' }).click()

  const made = dialogOf(page, '30 codes of ₹25')
  await expect(made.getByText('Save them now. We show them once.')).toBeVisible()
  await expect(made.getByRole('listitem')).toHaveCount(30)

  await test.step('the sheet has every card, and no more than 24 on a page', async () => {
    await page.evaluate(() => {
      window.print = () => dispatchEvent(new Event('beforeprint'))
    })
    await made.getByRole('button', { name: 'Print' }).click()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect(page.locator('.code-card')).toHaveCount(30)
    await expect(page.locator('.code-sheet').first().locator('.code-card')).toHaveCount(24)
    await expect(page.locator('.code-card').last()).toContainText('₹25')
    await expect(page.locator('#admin')).toBeHidden()
    expect(
      await page
        .locator('.code-card')
        .first()
        .evaluate((card) => getComputedStyle(card).color),
    ).toBe('rgb(0, 0, 0)')
    await page.emulateMedia({ media: 'screen' })
    await expect(page.locator('.code-sheets')).toBeHidden()
  })

  await test.step('the file has a line for each', async () => {
    const download = page.waitForEvent('download')
    await made.getByRole('button', { name: 'CSV' }).click()
    const text = await (await (await download).createReadStream()).toArray()
    const lines = Buffer.concat(text as Buffer[])
      .toString()
      .trim()
      .split('\n')
    expect(lines).toHaveLength(31)
    expect(lines[30]).toMatch(/^30,(?:[\dA-Z]{4}-){3}[\dA-Z]{4},25,\d{4}-\d\d-\d\d,http.+#code=/)
  })

  await made.getByRole('button', { name: 'Close' }).click()
  const question = page.getByRole('alertdialog', { name: 'Leave without saving the codes?' })
  await question.getByRole('button', { name: 'Go back' }).click()
  await expect(made).toBeVisible()
  await made.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(made).toBeHidden()

  const row = rowOf(page, name)
  await expect(row.getByText('0 of 30 used')).toBeVisible()
  await (await actionOf(row, `End ${name}`)).click()
  await page
    .getByRole('alertdialog', { name: `End ${name}?` })
    .getByRole('button', { name: 'End codes' })
    .click()
  await expect(row.getByText('Ended')).toBeVisible()
})

test('a link opens its code after sign-up and login, and no server sees it', async ({ people, shop }) => {
  const { codes } = await shop.owner.wallet.makeCodes({
    name: 'By link',
    count: 2,
    amount: 40,
    codeUntil: dayAfter(dayOf(Date.now()), 9),
    creditDays: 60,
  })
  const [code = '', other = ''] = codes
  const { page, context } = await people.visitor({ viewport: PHONE })
  const username = freshName()
  await callsOf(context.request).sessions.register({
    username,
    email: `${username}@example.in`,
    password: PASSWORD,
    referralCode: 'WELCOME50',
  })
  const seen: string[] = []
  page.on('request', (request) => seen.push(request.url().split('#')[0] ?? '', request.headers()['referer'] ?? ''))

  await page.goto(`/add-balance#code=${code}`)
  await expect(page).toHaveURL(/\/signup\?next=%2Fadd-balance#code=/)
  await page.getByRole('link', { name: 'Login' }).click()
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login', exact: true }).click()

  const sheet = dialogOf(page, 'Redeem a code')
  await expect(sheet.getByRole('textbox')).toHaveValue(code)
  await expect(page).toHaveURL(/\/add-balance$/)
  await sheet.getByRole('button', { name: 'Add to wallet' }).click()
  await expect(sheet.getByText(/^₹40 added\. Use it till /)).toBeVisible()
  await sheet.getByRole('button', { name: 'Close' }).last().click()
  expect(seen.filter((address) => address.includes(code))).toEqual([])

  await test.step('what is wrong is said at the field', async () => {
    await page.getByRole('button', { name: 'Have a code?' }).click()
    const field = sheet.getByRole('textbox')
    await sheet.getByRole('button', { name: 'Add to wallet' }).click()
    await expect(sheet.getByText('Enter the code')).toBeVisible()
    await field.fill('K7QM-2XRD-94HW-TB5N')
    await sheet.getByRole('button', { name: 'Add to wallet' }).click()
    await expect(sheet.getByText('This code is not valid. Check it letter by letter.')).toBeVisible()
    await field.fill(other)
    await sheet.getByRole('button', { name: 'Add to wallet' }).click()
    await expect(sheet.getByText('You have already used a code of this offer.')).toBeVisible()
  })
})

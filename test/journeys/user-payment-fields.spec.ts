/** The payment dialog's fields: what may be typed and pasted into phone and UTR, and how the queue marks it. */
import { expect, rowOf, test } from './admin-counter.ts'
import { PHONE } from './people.ts'

test('the phone holds ten digits, and loses a +91, 91 or 0 that is typed or pasted before them', async ({ people }) => {
  const { page, context } = await people.buyer({ viewport: PHONE })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/')
  await page.getByRole('button', { name: 'Add Money' }).click()
  const phone = page.getByRole('dialog', { name: 'Add money' }).getByLabel('Contact phone')

  await expect(phone).toHaveAttribute('maxlength', '10')
  for (const written of ['+91 98765 43210', '919876543210', '09876543210', '98765-43210', '98765432109999']) {
    await phone.pressSequentially(written)
    await expect(phone, `typed: ${written}`).toHaveValue('9876543210')
    await phone.fill('')
    if (written.endsWith('9999')) continue
    await page.evaluate((text) => navigator.clipboard.writeText(text), written)
    await phone.press('ControlOrMeta+v')
    await expect(phone, `pasted: ${written}`).toHaveValue('9876543210')
    await phone.fill('')
  }
  await phone.pressSequentially('9198765432')
  await expect(phone, 'a number of ten digits that begins like the code').toHaveValue('9198765432')
})

test('what messengers, phone books and banks copy is cleaned before it is cut', async ({ people }) => {
  const { page, context } = await people.buyer({ viewport: PHONE })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/')
  await page.getByRole('button', { name: 'Add Money' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add money' })
  const phone = dialog.getByLabel('Contact phone')
  const utr = dialog.getByLabel('UTR (12-digit transaction number)')
  const amount = dialog.getByLabel('Amount', { exact: true })
  const sms = 'A/C X1234 debited by 500.00 on 28Nov26 trf to SHOP Refno 412345670002. Not you? Call 1800111109 -SBI'
  for (const [field, written, taken] of [
    [phone, '(+91) 9876543210', '9876543210'],
    [phone, '\u202a+91 98765 43210\u202c', '9876543210'],
    [amount, 'Rs. 1500', '1500'],
    [amount, 'Rs. 1,500.00/-', '1,500.00'],
    [utr, 'Paid ₹500. UPI transaction ID: 412345670001 on 28 Nov', '412345670001'],
    [utr, sms, '412345670002'],
  ] as const) {
    await field.fill('')
    await page.evaluate((text) => navigator.clipboard.writeText(text), written)
    await field.press('ControlOrMeta+v')
    await expect(field, `pasted: ${written}`).toHaveValue(taken)
  }
  await amount.fill('')
  await amount.pressSequentially('Rs. 1500')
  await expect(amount, 'typed').toHaveValue('1500')

  await page.evaluate(() => navigator.clipboard.writeText('UPI ID 412345670003, RRN 512345670004'))
  await dialog.getByRole('button', { name: 'Paste' }).click()
  await expect(dialog.getByText('Which of these is the UTR?')).toBeVisible()
  await expect(utr, 'nothing is guessed').toHaveValue('412345670002')
  await dialog.getByRole('button', { name: '512345670004' }).click()
  await expect(utr).toHaveValue('512345670004')
  await expect(dialog.getByText('Which of these is the UTR?')).toBeHidden()
})

test('a UTR of a bank’s own form is sent after a look, and the admin’s queue marks it', async ({ people, owner }) => {
  const { page, username } = await people.buyer({ viewport: PHONE })
  const utr = `AXB${Date.now()}`
  await page.goto('/')
  await page.getByRole('button', { name: 'Add Money' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add money' })
  const field = dialog.getByLabel('UTR (12-digit transaction number)')
  await dialog.getByRole('button', { name: '₹200' }).click()

  await field.fill('41234567890')
  await field.blur()
  await expect(dialog.getByText('A UTR has 12 digits. This one has 11. Please check.')).toBeVisible()
  await field.fill('412345678901')
  await expect(dialog.getByText('Format looks right')).toBeVisible()
  await field.fill(utr)
  await expect(dialog.getByText('This isn’t a usual UTR. Please check.')).toBeVisible()
  await dialog.getByLabel('Contact phone').fill('9876501234')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Submit request' }).click()
  await expect(dialog.getByText('Request submitted')).toBeVisible()

  const panel = await owner({ viewport: PHONE })
  await panel.goto(`/admin/payment-manager?status=pending&search=${username}`)
  await expect(rowOf(panel, utr).getByText('Unusual UTR. Check your bank statement.')).toBeVisible()
})

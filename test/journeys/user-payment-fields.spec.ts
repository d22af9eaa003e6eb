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
  await panel.goto(`/admin/payment-manager?search=${username}`)
  await expect(rowOf(panel, utr).getByText('Unusual UTR. Check your bank statement.')).toBeVisible()
})

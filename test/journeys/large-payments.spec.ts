/** A large payment can be called back: what its buyer reads, and what the panel asks before it is approved. */
import { ask, DESK, expect, rowOf, said, test } from './admin-counter.ts'

test('a large request is approved alone, by an answer to a question, and its buyer reads that it takes time', async ({
  owner,
  people,
  shop,
}) => {
  const [page, buyer] = await Promise.all([owner({ viewport: DESK, hasTouch: false }), people.buyer()])
  await test.step('its buyer reads so from that amount on', async () => {
    await buyer.page.goto('/')
    await buyer.page.getByRole('button', { name: 'Add Money' }).click()
    const dialog = buyer.page.getByRole('dialog', { name: 'Add Money' })
    const hour = dialog.getByText('Payments of ₹10,000 and more can take up to an hour.')
    await dialog.getByLabel('Amount', { exact: true }).fill('10000')
    await expect(hour).toBeVisible()
    await dialog.getByLabel('Amount', { exact: true }).fill('9999')
    await expect(hour).toHaveCount(0)
  })
  const { payment } = await ask(buyer, 10_000)
  const small = await ask(buyer, 640)
  await page.route(/\/approve$/, (route) => route.abort())
  await page.goto(`/admin/payment-manager?status=pending&search=${buyer.username}`)
  const row = rowOf(page, '₹10,000')
  await expect(row.getByText('Large. Approve when the money is in your bank.')).toBeVisible()

  await test.step('among several it is left, and the owner is told', async () => {
    await row.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Approve 1' }).click()
    await expect(said(page, '1 large one left to you')).toBeVisible()
    await row.getByRole('checkbox').uncheck()
  })
  await test.step('alone it asks, and only one answer approves', async () => {
    const approve = row.getByRole('button', { name: `Approve ₹10,000 from ${buyer.username}` })
    const question = page.getByRole('alertdialog', { name: 'Not in your bank yet' })
    const sent: string[] = []
    page.on('request', (request) => request.url().endsWith('/approve') && sent.push(request.url()))
    await approve.click()
    await expect(question.getByText('A large payment can still be cancelled by the payer.')).toBeVisible()
    await question.getByRole('button', { name: 'Wait' }).click()
    await expect(question).toBeHidden()
    await approve.click()
    await question.getByRole('button', { name: 'Approve anyway' }).click()
    await page.evaluate(() => dispatchEvent(new Event('pagehide')))
    await expect.poll(() => sent).toEqual([expect.stringContaining(payment._id)])
  })
  for (const { _id: id } of [payment, small.payment]) await shop.owner.payments.reject({ id })
})

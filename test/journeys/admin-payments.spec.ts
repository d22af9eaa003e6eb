/** Top-up requests, with buyers and another admin at the other end; and the list of all payments. */
import {
  ask,
  expect,
  failing,
  holdPauses,
  PHONE,
  rowOf,
  said,
  savedBy,
  sendHeld,
  SORRY,
  test,
  actionOf,
  filterBy,
  listBar,
  withoutEvents,
} from './admin-counter.ts'
import { liftFinger, withoutData } from './people.ts'

/** A buyer whose requests are in no other test's queue. */
const OTHER_PHONE_NUMBER = '9812345672'

test('requests arrive, are approved, rejected with a reason, and decided by two admins', async ({
  owner,
  people,
  shop,
}) => {
  const [page, buyer] = await Promise.all([owner({ viewport: PHONE }), people.buyer()])
  const name = buyer.username
  const pending = async () => (await shop.owner.reports.stats({})).pendingPayments
  const waiting = await pending()
  await holdPauses(page)
  await Promise.all([page.goto(`/admin/payment-manager?status=pending&search=${name}`), buyer.page.goto('/')])

  await test.step('the first shows itself, with a count in the title of the page', async () => {
    await expect(page.getByText(`Nothing found for “${name}”`)).toBeVisible()
    await expect(page).toHaveTitle(new RegExp(`^\\(${waiting}\\) Payments`))
    const { payment } = await ask(buyer, 321)
    await expect(rowOf(page, payment.utr)).toBeVisible()
    await expect(page).toHaveTitle(new RegExp(`^\\(${waiting + 1}\\) Payments`))
    await expect(rowOf(page, payment.utr).getByText('First top-up')).toBeVisible()
  })

  await test.step('the next stands behind it, so that nothing moves under a thumb', async () => {
    const other = await owner({ viewport: PHONE })
    await other.goto(`/admin/payment-manager?status=all&search=${name}`)
    const newest = other.locator('[data-row]').first()
    await expect(newest.getByText('₹321')).toBeVisible()
    await ask(buyer, 322)
    await expect(page.locator('[data-row]')).toHaveCount(2)
    await expect(page.locator('[data-row]').first().getByText('₹321')).toBeVisible()
    // With the newest first, it waits behind a button instead
    const show = other.getByRole('button', { name: 'Show 1 new request' })
    await expect(show).toBeVisible()
    await expect(newest.getByText('₹321')).toBeVisible()
    await show.click()
    await expect(newest.getByText('₹322')).toBeVisible()
    await other.close()
  })

  await test.step('a failed approval is said in its row; the next try credits the watching buyer once', async () => {
    const row = rowOf(page, '₹321')
    const approve = row.getByRole('button', { name: `Approve ₹321 from ${name}` })
    const letThrough = await failing(page, 'PUT', /approve$/)
    await approve.click()
    await sendHeld(page)
    await expect(row.getByRole('alert')).toHaveText(SORRY)
    await letThrough()
    await approve.dblclick()
    await expect(row.getByText('₹321 approved')).toBeVisible()
    await sendHeld(page)
    await expect(row.getByText('Approved')).toBeVisible()
    await expect(row.getByText('₹321 credited')).toBeVisible()
    await expect(said(buyer.page, 'Balance increased by ₹321')).toBeVisible()
    expect(await buyer.calls.sessions.me({})).toMatchObject({ balance: 371 })
  })

  await test.step('a rejection takes a common reason with one tap, which the buyer reads', async () => {
    await page.getByRole('button', { name: `Reject ₹322 from ${name}` }).click()
    const dialog = page.getByRole('dialog', { name: `Reject ₹322 from ${name}?` })
    await dialog.getByLabel('Other reason').fill('Ask your bank first.')
    const letThrough = await failing(page, 'PUT', /reject$/)
    await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
    await expect(dialog.getByText(SORRY)).toBeVisible()
    await page.mouse.click(PHONE.width / 2, 8)
    await expect(dialog.getByLabel('Other reason')).toHaveValue('Ask your bank first.')
    await letThrough()
    await dialog.getByRole('button', { name: 'The amount does not match the payment.' }).click()
    await expect(rowOf(page, '₹322').getByText('Rejected')).toBeVisible()
    await expect(page.getByText('All of these are reviewed.').or(page.getByText('All done.')).first()).toBeVisible()
    await expect(buyer.page.getByText(/The amount does not match the payment\./).first()).toBeVisible()
    expect(await pending()).toBe(waiting)
  })

  await test.step('what another admin decides meanwhile is told in the row', async () => {
    const { payment } = await ask(buyer, 323)
    const row = rowOf(page, payment.utr)
    await expect(row).toBeVisible()
    const second = await owner({ viewport: PHONE })
    // No events, as behind some proxies: this page does not know yet.
    await second.route('**/api/events', (route) => route.abort())
    await second.goto(`/admin/payment-manager?status=pending&search=${name}`)
    const approve = second.getByRole('button', { name: `Approve ₹323 from ${name}` })
    await expect(approve).toBeVisible()
    await second.route('**/api/payments?*', (route) => route.abort())
    await shop.owner.payments.approve({ id: payment._id })
    await second.unroute('**/api/payments?*')
    await approve.click()
    await sendHeld(second)
    await expect(second.getByText(/^This payment was already approved or rejected\. Approved by owner\./)).toBeVisible()
    await expect(row.getByText('Already reviewed by another admin. Approved by owner.')).toBeVisible()
    expect(await buyer.calls.sessions.me({})).toMatchObject({ balance: 694 })
    await second.close()
  })

  await test.step('another amount than typed is credited, and an approval is taken back, in their rows', async () => {
    const [less, wrong] = [await ask(buyer, 500), await ask(buyer, 60)]
    await page.goto(`/admin/payment-manager?status=pending&search=${name}`)
    const lessRow = rowOf(page, less.payment.utr)
    await (await actionOf(lessRow, `Credit a different amount than ₹500 to ${name}…`)).click()
    const dialog = page.getByRole('dialog', { name: 'Credit a different amount than ₹500?' })
    await dialog.getByLabel('Amount that was paid (₹)').fill('500')
    await dialog.getByRole('button', { name: 'Credit', exact: true }).click()
    await expect(dialog.getByText('Use Approve for ₹500')).toBeVisible()
    await expect(dialog.getByText('Reason is required')).toBeVisible()
    await dialog.getByLabel('Amount that was paid (₹)').fill('450')
    await expect(dialog.getByText(`${name} gets ₹450 instead of ₹500.`)).toBeVisible()
    await dialog.getByLabel('Reason').fill('You paid ₹450')
    const letThrough = await failing(page, 'PUT', /approve$/)
    await liftFinger(page)
    await dialog.getByRole('button', { name: 'Credit ₹450' }).click()
    await expect(dialog.getByText(SORRY)).toBeVisible()
    await letThrough()
    await dialog.getByRole('button', { name: 'Credit ₹450' }).click()
    await expect(lessRow.getByText('₹450 credited')).toBeVisible()
    expect(await buyer.calls.sessions.me({})).toMatchObject({ balance: 694 + 450 })
    await buyer.page.goto('/add-balance')
    await expect(buyer.page.getByText('You entered ₹500. Reason: You paid ₹450')).toBeVisible()

    const wrongRow = rowOf(page, wrong.payment.utr)
    await page.getByRole('button', { name: `Approve ₹60 from ${name}` }).click()
    await sendHeld(page)
    await expect(wrongRow.getByText('₹60 credited')).toBeVisible()
    for (const [row, amount] of [
      [wrongRow, '₹60'],
      [lessRow, '₹450'],
    ] as const) {
      // The queue folds away what was decided earlier
      if (row === lessRow) await page.goto(`/admin/payment-manager?status=approved&search=${name}`)
      await (await actionOf(row, `Take back… ${amount} from ${name}`)).click()
      const back = page.getByRole('dialog', { name: `Take ${amount} back from ${name}?` })
      await back.getByRole('button', { name: 'The money never came' }).click()
      await back.getByLabel('Reason').fill('Not in the bank')
      await back.getByRole('button', { name: 'Take back' }).click()
      await expect(said(page, `${amount} taken back from ${name}`)).toBeVisible()
      await expect(row.getByText('Taken back', { exact: true })).toBeVisible()
    }
    await expect(buyer.page.getByText('The store took this credit back.').first()).toBeVisible()
    expect(await buyer.calls.sessions.me({})).toMatchObject({ balance: 694 })
  })

  await test.step('an approved one leads to its receipt', async () => {
    await page.goto(`/admin/payment-manager?status=approved&search=${name}`)
    await rowOf(page, '₹321')
      .getByRole('button', { name: /^More: / })
      .click()
    await page.getByRole('link', { name: `Receipt of ${name} for ₹321` }).click()
    await expect(page.getByText('Wallet top-up')).toBeVisible()
  })

  await test.step('deleting names it, stays when it failed, and leaves the money', async () => {
    await page.goto(`/admin/payment-manager?status=approved&search=${name}`)
    await (await actionOf(rowOf(page, '₹321'), `Delete ₹321 from ${name}`)).click()
    const question = page.getByRole('alertdialog', { name: `Delete the payment of ₹321 by ${name}?` })
    const letThrough = await failing(page, 'DELETE', /^\/api\/payments\//)
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(question.getByText(SORRY)).toBeVisible()
    await letThrough()
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(said(page, `Payment of ₹321 by ${name} deleted`)).toBeVisible()
    await expect(rowOf(page, '₹321')).toHaveCount(0)
    expect(await buyer.calls.sessions.me({})).toMatchObject({ balance: 694 })
  })
})

test('a decision whose answer was lost is shown as what it became', async ({ owner, people }) => {
  const buyer = await people.buyer()
  const name = buyer.username
  const page = await owner({ viewport: PHONE })
  for (const amount of [701, 702, 703]) await ask(buyer, amount, OTHER_PHONE_NUMBER)
  await holdPauses(page)
  await page.route(/\/approve$/, async (route) => {
    await route.fetch()
    await route.abort()
  })

  await test.step('in the queue, one by one and together', async () => {
    await page.goto(`/admin/payment-manager?status=pending&search=${name}`)
    await page.getByRole('button', { name: `Approve ₹701 from ${name}` }).click()
    await sendHeld(page)
    const row = rowOf(page, '₹701')
    await expect(row.getByText('Approved', { exact: true })).toBeVisible()
    await expect(row.getByText('by owner')).toBeVisible()
    await expect(row.getByRole('alert')).toHaveCount(0)
    for (const amount of [702, 703])
      await page.getByRole('checkbox', { name: `Select ₹${amount} from ${name}` }).check()
    await page.getByRole('button', { name: 'Approve 2' }).click()
    const question = page.getByRole('alertdialog', { name: 'Approve 2 requests?' })
    await expect(question.getByText(new RegExp(`${name} \\(₹703\\): Request #3 today`))).toBeVisible()
    await question.getByRole('button', { name: 'Approve 2 · ₹1,405' }).click()
    await sendHeld(page)
    await expect(rowOf(page, '₹703').getByText('Approved', { exact: true })).toBeVisible()
    await expect(page.getByText('can’t be reached')).toHaveCount(0)
  })

  await test.step('among all', async () => {
    const { payment } = await ask(buyer, 704, OTHER_PHONE_NUMBER)
    await page.goto(`/admin/payment-manager?status=all&search=${name}`)
    const row = rowOf(page, payment.utr)
    await row.getByRole('button', { name: `Approve ₹704 from ${name}` }).click()
    await sendHeld(page)
    await expect(row.getByText('Approved', { exact: true })).toBeVisible()
    await expect(row.getByRole('alert')).toHaveCount(0)
  })
  expect(await buyer.calls.sessions.me({})).toMatchObject({ balance: 50 + 701 + 702 + 703 + 704 })
})

test('a reason of several lines is sent as one', async ({ owner, people, shop }) => {
  const buyer = await people.buyer()
  const page = await owner({ viewport: PHONE })
  const { payment } = await ask(buyer, 705, OTHER_PHONE_NUMBER)
  await page.goto(`/admin/payment-manager?status=pending&search=${buyer.username}`)
  await page.getByRole('button', { name: `Reject ₹705 from ${buyer.username}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Other reason').fill('Ask your \n\tbank first.\n')
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(rowOf(page, '₹705').getByText('Rejected')).toBeVisible()
  const { payments } = await shop.owner.payments.list({ search: payment.utr })
  expect(payments).toMatchObject([{ reason: 'Ask your bank first.' }])
})

test('all payments: pages, filters, and a list that could not be loaded', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  await withoutEvents(page)
  await withoutData(page)
  const letThrough = await failing(page, 'GET', '/payments')
  await page.goto('/admin/payment-manager?status=all')
  await expect(page.getByText(SORRY)).toBeVisible()
  await letThrough()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.locator('[data-row]')).toHaveCount(10)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/page=1/)
  await expect(page.getByText(/^Page 2 of/)).toBeVisible()
  await expect(page, 'begins behind the row that was seen last').toHaveURL(/after=[\da-f-]{36}/)
  const heightOfSheet = async () => (await page.getByRole('dialog').boundingBox())?.height
  await filterBy(page, async () => {
    await page.getByRole('button', { name: 'Pending', exact: true }).click()
    await expect(page.getByLabel('Date range'), 'what waits is listed whole').toBeDisabled()
    const height = await heightOfSheet()
    await page.getByRole('button', { name: 'Rejected', exact: true }).click()
    await expect(page.getByLabel('Date range')).toBeEnabled()
    expect(await heightOfSheet(), 'nothing moves under the finger').toBe(height)
  })
  await expect(page).toHaveURL(/status=rejected/)
  await expect(page).not.toHaveURL(/page=/)
  await expect(page.locator('[data-row]').getByText('Rejected', { exact: true }).first()).toBeVisible()
  await filterBy(page, () => page.getByLabel('Date range').selectOption({ label: 'Today' }))
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d/)
  await expect(page.getByRole('button', { name: 'Filters, 2 active' })).toBeVisible()
  await expect(page.locator('[data-row]').first()).toBeVisible()
  const { name, text } = await savedBy(page, await actionOf(listBar(page), 'Export CSV'))
  expect(name).toBe('payments.csv')
  const [head, ...lines] = text.trim().split('\r\n')
  expect(head).toContain('Date (India)')
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toContain(',add_money,rejected,')
})

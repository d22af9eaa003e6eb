/** The queue of top-up requests, with buyers and another admin at the other end; and the sales book. */
import {
  DESK,
  expect,
  failing,
  freshUtr,
  PHONE,
  rowOf,
  said,
  savedBy,
  sendHeld,
  SORRY,
  test,
  repeatAt,
  actionOf,
  filterBy,
  listBar,
  withoutEvents,
} from './admin-counter.ts'
import { withoutData, type Buyer } from './people.ts'

const PHONE_NUMBER = '9812345670'
/** A buyer whose requests are in no other test's queue. */
const OTHER_PHONE_NUMBER = '9812345672'

function ask(buyer: Buyer, amount: number, payerName = PHONE_NUMBER) {
  return buyer.calls.payments.addMoney({ amount, utr: freshUtr(), payerName })
}

test('requests arrive, are approved, rejected with a reason, and decided by two admins', async ({
  owner,
  people,
  shop,
}) => {
  const [page, buyer] = await Promise.all([owner({ viewport: PHONE }), people.buyer()])
  const name = buyer.username
  const pending = async () => (await shop.owner.reports.stats({})).pendingPayments
  const waiting = await pending()
  await Promise.all([page.goto(`/admin/payment-manager?search=${name}`), buyer.page.goto('/')])

  await test.step('the first shows itself, with a count in the title of the page', async () => {
    await expect(page.getByText(`Nothing matches “${name}”`)).toBeVisible()
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
    await second.goto(`/admin/payment-manager?search=${name}`)
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
    await page.goto(`/admin/payment-manager?search=${name}`)
    const lessRow = rowOf(page, less.payment.utr)
    await (await actionOf(lessRow, `Credit another amount than ₹500 to ${name}…`)).click()
    const dialog = page.getByRole('dialog', { name: 'Credit another amount than ₹500?' })
    await dialog.getByLabel('Amount that was paid (₹)').fill('500')
    await dialog.getByRole('button', { name: 'Credit', exact: true }).click()
    await expect(dialog.getByText('Use Approve for ₹500')).toBeVisible()
    await expect(dialog.getByText('Reason is required')).toBeVisible()
    await dialog.getByLabel('Amount that was paid (₹)').fill('450')
    await expect(dialog.getByText(`${name} gets ₹450 instead of ₹500.`)).toBeVisible()
    await dialog.getByLabel('Reason').fill('You paid ₹450')
    const letThrough = await failing(page, 'PUT', /approve$/)
    await dialog.getByRole('button', { name: 'Credit ₹450' }).click()
    await expect(dialog.getByText(SORRY)).toBeVisible()
    await letThrough()
    await dialog.getByRole('button', { name: 'Credit ₹450' }).click()
    await expect(lessRow.getByText('₹450 credited')).toBeVisible()
    expect(await buyer.calls.sessions.me({})).toMatchObject({ balance: 694 + 450 })
    await buyer.page.goto('/add-balance')
    await expect(buyer.page.getByText('You typed ₹500. Reason: You paid ₹450')).toBeVisible()

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

test('many requests at once, and the keyboard at a desk', async ({ owner, people }) => {
  const [page, first, second] = await Promise.all([
    owner({ viewport: DESK, hasTouch: false }),
    people.buyer(),
    people.buyer(),
  ])
  for (const amount of [401, 402, 405, 403, 406]) await ask(first, amount)
  await ask(second, 404)
  await page.goto(`/admin/payment-manager?search=${PHONE_NUMBER}`)

  await test.step('a phone that another account uses stands out', async () => {
    await expect(rowOf(page, '₹404').getByText(new RegExp(`^Phone number also used by .*`))).toBeVisible()
  })

  await test.step('j and k walk, r asks for the reason, a approves', async () => {
    const approve = (amount: number, name: string) =>
      page.getByRole('button', { name: `Approve ₹${amount} from ${name}` })
    // Outside of the list a letter does nothing
    await page.keyboard.press('j')
    await page.getByRole('region', { name: 'Payments', exact: true }).focus()
    await page.keyboard.press('j')
    await expect(approve(401, first.username)).toBeFocused()
    await page.keyboard.press('j')
    await expect(approve(402, first.username)).toBeFocused()
    await page.keyboard.press('k')
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: `Reject ₹401 from ${first.username}?` })
    await dialog.getByRole('button', { name: 'Reject', exact: true }).press('Enter')
    await expect(rowOf(page, '₹401').getByText('Rejected')).toBeVisible()
    await expect(approve(402, first.username)).toBeFocused()
    await page.keyboard.press('a')
    await sendHeld(page)
    await expect(rowOf(page, '₹402').getByText('₹402 credited')).toBeVisible()
    await expect(approve(405, first.username)).toBeFocused()
    await page.keyboard.down('Enter')
    await sendHeld(page)
    await expect(rowOf(page, '₹405').getByText('₹405 credited')).toBeVisible()
    await expect(approve(403, first.username)).toBeFocused()
    // Held down, it is one decision
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await expect(approve(403, first.username)).toBeFocused()
  })

  await test.step('keys decide about the row with the focus, and go on after a click', async () => {
    const reject = page.getByRole('button', { name: `Reject ₹404 from ${second.username}` })
    const dialog = page.getByRole('dialog', { name: `Reject ₹404 from ${second.username}?` })
    await rowOf(page, '₹404').getByRole('checkbox').focus()
    await page.keyboard.press('r')
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await reject.focus()
    await page.keyboard.down('Enter')
    await expect(dialog.getByRole('button', { name: 'We could not find this UTR in our account.' })).toBeFocused()
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(reject).toBeVisible()
    await page.getByRole('button', { name: `Approve ₹406 from ${first.username}` }).click()
    await sendHeld(page)
    await expect(rowOf(page, '₹406').getByText('₹406 credited')).toBeVisible()
    await page.keyboard.press('j')
    await expect(page.getByRole('button', { name: `Approve ₹404 from ${second.username}` })).toBeFocused()
  })

  await test.step('what is decided folds into one line', async () => {
    await expect(page.getByRole('button', { name: '4 reviewed' })).toBeVisible()
    await expect(page.locator('[data-row]')).toHaveCount(2)
  })

  await test.step('the rest is approved together, after a question with the sum', async () => {
    await page.getByRole('checkbox', { name: 'Select all 2' }).check()
    await page.getByRole('button', { name: 'Approve 2' }).click()
    const question = page.getByRole('alertdialog', { name: 'Approve 2 requests?' })
    await expect(question.getByText(/^₹807 will be credited to .+₹404: Phone number also used by /s)).toBeVisible()
    let sent = 0
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route(/\/approve$/, async (route) => {
      sent += 1
      await held
      await route.continue()
    })
    await question.getByRole('button', { name: 'Approve 2 · ₹807' }).click()
    await sendHeld(page)
    await expect.poll(() => sent).toBe(2)
    // Keys decide nothing while it is open
    await page.getByRole('region', { name: 'Payments', exact: true }).focus()
    await page.keyboard.press('j')
    await page.keyboard.press('r')
    await expect(page.locator('dialog[open]')).toHaveCount(0)
    await page.keyboard.press('a')
    letGo()
    await expect(said(page, '2 requests approved, ₹807 credited.')).toBeVisible()
    expect(sent).toBe(2)
    expect(await first.calls.sessions.me({})).toMatchObject({ balance: 50 + 402 + 405 + 403 + 406 })
  })
})

test('what is reviewed folds into one line, and what moves up then takes no tap for a second', async ({
  owner,
  people,
  shop,
}) => {
  const [page, buyer] = await Promise.all([owner({ viewport: PHONE }), people.buyer()])
  for (const amount of [421, 422, 423]) await ask(buyer, amount)
  await page.goto(`/admin/payment-manager?search=${buyer.username}`)
  const approve = (amount: number) => page.getByRole('button', { name: `Approve ₹${amount} from ${buyer.username}` })
  await expect(approve(423)).toBeVisible()
  // The action under a tap on the first pending request, at each moment
  await page.evaluate(() => {
    const log: { at: number; first: string | null; rests: boolean }[] = []
    Object.assign(window, { log })
    setInterval(() => {
      const first = document.querySelector('[data-row] [data-approve]')
      const rests = first?.getAttribute('aria-disabled') === 'true'
      log.push({ at: performance.now(), first: first?.getAttribute('aria-label') ?? null, rests })
    }, 20)
  })
  const bar = listBar(page)
  const offered = async () => (await bar.getByRole('button').allTextContents()).map((text) => text.replace(/\d/, ''))
  const before = await offered()
  await approve(421).click()
  await sendHeld(page)
  await expect(rowOf(page, '₹421').getByText('₹421 credited')).toBeVisible()
  expect(await offered(), 'no button comes in the place of another').toEqual(before)

  const fold = page.getByRole('button', { name: '1 reviewed' })
  await expect(fold).toHaveAttribute('aria-expanded', 'false')
  await expect(page.locator('[data-row]')).toHaveCount(2)
  await expect(approve(422)).not.toHaveAttribute('aria-disabled', 'true')
  const rested = await page.evaluate(() => {
    const log = Reflect.get(window, 'log') as { at: number; first: string; rests: boolean }[]
    const moved = log.findIndex(({ first, rests }) => first.includes('₹422') && rests)
    const woke = log.findIndex(({ rests }, index) => index > moved && !rests)
    return moved < 0 ? 0 : (log[woke]?.at ?? 0) - (log[moved]?.at ?? 0)
  })
  expect(rested).toBeGreaterThan(900)

  await fold.click()
  await expect(page.locator('[data-row]')).toHaveText([/₹422/, /₹423/, /₹421/])
  await fold.click()
  await expect(rowOf(page, '₹421')).toHaveCount(0)
  const { payments } = await shop.owner.payments.list({ search: buyer.username, status: 'pending' })
  for (const { _id } of payments) await shop.owner.payments.reject({ id: _id })
})

test('what is folded away does not come back with a list from before', async ({ owner, people, shop }) => {
  const [page, buyer] = await Promise.all([owner({ viewport: PHONE }), people.buyer()])
  for (const amount of [411, 412, 413]) await ask(buyer, amount)
  await withoutEvents(page)
  await page.goto(`/admin/payment-manager?search=${buyer.username}`)
  const approve = (amount: number) => page.getByRole('button', { name: `Approve ₹${amount} from ${buyer.username}` })
  await expect(approve(413)).toBeVisible()
  // From here on the list is answered as it is now
  const old = await shop.owner.payments.list({ search: buyer.username, status: 'pending', order: 'oldest' })
  let answers = 0
  const isQueue = (url: URL) => url.pathname === '/api/payments' && url.searchParams.get('order') === 'oldest'
  await page.route(isQueue, async (route) => {
    await route.fulfill({ json: old })
    answers += 1
  })
  await approve(411).click()
  await sendHeld(page)
  await expect(rowOf(page, '₹411').getByText('₹411 credited')).toBeVisible()

  await expect(page.getByRole('button', { name: '1 reviewed' })).toBeVisible()
  await approve(412).click()
  const before = answers
  await expect(rowOf(page, '₹411')).toHaveCount(0)
  await expect(rowOf(page, '₹412').getByRole('button', { name: /^Undo the approval/ })).toBeVisible()
  await sendHeld(page)
  await expect(rowOf(page, '₹412').getByText('₹412 credited')).toBeVisible()
  await expect.poll(() => answers).toBeGreaterThan(before)
  await expect(rowOf(page, '₹411')).toHaveCount(0)
})

test('a decision whose answer was lost is shown as what it became', async ({ owner, people }) => {
  const buyer = await people.buyer()
  const name = buyer.username
  const page = await owner({ viewport: PHONE })
  for (const amount of [701, 702, 703]) await ask(buyer, amount, OTHER_PHONE_NUMBER)
  await page.route(/\/approve$/, async (route) => {
    await route.fetch()
    await route.abort()
  })

  await test.step('in the queue, one by one and together', async () => {
    await page.goto(`/admin/payment-manager?search=${name}`)
    await page.getByRole('button', { name: `Approve ₹701 from ${name}` }).click()
    await sendHeld(page)
    const row = rowOf(page, '₹701')
    await expect(row.getByText('Approved', { exact: true })).toBeVisible()
    await expect(row.getByText('by owner')).toBeVisible()
    await expect(row.getByRole('alert')).toHaveCount(0)
    await page.getByRole('checkbox', { name: 'Select all 2' }).check()
    await page.getByRole('button', { name: 'Approve 2' }).click()
    const question = page.getByRole('alertdialog', { name: 'Approve 2 requests?' })
    await expect(question.getByText(`${name}, ₹703: Request #3 today`)).toBeVisible()
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
  await page.goto(`/admin/payment-manager?search=${buyer.username}`)
  await page.getByRole('button', { name: `Reject ₹705 from ${buyer.username}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Other reason').fill('Ask your \n\tbank first.\n')
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(rowOf(page, '₹705').getByText('Rejected')).toBeVisible()
  const { payments } = await shop.owner.payments.list({ search: payment.utr })
  expect(payments).toMatchObject([{ reason: 'Ask your bank first.' }])
})

test('a plan whose answer was lost is not added twice', async ({ owner, shop }) => {
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin/topup-plan-manager')
  await expect(rowOf(page, '₹2,000')).toBeVisible()
  await page.route('**/api/payments/topup-plans', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
    return route.abort()
  })
  await page.getByRole('button', { name: 'New plan' }).click()
  const dialog = page.getByRole('dialog', { name: 'New top-up plan' })
  await dialog.getByLabel('Amount (₹)').fill('137')
  await dialog.getByLabel('Wallet credit (₹)').fill('141')
  await dialog.getByRole('button', { name: 'Add plan' }).click()
  await expect(dialog.getByText('can’t be reached')).toBeVisible()
  await page.unroute('**/api/payments/topup-plans')
  await dialog.getByRole('button', { name: 'Add plan' }).click()
  await expect(said(page, 'Plan added')).toBeVisible()
  const added = (await shop.owner.payments.plans({})).filter(({ amount }) => amount === 137)
  for (const { _id } of added) await shop.owner.payments.removePlan({ id: _id })
  expect(added).toHaveLength(1)
})

test('a later page whose requests are all decided or deleted leads back to those who wait', async ({
  owner,
  people,
  shop,
}) => {
  // Nobody else's
  const phone = '9812345679'
  const page = await owner({ viewport: PHONE })
  const buyers = await Promise.all([people.buyer(), people.buyer(), people.buyer()])
  const [last] = buyers
  // Eleven: ten on the first page, and one behind them
  for (const amount of [601, 602, 603, 604, 605]) for (const buyer of buyers.slice(1)) await ask(buyer, amount, phone)
  await ask(last, 611, phone)
  await page.goto(`/admin/payment-manager?search=${phone}&page=1`)
  const rows = page.locator('[data-row]')

  await test.step('decided: on to the first page', async () => {
    await page.getByRole('button', { name: `Approve ₹611 from ${last.username}` }).click()
    await sendHeld(page)
    await expect(page.getByText('All of these are reviewed.')).toBeVisible()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(page).not.toHaveURL(/page=/)
    await expect(rows).toHaveCount(10)
    await expect(rows.first().getByText('₹601')).toBeVisible()
  })

  await test.step('deleted: the page says where they are, and there is a way back', async () => {
    await ask(last, 612, phone)
    await page.goto(`/admin/payment-manager?search=${phone}&page=1`)
    await (await actionOf(rowOf(page, '₹612'), `Delete ₹612 from ${last.username}`)).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('This page is empty')).toBeVisible()
    await expect(page.getByText('There are payments on earlier pages.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Go to first page' })).toBeVisible()
    await page.getByRole('button', { name: 'Previous page' }).click()
    await expect(rows).toHaveCount(10)
  })

  const { payments } = await shop.owner.payments.list({ search: phone, status: 'pending', limit: 50 })
  for (const { _id } of payments) await shop.owner.payments.reject({ id: _id })
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
  await filterBy(page, () => page.getByRole('button', { name: 'Rejected', exact: true }).click())
  await expect(page).toHaveURL(/status=rejected/)
  await expect(page).not.toHaveURL(/page=/)
  await expect(page.locator('[data-row]').first().getByText('Rejected', { exact: true })).toBeVisible()
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

for (const viewport of [PHONE, DESK]) {
  test(
    `the sales book at ${viewport.width} px: revenue, filters, pages, export`,
    repeatAt(viewport),
    async ({ owner, people, shop }) => {
      const [page, buyer] = await Promise.all([owner({ viewport }), people.buyer({ balance: 500 })])
      const name = `=SUM(1) ${viewport.width}`
      const product = await shop.owner.catalogue.create({ name, prices: [{ duration: '10 Days', price: 30.25 }] })
      const place = { productId: product._id, duration: '10 Days' }
      await shop.owner.keys.add({ ...place, keys: [1, 2, 3].map((n) => `BOOK-${viewport.width}-${n}`) })
      await buyer.calls.orders.place({ ...place, quantity: 2 })
      await buyer.calls.orders.place({ ...place, quantity: 1 })

      await test.step('a failure is said, with another try', async () => {
        await withoutEvents(page)
        await withoutData(page)
        const letThrough = await failing(page, 'GET', '/payments/purchases')
        await page.goto('/admin/purchases')
        await expect(page.getByText('Failed to fetch purchases')).toBeVisible()
        await letThrough()
        await page.getByRole('button', { name: 'Retry' }).click()
        const { total } = await shop.owner.orders.purchases({})
        expect(total).toBeGreaterThan(50)
        // Cards are shown by and by; the next page comes after the last of them
        const more = page.getByRole('button', { name: /^Show \d+ more$/ })
        await expect(page.locator('[data-row]').first()).toBeVisible()
        while (await more.isVisible()) await more.click()
        await expect(page.getByText(`1–50 of ${total}`)).toBeVisible()
        await page.getByRole('button', { name: 'Next page' }).click()
        await expect(page.getByText(/^51–/)).toBeVisible()
      })

      await test.step('the revenue is that of the search', async () => {
        await page.getByLabel('Search buyer, email or product').fill(buyer.username)
        await expect(page.getByText('Revenue (search results)')).toBeVisible()
        await expect(page.getByText('₹90.75', { exact: true })).toBeVisible()
        await expect(page.locator('[data-row]')).toHaveCount(2)
        await expect(rowOf(page, '₹60.50').getByText('× ₹30.25')).toBeVisible()
      })

      await test.step('by product and period', async () => {
        await filterBy(page, () =>
          page.getByLabel('Product', { exact: true }).selectOption({ label: 'Paper Kingdoms' }),
        )
        await expect(page.getByText('No purchases found')).toBeVisible()
        await filterBy(page, async () => {
          await page.getByLabel('Product', { exact: true }).selectOption({ label: name })
          await page.getByLabel('Date range').selectOption({ label: 'Yesterday' })
        })
        await expect(page.getByText('No purchases found')).toBeVisible()
        await filterBy(page, () => page.getByLabel('Date range').selectOption({ label: 'Today' }))
        await expect(page.locator('[data-row]')).toHaveCount(2)
        await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d/)
      })

      await test.step('the export is what is shown, and runs nothing', async () => {
        const { name: file, text } = await savedBy(page, await actionOf(listBar(page), 'Export CSV'))
        expect(file).toBe('purchases.csv')
        const lines = text.trim().split('\r\n')
        expect(lines).toHaveLength(3)
        expect(lines[1]).toContain(`,'${name},10 Days,1,30.25,30.25,`)
        expect(lines[2]).toContain(`,'${name},10 Days,2,30.25,60.5,`)
        await expect(said(page, 'purchases.csv saved')).toBeVisible()
      })
      await shop.owner.catalogue.remove({ id: product._id })
    },
  )
}

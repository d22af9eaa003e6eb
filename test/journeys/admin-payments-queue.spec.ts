/** The queue of top-up requests as one works through it: the keyboard, what folds away, and its pages. */
import {
  ask,
  DESK,
  expect,
  PHONE,
  holdPauses,
  rowOf,
  said,
  sendHeld,
  test,
  actionOf,
  listBar,
  withoutEvents,
} from './admin-counter.ts'

/** Nobody else's, because all requests with it are listed. */
const PHONE_NUMBER = '9812345674'

test('many requests at once, and the keyboard at a desk', async ({ owner, people }) => {
  const [page, first, second] = await Promise.all([
    owner({ viewport: DESK, hasTouch: false }),
    people.buyer(),
    people.buyer(),
  ])
  for (const amount of [401, 402, 405, 403, 406]) await ask(first, amount, PHONE_NUMBER)
  await ask(second, 404, PHONE_NUMBER)
  const endPauses = await holdPauses(page)
  await page.goto(`/admin/payment-manager?status=pending&search=${PHONE_NUMBER}`)

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
    await expect(dialog.getByRole('button', { name: 'We could not find this UTR in our account.' })).toBeFocused()
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
    await endPauses()
    await expect(page.getByRole('button', { name: '4 reviewed' })).toBeVisible()
    await expect(page.locator('[data-row]')).toHaveCount(2)
  })

  await test.step('the rest is approved together, after a question with the sum', async () => {
    for (const box of await page.getByRole('checkbox', { name: /^Select ₹/ }).all()) await box.check()
    await page.getByRole('button', { name: 'Approve 2' }).click()
    const question = page.getByRole('alertdialog', { name: 'Approve 2 requests?' })
    await expect(question.getByText(/^₹807 will be credited to /)).toBeVisible()
    await expect(
      question.getByText(new RegExp(`^${second.username} \\(₹404\\): Phone number also used by `, 'm')),
    ).toBeVisible()
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
  const endPauses = await holdPauses(page)
  await page.goto(`/admin/payment-manager?status=pending&search=${buyer.username}`)
  const approve = (amount: number) => page.getByRole('button', { name: `Approve ₹${amount} from ${buyer.username}` })
  await expect(approve(423)).toBeVisible()
  // The action under a tap on the first pending request, after each change
  await page.evaluate(() => {
    const log: { at: number; first: string; rests: boolean }[] = []
    Object.assign(window, { log })
    const note = () => {
      const first = document.querySelector('[data-row] [data-approve]')
      const rests = first?.getAttribute('aria-disabled') === 'true'
      log.push({ at: performance.now(), first: first?.getAttribute('aria-label') ?? '', rests })
    }
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true })
  })
  const bar = listBar(page)
  const offered = async () => (await bar.getByRole('button').allTextContents()).map((text) => text.replace(/\d/, ''))
  const before = await offered()
  await approve(421).click()
  await sendHeld(page)
  await expect(rowOf(page, '₹421').getByText('₹421 credited')).toBeVisible()
  expect(await offered(), 'no button comes in the place of another').toEqual(before)

  await endPauses()
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
  const endPauses = await holdPauses(page)
  await page.goto(`/admin/payment-manager?status=pending&search=${buyer.username}`)
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

  await endPauses()
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
  await page.goto(`/admin/payment-manager?status=pending&search=${phone}&page=1`)
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
    await page.goto(`/admin/payment-manager?status=pending&search=${phone}&page=1`)
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

/** Wallet history: cards, filters, what expires, and pages without end. */
import { freshUtr, said } from './admin-counter.ts'
import { failUntilRetried } from './fail-until-retried.ts'
import { DESK, expect, PHONE, test, repeatAt } from './people.ts'

for (const viewport of [PHONE, DESK]) {
  test(
    `wallet history at ${viewport.width} px: cards, kinds in plain words, filters`,
    repeatAt(viewport),
    async ({ people, shop }) => {
      const { page, id, calls } = await people.buyer({ viewport, balance: 1_050 })
      await shop.owner.users.update({ id, balance: 40, expiresInDays: 30, reason: 'For the wait' })
      await shop.owner.users.update({ id, balance: -90, expiresInDays: null })
      const products = await shop.owner.catalogue.list({})
      const paper = products.find(({ name }) => name === 'Paper Kingdoms')
      await calls.orders.place({ productId: paper?._id ?? '', duration: '10 Days', quantity: 1 })
      await page.goto('/wallet-history')

      const movements = page.getByRole('list', { name: 'Transactions' })
      const rows = movements.getByRole('listitem')
      await expect(rows).toHaveCount(5)
      await expect(rows.nth(0)).toContainText('Paper Kingdoms')
      await expect(rows.nth(0)).toContainText('−₹79')
      await expect(rows.nth(0)).toContainText('₹921')
      await expect(rows.nth(1)).toContainText('Deducted by the store')
      await expect(rows.nth(2)).toContainText('Added by the store')
      await expect(rows.nth(2)).toContainText('For the wait')
      await expect(rows.nth(4)).toContainText('Referral reward')
      const main = page.getByRole('main')
      for (const [label, amount] of [
        ['Net Balance', '₹921'],
        ['Money Added', '₹1,090'],
        ['Money Used', '₹169'],
      ] as const) {
        await expect(main.getByText(label, { exact: true })).toBeVisible()
        await expect(main.getByText(amount, { exact: true }).first()).toBeVisible()
      }

      const filter = page.getByRole('group', { name: 'Show' })
      await filter.getByRole('button', { name: 'Credited' }).click()
      await expect(rows).toHaveCount(3)
      await filter.getByRole('button', { name: 'Debited' }).click()
      await expect(rows).toHaveCount(2)
      await filter.getByRole('button', { name: 'All' }).click()
      await expect(rows).toHaveCount(5)
      // The live region is there before its text, and the visible text is not read a second time
      const heard = page.locator('#root > [role=status]')
      await expect(heard).toBeEmpty()
      const refresh = main.getByRole('button', { name: 'Refresh' })
      await refresh.press('Enter')
      await expect(said(page, 'Up to date')).toBeVisible()
      await expect(heard).toHaveText('Up to date')
      await expect(page.getByRole('region', { name: 'Notifications' })).not.toHaveAttribute('aria-live')
      await expect(refresh).toBeFocused()
    },
  )
}

test('a balance that could not be asked for is not called up to date', async ({ people }) => {
  const { page } = await people.buyer()
  for (const path of ['/', '/wallet-history']) {
    await page.goto(path)
    await page.route('**/api/auth/me', (route) => route.fulfill({ status: 500, json: { message: 'Out for a moment' } }))
    await page.getByRole('main').getByRole('button', { name: 'Refresh' }).click()
    await expect(said(page, 'Out for a moment')).toBeVisible()
    await expect(said(page, 'Up to date')).toHaveCount(0)
    await page.unroute('**/api/auth/me')
  }
})

test('credit that expires says when', async ({ people, shop }) => {
  const { page, id } = await people.buyer()
  await shop.owner.users.update({ id, balance: 40, expiresInDays: 30 })
  await page.goto('/wallet-history')
  await expect(page.getByRole('region', { name: 'Expiring balance' })).toContainText(/₹40 expires on \d+\s\w+/)
})

test('a long history is fetched in pages while scrolling, a failed page can be asked for again', async ({
  people,
  shop,
}) => {
  const { page, id } = await people.buyer()
  // One by one: each waits for the row of the one before, and a slow machine turns the last of sixty away
  for (let n = 0; n < 60; n += 1) await shop.owner.users.update({ id, balance: 1, expiresInDays: null })
  const failure = { status: 500, json: { message: 'Out for a moment' } }
  await failUntilRetried(page, '**/api/auth/balance-history?*before=*', failure)
  await page.goto('/wallet-history')
  const rows = page.getByRole('list', { name: 'Transactions' }).getByRole('listitem')
  await expect(rows.first()).toBeVisible()
  const first = await rows.count()
  expect(first).toBeLessThan(61)
  await rows.last().scrollIntoViewIfNeeded()
  await expect(page.getByText('Out for a moment')).toBeVisible()
  // News asks for the first page again, and must not take the way to the next ones
  const again = page.waitForResponse(/balance-history\?.*before=/)
  await shop.owner.users.update({ id, balance: 1, expiresInDays: null })
  await again
  await expect(page.getByText('Out for a moment')).toBeVisible()
  // Late news of the sixty may take the button from under the finger: then a person presses again
  await expect(async () => {
    await page.getByRole('button', { name: 'Retry' }).click({ timeout: 2_000 })
    await expect.poll(() => rows.count(), { timeout: 3_000 }).toBeGreaterThan(first)
  }).toPass()
  await rows.last().scrollIntoViewIfNeeded()
  await expect(rows).toHaveCount(62)
})

test('nothing has moved yet, and a history that cannot be fetched', async ({ people }) => {
  const { page } = await people.buyer({ viewport: { width: 1280, height: 800 } })
  await failUntilRetried(page, '**/api/auth/balance-history*', { status: 500, json: { message: 'No' } }, [])
  // A page that is loaded there brings them along; from another screen they are asked for.
  await page.goto('/terms-policy')
  await page.getByRole('banner').getByRole('link', { name: 'Wallet History' }).click()
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('No transactions yet')).toBeVisible()
})

test('several requests that wait are one line with their number and sum', async ({ people, shop }) => {
  const buyer = await people.buyer()
  const ask = (amount: number) =>
    buyer.calls.payments
      .addMoney({ amount, utr: freshUtr(), payerName: '9812345677' })
      .then(({ payment }) => payment._id)
  for (let n = 0; n < 3; n++) await shop.owner.payments.reject({ id: await ask(90) })
  for (const amount of [500, 500.5, 1_000]) await ask(amount)
  await buyer.page.goto('/')
  await expect(buyer.page.getByText('3 pending · ₹2,000.50', { exact: true })).toBeVisible()
  await expect(buyer.page.getByText(/\+\d+ more/)).toHaveCount(0)
})

test('a receipt of a purchase and of a top-up: to print, and worthless to others', async ({ people, shop }) => {
  const [{ page, username, calls }, other] = await Promise.all([people.buyer({ balance: 300 }), people.buyer()])
  const products = await shop.owner.catalogue.list({})
  const paper = products.find(({ name }) => name === 'Paper Kingdoms')
  await calls.orders.place({ productId: paper?._id ?? '', duration: '10 Days', quantity: 1 })
  const utr = freshUtr()
  const { payment } = await calls.payments.addMoney({ amount: 120, utr, payerName: '9876543210' })
  await shop.owner.payments.approve({ id: payment._id })

  await page.goto('/wallet-history')
  await page.getByRole('listitem').filter({ hasText: 'Paper Kingdoms' }).getByRole('link', { name: 'Receipt' }).click()
  const paperOf = page.getByRole('article')
  await expect(paperOf.getByRole('heading', { name: 'Receipt' })).toBeVisible()
  for (const text of [username, '1 × Paper Kingdoms (10 Days)', 'Wallet', '₹79'])
    await expect(paperOf.getByText(text, { exact: true })).toBeVisible()
  await expect(paperOf.getByText('This is a receipt, not a tax invoice.')).toBeVisible()
  const alone = page.waitForEvent('popup')
  await page.evaluate(() => void window.open(location.href))
  await (await alone).getByRole('button', { name: 'Back' }).click()
  await expect((await alone).getByRole('region', { name: 'Wallet' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('button', { name: 'Print or save' })).toBeHidden()
  expect(await paperOf.evaluate((paper) => getComputedStyle(paper).backgroundColor)).toBe('rgb(255, 255, 255)')
  await page.emulateMedia({ media: null })
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page).toHaveURL(/wallet-history/)

  await page.goto('/add-balance')
  await page.getByRole('listitem').filter({ hasText: utr }).getByRole('link', { name: 'Receipt' }).click()
  await expect(paperOf.getByText(`UPI, UTR ${utr}`)).toBeVisible()
  await other.page.goto(page.url())
  await expect(other.page.getByText('Not found.')).toBeVisible()
  await expect(other.page.getByRole('article')).toHaveCount(0)
})

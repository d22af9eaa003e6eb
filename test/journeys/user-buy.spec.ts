/** Buying: the form, what stands in the way, one purchase for whatever happens, and the keys. */
import { said } from './admin-counter.ts'
import { setTextSize } from './fit.ts'
import { DESK, expect, liftFinger, PHONE, test, repeatAt, timeShown } from './people.ts'

for (const viewport of [PHONE, DESK]) {
  test(
    `buying two keys at ${viewport.width} px: they are shown, and 2.5 s later in My Key`,
    repeatAt(viewport),
    async ({ people }) => {
      const { page, calls } = await people.buyer({ viewport, balance: 1_000 })
      await page.goto('/')
      await page.getByRole('link', { name: 'Purchase Key: Orbit Arena Pro' }).click()
      await expect(page).toHaveURL(/\/buy\?product=Orbit/)
      await expect(page.getByRole('combobox', { name: 'Product' })).toHaveValue('Orbit Arena Pro')
      await page.getByRole('radio', { name: /5 Days/ }).check()
      await page.getByRole('button', { name: 'Increase' }).click()
      const ticket = page.getByRole('region', { name: 'Order summary' })
      await expect(ticket.getByText('₹198')).toBeVisible()
      await expect(ticket.getByText('₹802')).toBeVisible()
      const shownMs = await timeShown(page, '#main', 'Opening My Key…')
      // The product's button stood where this one stands
      await liftFinger(page)
      await page.getByRole('button', { name: 'Buy with Wallet' }).click()

      const keys = page.getByRole('list', { name: 'Your keys' })
      await expect(keys.getByRole('listitem')).toHaveCount(2)
      await expect(page.getByRole('heading', { name: 'Your 2 keys are ready' })).toBeFocused()
      const shown = await keys.getByRole('listitem').allInnerTexts()
      await expect(page).toHaveURL(/\/my-key\?key=/, { timeout: 6_000 })
      await expect.poll(shownMs).toBeGreaterThan(1_200)
      for (const key of shown) await expect(page.getByText(key.trim())).toBeVisible()
      expect((await calls.sessions.me({})).balance).toBe(802)

      await page.goBack()
      await expect(page).toHaveURL(/\/buy/)
      await expect(page.getByRole('combobox', { name: 'Product' })).toBeVisible()
      await expect(page.getByRole('spinbutton', { name: 'Quantity' })).toHaveValue('1')
      await expect(keys).toHaveCount(0)
    },
  )
}

test('what stands in the way is said, with the way out beside it', async ({ people, shop }) => {
  const { page } = await people.buyer({ balance: 120.5 })
  const product = await shop.owner.catalogue.create({
    name: 'Nearly Gone',
    description: 'Two durations, one of them sold out.',
    hot: false,
    prices: [
      { duration: '10 Days', price: 50 },
      { duration: '1 Month', price: 100 },
      { duration: '1 Year', price: 0 },
    ],
  })
  await shop.owner.keys.add({
    productId: product._id,
    duration: '1 Month',
    keys: ['NEAR-LY01', 'NEAR-LY02', 'NEAR-LY03'],
  })
  await page.goto('/buy?product=Nearly+Gone&duration=10+Days')
  const buy = page.getByRole('button', { name: 'Buy with Wallet' })
  const quantity = page.getByRole('spinbutton', { name: 'Quantity' })

  await test.step('out of stock, with the other durations', async () => {
    await expect(page.getByText('OUT OF STOCK for this product/duration')).toBeVisible()
    await expect(buy).toBeDisabled()
    await page.getByRole('button', { name: '1 Month · ₹100' }).click()
    await expect(page.getByRole('radio', { name: /1 Month/ })).toBeChecked()
    await expect(page.getByText('OUT OF STOCK for this product/duration')).toBeHidden()
    await expect(buy).toBeEnabled()
  })
  await test.step('low balance, with the top-up of just what is missing', async () => {
    await page.getByRole('button', { name: 'Increase' }).click()
    await expect(page.getByText('Low balance! Please add at least ₹79.50')).toBeVisible()
    await expect(buy).toBeDisabled()
    await page.getByRole('button', { name: 'Add ₹79.50 and buy' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add Money' })
    await expect(dialog.getByLabel('Amount', { exact: true })).toHaveValue('79.5')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(dialog).toBeHidden()
  })
  await test.step('more than there are', async () => {
    await quantity.fill('4')
    await expect(page.getByText('Only 3 in stock. You chose 4.')).toBeVisible()
    await page.getByRole('button', { name: 'Buy 3 instead' }).click()
    await expect(quantity).toHaveValue('3')
  })
  await test.step('quantity stays between 1 and 100', async () => {
    await expect(page.getByText('max 100')).toBeVisible()
    for (const wrong of ['101', '0', '2.5', '']) {
      await quantity.fill(wrong)
      await quantity.blur()
      await expect(page.getByText('Enter a quantity from 1 to 100')).toBeVisible()
      await expect(quantity).toHaveValue(wrong)
      await expect(buy).toBeDisabled()
      await expect(page.getByRole('region', { name: 'Order summary' })).toContainText(/Total–/)
    }
    await quantity.fill('100')
    await expect(page.getByRole('button', { name: 'Increase' })).toBeDisabled()
    await quantity.fill('1')
    await expect(page.getByRole('button', { name: 'Decrease' })).toBeDisabled()
  })
  await test.step('a duration without a price', async () => {
    await page.getByRole('radio', { name: /1 Year/ }).check()
    await expect(page.getByText('This duration isn’t available to buy yet.')).toBeVisible()
    await expect(buy).toBeDisabled()
  })
  await test.step('a product that is not there', async () => {
    await page.goto('/buy?product=Long+Gone')
    await expect(page.getByText('“Long Gone” is no longer available. Choose another product.')).toBeVisible()
  })
  await shop.owner.catalogue.remove({ id: product._id })
})

test('with text of twice the size nothing sticks out of the order, and a request is told in full', async ({
  people,
}) => {
  const { page, calls } = await people.buyer({ viewport: PHONE })
  await calls.payments.addMoney({ amount: 1_000, utr: `61${String(Date.now()).slice(-10)}`, payerName: '9876543210' })
  await page.goto('/buy?product=Hexfall+Tactics')
  await expect(page.getByText('OUT OF STOCK for this product/duration')).toBeVisible()
  await setTextSize(page, 200)
  const right = (role: 'combobox' | 'group', name: string) =>
    page.getByRole(role, { name }).evaluate((box) => box.getBoundingClientRect().right)
  expect(await right('combobox', 'Product')).toBeLessThan(await right('group', 'Your order'))
  await page.goto('/')
  const told = page.getByText('Awaiting approval: ₹1,000')
  expect(await told.evaluate((line) => line.scrollHeight - line.clientHeight)).toBeLessThanOrEqual(1)
})

test('what has no price yet asks nobody to wait for it', async ({ people, shop }) => {
  const { page } = await people.buyer()
  const name = `Priceless ${Date.now()}`
  const { _id: id } = await shop.owner.catalogue.create({ name, prices: [{ duration: '10 Days', price: 0 }] })
  await page.goto('/')
  const card = page.getByRole('article').filter({ hasText: name })
  await expect(card.getByRole('button', { name: 'OUT OF STOCK' })).toBeDisabled()
  await expect(card.getByText('No price yet')).toBeVisible()
  await expect(card.getByRole('link')).toHaveCount(0)
  await page.goto(`/buy?product=${encodeURIComponent(name)}`)
  await expect(page.getByText('This duration isn’t available to buy yet.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Order summary' })).toContainText(/Total–/)
  await shop.owner.catalogue.remove({ id })
})

test('the duration that is shown stays chosen, whatever is sold out or comes back', async ({ people, shop }) => {
  const [{ page, calls }, other] = await Promise.all([people.buyer({ balance: 500 }), people.buyer({ balance: 500 })])
  const product = await shop.owner.catalogue.create({
    name: 'Last Ones',
    prices: [
      { duration: '1 Day', price: 10 },
      { duration: '10 Days', price: 30 },
      { duration: '1 Month', price: 70 },
    ],
  })
  const place = { productId: product._id, duration: '10 Days' }
  await shop.owner.keys.add({ ...place, keys: ['LAST-10D-1'] })
  await shop.owner.keys.add({ ...place, duration: '1 Month', keys: ['LAST-1M-1'] })
  const buy = page.getByRole('button', { name: 'Buy with Wallet' })
  const shown = page.getByRole('radio', { name: /10 Days/ })
  const soldOut = page.getByText('OUT OF STOCK for this product/duration', { exact: true })
  await page.goto('/buy?product=Last+Ones')
  await expect(shown).toBeChecked()

  await test.step('another buyer gets its last key: the order is refused, and no other one offered', async () => {
    await page.route('**/api/keys/buy', async (route) => {
      await other.calls.orders.place({ ...place, quantity: 1 })
      await route.continue()
    })
    await buy.click()
    await expect(page.getByText(/^Failed to purchase key\(s\): OUT OF STOCK/)).toBeVisible()
    await expect(soldOut).toBeVisible()
    await expect(shown).toBeChecked()
    await expect(buy).toBeDisabled()
    await expect(page.getByRole('button', { name: '1 Month · ₹70' })).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
  })
  await test.step('one before it comes in, then it comes back itself', async () => {
    await shop.owner.keys.add({ ...place, duration: '1 Day', keys: ['LAST-1D-1'] })
    await expect(page.getByRole('button', { name: '1 Day · ₹10' })).toBeVisible()
    await expect(shown).toBeChecked()
    await expect(buy).toBeDisabled()
    await shop.owner.keys.add({ ...place, keys: ['LAST-10D-2'] })
    await expect(buy).toBeEnabled()
    await expect(shown).toBeChecked()
  })
  await test.step('what is bought is what is shown', async () => {
    await buy.click()
    await expect(page.getByRole('list', { name: 'Your keys' }).getByRole('listitem')).toContainText('LAST-10D-2')
    expect((await calls.sessions.me({})).balance).toBe(470)
  })
  await shop.owner.catalogue.remove({ id: product._id })
})

test('a refusal is told to whoever has left the page, and does not wait there', async ({ people }) => {
  const { page } = await people.buyer({ balance: 500 })
  await page.goto('/buy?product=Paper+Kingdoms')
  let refuse = () => {}
  const left = new Promise<void>((resolve) => {
    refuse = resolve
  })
  await page.route('**/api/keys/buy', async (route) => {
    await left
    await route.fulfill({ status: 409, json: { code: 'OUT_OF_STOCK', message: 'OUT OF STOCK', available: 0 } })
  })
  await page.getByRole('button', { name: 'Buy with Wallet' }).click()
  await page.getByRole('link', { name: 'Offers' }).click()
  await expect(page).toHaveURL(/\/add-balance$/)
  refuse()
  await expect(said(page, 'Failed to purchase key(s): OUT OF STOCK')).toBeVisible()

  await page.goBack()
  await expect(page.getByRole('button', { name: 'Buy with Wallet' })).toBeEnabled()
  await expect(page.getByRole('main').getByText(/Failed to purchase/)).toHaveCount(0)
})

test('a failure is said in the words of the specification', async ({ people }) => {
  const { page } = await people.buyer({ balance: 500 })
  await page.goto('/buy?product=Paper+Kingdoms')
  const buy = page.getByRole('button', { name: 'Buy with Wallet' })
  await page.route('**/api/keys/buy', (route) =>
    route.fulfill({ status: 409, json: { code: 'OUT_OF_STOCK', message: 'OUT OF STOCK', available: 0 } }),
  )
  await buy.click()
  await expect(page.getByText('Failed to purchase key(s): OUT OF STOCK')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await page.route('**/api/keys/buy', (route) => route.fulfill({ status: 400, json: {} }))
  await buy.click()
  await expect(page.getByText('Failed to purchase key(s): Unknown error')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await page.route('**/api/keys/buy', (route) =>
    route.fulfill({ status: 403, contentType: 'text/html', body: '<h1>No</h1>' }),
  )
  await buy.click()
  await expect(page.getByText('Failed to purchase key(s): Server error (status 403)')).toBeVisible()
})

test('a double click is one purchase', async ({ people }) => {
  const { page, calls } = await people.buyer({ balance: 500 })
  await page.goto('/buy?product=Paper+Kingdoms&duration=10+Days')
  await page.getByRole('button', { name: 'Buy with Wallet' }).dblclick()
  await expect(page.getByRole('list', { name: 'Your keys' }).getByRole('listitem')).toHaveCount(1)
  expect(await calls.keys.mine({})).toHaveLength(1)
  expect((await calls.sessions.me({})).balance).toBe(421)
})

test('a lost answer is asked for again with the same key: one purchase, over a reload too', async ({ people }) => {
  const { page, calls } = await people.buyer({ balance: 500 })
  const sent: (string | undefined)[] = []
  await page.route('**/api/keys/buy', async (route) => {
    sent.push(route.request().headers()['idempotency-key'])
    // It arrives, and the answer gets lost: until the page has been loaded again.
    await route.fetch()
    await route.abort()
  })
  await page.goto('/buy?product=Paper+Kingdoms&duration=10+Days')
  await page.getByRole('button', { name: 'Buy with Wallet' }).click()
  await expect(page.getByRole('region', { name: 'Order status' })).toContainText('Paper Kingdoms')
  await expect.poll(() => sent.length).toBeGreaterThanOrEqual(2)
  await page.unrouteAll({ behavior: 'wait' })
  page.on('request', (request) => {
    if (request.url().endsWith('/keys/buy')) sent.push(request.headers()['idempotency-key'])
  })
  await page.reload()
  await expect(page.getByRole('list', { name: 'Your keys' }).getByRole('listitem')).toHaveCount(1)

  expect(new Set(sent).size).toBe(1)
  expect(sent[0]).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)
  expect(await calls.keys.mine({})).toHaveLength(1)
  expect((await calls.sessions.me({})).balance).toBe(421)
})

test('an answer that comes while the page is being reloaded is told by the next page', async ({ people }) => {
  const { page, calls } = await people.buyer({ balance: 1_000 })
  await page.goto('/buy?product=Paper+Kingdoms')
  const answered = page.waitForResponse('**/api/keys/buy')
  await page.route('**/buy?*', async (route) => {
    await (await answered).finished()
    await page.waitForTimeout(300)
    await route.continue()
  })
  await page.getByRole('button', { name: 'Buy with Wallet' }).click()
  await page.reload()
  await expect(page.getByText('Your key is ready')).toBeVisible()
  expect(await calls.keys.mine({})).toHaveLength(1)
  await expect(page).toHaveURL(/\/my-key\?key=/)

  await page.goto('/buy?product=Paper+Kingdoms')
  await expect(page.getByRole('button', { name: 'Buy with Wallet' })).toBeEnabled()
})

test('a purchase by the keyboard alone', async ({ people }) => {
  const { page } = await people.buyer({ balance: 500, hasTouch: false, viewport: DESK })
  await page.goto('/')
  await expect(page.getByRole('region', { name: 'Products' }).getByRole('article').first()).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: /skip/i })).toBeFocused()

  const tabTo = async (target: ReturnType<typeof page.getByRole>) => {
    for (let n = 0; n < 60; n++) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
    await expect(target).toBeFocused()
  }
  await tabTo(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Buy Key' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Buy Key' })).toBeFocused()
  await tabTo(page.getByRole('combobox', { name: 'Product' }))
  await page.keyboard.type('paper k')
  await expect(page.getByRole('option', { name: /Paper Kingdoms/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Product' })).toHaveValue('Paper Kingdoms')
  await tabTo(page.getByRole('radio', { name: /10 Days/ }))
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: /1 Month/ })).toBeChecked()
  await page.keyboard.press('ArrowUp')
  await tabTo(page.getByRole('spinbutton', { name: 'Quantity' }))
  await page.keyboard.press('ArrowUp')
  await tabTo(page.getByRole('button', { name: 'Buy with Wallet' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Your keys' }).getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Buy another key' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Buy Key' })).toBeFocused()
})

test('a quantity that a button sets is the one that is shown, also while the field has the focus', async ({
  people,
  shop,
}) => {
  const { page } = await people.buyer({ balance: 5_000 })
  const { _id: productId } = await shop.owner.catalogue.create({
    name: 'Two Left',
    description: 'Two keys and no more.',
    hot: false,
    prices: [{ duration: '1 Month', price: 100 }],
  })
  await shop.owner.keys.add({ productId, duration: '1 Month', keys: ['TWO-1', 'TWO-2'] })
  await page.goto('/buy?product=Two+Left')
  await page.getByRole('spinbutton').fill('5')
  // As a screen reader presses it, which leaves the focus
  await page.getByRole('button', { name: 'Buy 2 instead' }).dispatchEvent('click')
  await expect(page.getByRole('spinbutton')).toHaveAttribute('aria-valuenow', '2')
  await expect(page.getByRole('spinbutton')).toHaveValue('2')
})

test('Buy Key leads from the keys that were bought back to the form', async ({ people }) => {
  const { page } = await people.buyer({ balance: 500 })
  await page.goto('/buy?product=Paper+Kingdoms')
  await page.getByRole('button', { name: 'Buy with Wallet' }).click()
  const keys = page.getByRole('list', { name: 'Your keys' })
  await expect(keys).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Buy Key' }).click()
  await expect(page.getByRole('combobox', { name: 'Product' })).toBeVisible()
  await expect(keys).toHaveCount(0)
})

test('how many one buyer may have is said, and above it the other durations are offered', async ({ people, shop }) => {
  const { page } = await people.buyer({ balance: 500 })
  const { _id: productId } = await shop.owner.catalogue.create({
    name: 'Once Only',
    description: '',
    prices: [
      { duration: '1 Day', price: 5, trial: true },
      { duration: '10 Days', price: 50, perBuyer: 2 },
      { duration: '1 Month', price: 100 },
    ],
  })
  for (const duration of ['1 Day', '10 Days', '1 Month'])
    await shop.owner.keys.add({ productId, duration, keys: [1, 2, 3, 4].map((n) => `ONCE-${duration}-${n}`) })
  await page.goto('/buy?product=Once+Only&duration=1+Day')
  const quantity = page.getByRole('spinbutton', { name: 'Quantity' })
  await expect(page.getByText('Trial: 1 per person')).toBeVisible()
  const increase = page.getByRole('button', { name: 'Increase' })
  await expect(increase).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('radio', { name: /10 Days/ }).check()
  await expect(page.getByText('2 per buyer')).toBeVisible()
  await increase.click()
  await expect(quantity).toHaveValue('2')
  await expect(increase).toHaveAttribute('aria-disabled', 'true')
  const buy = page.getByRole('button', { name: 'Buy with Wallet' })
  await buy.click()
  await expect(page.getByRole('list', { name: 'Your keys' }).getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Buy another key' }).click()
  // Where a tap has bought, none does for a second (under-finger.ts). A person is slower
  await page.waitForTimeout(1_000)
  await buy.click()
  const note = page.getByText(/You can buy 2 of this, and you have bought 2\.$/).filter({ visible: true })
  await expect(note.first()).toBeVisible()
  await page.getByRole('button', { name: '1 Month · ₹100' }).click()
  await expect(note).toHaveCount(0)
  await expect(page.getByRole('radio', { name: /1 Month/ })).toBeChecked()
})

test('a larger order costs less a key, and says from how many and how much', async ({ people, shop }) => {
  const { page } = await people.buyer({ balance: 500 })
  const duration = '1 Month'
  const steps = [
    { from: 3, price: 80 },
    { from: 5, price: 60 },
  ]
  const { _id: productId } = await shop.owner.catalogue.create({
    name: 'By the Dozen',
    description: '',
    prices: [{ duration, price: 100, steps }],
  })
  await shop.owner.keys.add({ productId, duration, keys: [1, 2, 3, 4, 5].map((n) => `DOZEN-${n}`) })
  await page.goto('/buy?product=By+the+Dozen')
  await expect(page.getByText('From 3: ₹80 each · From 5: ₹60 each')).toBeVisible()
  const ticket = page.getByRole('region', { name: 'Order summary' })
  await expect(ticket.getByText('You save')).toHaveCount(0)
  await page.getByRole('spinbutton', { name: 'Quantity' }).fill('5')
  await expect(ticket).toContainText('₹60 each')
  await expect(ticket).toContainText('You save₹200')
  await page.getByRole('button', { name: 'Buy with Wallet' }).click()
  await expect(page.getByRole('list', { name: 'Your keys' }).getByRole('listitem')).toHaveCount(5)
  await expect(page.getByText('Paid ₹300')).toBeVisible()
})

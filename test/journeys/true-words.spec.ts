/** The texts of a screen can be seen, and are true. */
import { expect, freshUtr, PHONE, test } from './admin-counter.ts'
import { signUp } from '../../server/demo/store-calls.ts'
import { screensOf } from '../screens.ts'
import { callsOf, enterPanel } from './people.ts'
import { person, test as own } from './store.ts'

const LISTS = [
  // The filter of payments begins with what is pending, and leads to the others
  ...screensOf('admin').filter((path) => /(?<!payment-)manager|purchases|claims|admin\/bank$/.test(path)),
  '/admin/key-manager?view=keys',
  '/admin/key-manager?view=batches',
]
const NOTHING_YET = /^(No [\w- ]+|Add your bank account first)$/

test('the dollar balance is named where it stands', async ({ people }) => {
  const { page } = await people.buyer()
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/')
    const label = page.getByRole('region', { name: 'Wallet' }).getByText(/Dollar balance/)
    expect(await label.evaluate((each) => each.clientWidth), `at ${width} px`).toBeGreaterThan(60)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), 'no scrolling sideways').toBe(width)
  }
})

test('My Key shows the day and the time at which a key ends', async ({ people }) => {
  const { page, calls } = await people.buyer({ balance: 1_000, timezoneId: 'Asia/Kolkata' })
  const [product] = (await calls.catalogue.list({})).filter(({ available }) => available > 0)
  const price = product?.prices.find((each) => each.price !== undefined && each.price <= 1_000)
  const { keys } = await calls.orders.place({
    productId: product?._id ?? '',
    duration: price?.duration ?? '',
    quantity: 1,
  })
  const end = new Intl.DateTimeFormat('en-IN', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Asia/Kolkata',
    hour12: true,
  }).format(new Date(keys[0]?.expiresAt ?? ''))
  // The year that it is now goes without saying
  const year = new Intl.DateTimeFormat('en-IN', { year: 'numeric', timeZone: 'Asia/Kolkata' }).format(new Date())
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/my-key')
    const shown = page.getByRole('main').getByRole('article').locator('time').last()
    await expect(shown).toHaveText(end.replaceAll(/\s/g, ' ').replace(` ${year}`, ''))
    expect(await page.evaluate(() => document.documentElement.scrollWidth), 'no scrolling sideways').toBe(width)
  }
})

test('the form of a referral code does not say that buyers read its description', async ({ owner, people }) => {
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin/referral-manager')
  await page.getByRole('button', { name: 'New code' }).click()
  const dialog = page.getByRole('dialog', { name: 'New referral code' })
  await expect(dialog.getByLabel('Description')).toHaveAccessibleDescription(/Sign-up doesn’t show it/)

  const visitor = await people.visitor()
  await visitor.page.goto('/signup?ref=WELCOME50')
  await expect(visitor.page.getByText('Code applied')).toBeVisible()
  const { description } = await (await visitor.context.request.get('/api/referral/validate/WELCOME50')).json()
  await expect(visitor.page.getByText(description)).toHaveCount(0)
})

test('the page of plans says that a plan’s amount brings its bonus, as the dialog does', async ({ people, shop }) => {
  const plans = await shop.owner.payments.plans({})
  const plan = plans.find(({ amount, bonus, isActive }) => isActive && bonus > amount)
  const { page } = await people.buyer({ viewport: PHONE })
  await page.goto('/add-balance')
  const anyAmount = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Any amount' }) })
  await expect(anyAmount).toContainText('Only the amounts above earn a bonus.')
  await anyAmount.getByRole('button', { name: 'Add Money' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount', { exact: true }).fill(String(plan?.amount))
  await expect(dialog.getByText(`You’ll get ₹${plan?.bonus.toLocaleString('en-IN')} in your wallet`)).toBeVisible()
})

test('beside a request that waits, the dashboard says that payments are off', async ({ people, shop }) => {
  const { page, calls } = await people.buyer({ viewport: PHONE })
  await calls.payments.addMoney({ amount: 191, utr: freshUtr(), payerName: '9812345675' })
  await shop.owner.settings.saveUpi({ paymentEnabled: false })
  try {
    await page.goto('/')
    const wallet = page.getByRole('region', { name: 'Wallet' })
    await expect(wallet.getByText(/₹191/)).toBeVisible()
    await expect(wallet.getByText('Money cannot be added right now')).toBeVisible()
  } finally {
    await shop.owner.settings.saveUpi({ paymentEnabled: true })
  }
})

own(
  'a filter that finds nobody says whom it lists, and developers are led to every call',
  async ({ browser, store }) => {
    const { page, context } = await person(browser, store, { viewport: PHONE })
    await enterPanel(context.request, store.admin)
    const none = {
      money: 'Users with money in their wallet are listed here.',
      lapsing: 'Users whose balance is about to expire are listed here.',
      new: 'Users who sign up today are listed here.',
    }
    for (const [status, text] of Object.entries(none)) {
      await page.goto(`/admin/user-manager?status=${status}`)
      await expect(page.getByText(text)).toBeVisible()
    }
    await page.goto('/admin/settings')
    await page.getByRole('link', { name: 'Developer reference (API)' }).click()
    await expect(page).toHaveURL(/\/api\/docs$/)
    await expect(page.getByText('/bank/statements').first()).toBeVisible()
    await context.close()
  },
)

own(
  'a list without rows has no search, a product without a price says so, and after a sale the guide is still offered',
  async ({ browser, store, playwright }) => {
    const { page, context } = await person(browser, store, { viewport: PHONE })
    const owner = await enterPanel(context.request, store.admin)
    for (const path of LISTS) {
      await page.goto(path)
      await expect(page.getByRole('main').getByText(NOTHING_YET), path).toBeVisible()
      await expect(page.getByRole('searchbox').or(page.getByRole('button', { name: /^Filters/ })), path).toHaveCount(0)
    }

    const prices = [{ duration: '10 Days', price: 100 }]
    const product = { description: '', hot: false }
    const { _id: productId } = await owner.catalogue.create({ ...product, name: 'Nova Pass', prices })
    await owner.catalogue.create({ ...product, name: 'Bare Pass', prices: [{ duration: '1 Year', price: 0 }] })
    await owner.catalogue.create({ ...product, name: 'Gone Pass', prices })
    await owner.keys.add({ productId, duration: '10 Days', keys: ['NOVA-1', 'NOVA-2'] })
    await owner.referrals.create({ code: 'FIRST', description: 'For friends', rewardAmount: 100 })
    const request = await playwright.request.newContext({ baseURL: store.url })
    const buyer = callsOf(request)
    const login = { username: 'asha', password: 'a-long-passphrase-9' }
    await signUp(buyer, { ...login, referralCode: 'FIRST' })
    await buyer.sessions.login(login)
    await buyer.orders.place({ productId, duration: '10 Days', quantity: 1 })
    // On a phone the card of one step asks already
    await page.setViewportSize({ width: 1280, height: 844 })
    await page.goto('/admin')
    await expect(page.getByRole('link', { name: /^Setup guide: \d+ steps left/ })).toBeVisible()

    const shopping = await browser.newContext({
      baseURL: store.url,
      viewport: PHONE,
      storageState: await request.storageState(),
    })
    const buyers = await shopping.newPage()
    await buyers.goto('/buy')
    await expect(buyers.getByRole('link', { name: /Bare Pass/ })).toContainText('No price yet')
    await expect(buyers.getByRole('link', { name: /Nova Pass/ })).toContainText('from ₹100')
    await expect(buyers.getByRole('link', { name: /Gone Pass/ })).toContainText('Out of stock')
    await Promise.all([shopping.close(), request.dispose(), context.close()])
  },
)

test('a page of a link says so when the link is not whole', async ({ people }) => {
  const { page } = await people.visitor()
  await page.goto('/phone')
  await expect(page.getByText('Open this page from the QR code in the panel')).toBeVisible()
  for (const path of ['/unsubscribe', '/confirm-email']) {
    await page.goto(path)
    await expect(page.getByText('This link is not complete. Open it again from the email.')).toBeVisible()
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
  }
  for (const path of ['/phone', '/unsubscribe', '/confirm-email', '/reset-password']) {
    await page.goto(path)
    await expect(page.getByRole('alert').first(), path).toContainText('This link does not work')
    await expect(page.getByRole('banner').getByRole('button'), path).toBeVisible()
  }
})

/** A buyer pays once, says what the payment is for, and has the key when it is approved. Typing is no tap. */
import type { Locator, Page } from '@playwright/test'
import { DESK, expect, freshName, PASSWORD, PHONE, PHONE_AGENT, test, type People } from './people.ts'

const PRODUCT = 'Night Circuit VIP'
const BUY = `/buy?product=${encodeURIComponent(PRODUCT)}&duration=10%20Days`

let lastUtr = 730_000_000_000 + (Date.now() % 1_000_000) * 1_000
const freshUtr = () => String((lastUtr += 1))

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Add Money' })

async function fillPayment(page: Page): Promise<void> {
  const dialog = dialogOf(page)
  await dialog.getByLabel('UTR (12-digit transaction number)').fill(freshUtr())
  await dialog.getByLabel('Contact phone').fill('9876501234')
}

/** Notes each text of the page that matches, at any moment from now on, also over a reload. */
async function noteTexts(page: Page, pattern: RegExp): Promise<() => readonly string[]> {
  const seen = new Set<string>()
  await page.exposeFunction('noteText', (text: string) => seen.add(text))
  const watch = (source: string) => {
    const look = () => {
      for (const text of document.body?.innerText.split('\n') ?? [])
        if (new RegExp(source).test(text)) Reflect.get(window, 'noteText')(text)
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
    look()
  }
  await page.addInitScript(watch, pattern.source)
  await page.evaluate(watch, pattern.source)
  return () => [...seen]
}

/** Notes each time that the page shows grey shapes and not a word. */
async function noteVoids(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const voids: string[] = []
    Object.assign(window, { voids })
    new MutationObserver(() => {
      for (const place of document.querySelectorAll<HTMLElement>('main .loading'))
        if (!/[a-z]/i.test(place.innerText.replace('Loading…', ''))) voids.push(place.outerHTML.slice(0, 120))
    }).observe(document, { childList: true, subtree: true })
  })
  return () => page.evaluate(() => Reflect.get(window, 'voids') as string[])
}

/** A new buyer's way, counted: taps, different screens, and how often the store is opened. */
async function newBuyer(people: People) {
  const { page } = await people.visitor({ viewport: PHONE, userAgent: PHONE_AGENT, hasTouch: true })
  const username = freshName()
  const screens = new Set<string>()
  let [taps, visits] = [0, 0]
  const look = () => screens.add(new URL(page.url()).pathname)
  const open = async (path: string) => {
    visits += 1
    await page.goto(path)
  }
  const tap = async (what: Locator) => {
    look()
    taps += 1
    await what.tap()
  }
  /** Signs up by the link to a product, and logs in. */
  const join = async () => {
    await open(`/signup?ref=WELCOME50&next=${encodeURIComponent(BUY)}`)
    await page.getByLabel('Email').fill(`${username}@example.in`)
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await expect(page.getByText('Code applied')).toBeVisible()
    await tap(page.getByRole('button', { name: 'Sign up' }))
    await expect(page).toHaveURL(/\/login/)
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await tap(page.getByRole('button', { name: 'Login' }))
    await expect(page.getByText('Low balance! Please add at least ₹199')).toBeVisible()
  }
  const pay = async () => {
    const dialog = dialogOf(page)
    await fillPayment(page)
    await tap(dialog.getByRole('checkbox'))
    await tap(dialog.getByRole('button', { name: 'Submit request' }))
    await expect(dialog).toBeHidden()
  }
  const hasKey = async () => {
    await expect(page.getByRole('button', { name: 'Copy key' }).first()).toBeVisible()
    look()
    return { taps, screens: screens.size, visits }
  }
  return { page, username, open, tap, join, pay, hasKey }
}

test('from the shared link to a working key: one payment, one visit, five taps', async ({ people, shop }) => {
  const { page, username, tap, join, pay, hasKey } = await newBuyer(people)
  await join()
  await tap(page.getByRole('button', { name: 'Add ₹199 and buy' }))
  await expect(dialogOf(page).getByText('We’ll buy 1 × Night Circuit VIP (10 Days) when it’s approved.')).toBeVisible()
  await pay()

  const waiting = page.getByText('₹199 is being checked. We’ll buy 1 × Night Circuit VIP (10 Days) when it’s approved.')
  await expect(waiting).toBeVisible()
  await expect(page.getByText('Low balance!')).toHaveCount(0)
  await expect(
    page.getByRole('main').getByRole('button', { name: /^Add/ }),
    'nobody is asked to pay again',
  ).toHaveCount(0)
  const { payments } = await shop.owner.payments.list({ search: username, status: 'pending' })
  expect(payments).toMatchObject([{ amount: 199, then: { productName: PRODUCT, state: 'waiting' } }])
  await expect(page.getByText('You can close this page. The key will be in My Key.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Buy with Wallet' }), 'no bar stands over it').toBeHidden()
  const other = await page.context().newPage()
  await other.goto('/buy?product=Paper+Kingdoms')
  await expect(other.getByText(/^₹199 is being checked/)).toBeVisible()
  await expect(other.getByText('You can close this page.'), 'over another product it is short').toBeHidden()
  await other.close()
  await expect(page.getByText('−₹199'), 'nothing is missing while the money is on its way').toHaveCount(0)
  const alarms = await noteTexts(page, /Low balance!|Add ₹\d+ and buy|Balance (in|de)creased/)
  const voids = await noteVoids(page)
  await shop.owner.payments.approve({ id: payments[0]?._id ?? '' })

  await expect(page.getByRole('heading', { name: 'Your key is ready' })).toBeFocused()
  expect(await voids(), 'the place of the key is never empty').toEqual([])
  await expect(page, 'and another tab is told').toHaveTitle(/^Your key is ready/)
  // The key has the screen to itself: its cover, its Copy and how to activate it, without scrolling
  const arrived = page.getByRole('article', { name: 'Your key is ready' })
  await expect(arrived.locator('.cover')).toBeInViewport()
  await expect(arrived.getByRole('button', { name: 'Copy key' })).toBeInViewport({ ratio: 1 })
  await expect(arrived.getByRole('button', { name: 'Download TXT' })).toBeInViewport({ ratio: 1 })
  await expect(page.getByText('Pay from your wallet.')).not.toBeInViewport()
  expect(await hasKey()).toEqual({ taps: 5, screens: 3, visits: 1 })
  // As long as a message would stay
  await page.waitForTimeout(3_000)
  expect(alarms(), 'nothing asks for money again').toEqual([])
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Your key is ready' })).toBeVisible()
  await page.getByRole('button', { name: 'Buy another key' }).click()
  await expect(page.getByRole('button', { name: 'Add ₹249 and buy' })).toBeVisible()
  expect(alarms().length, 'the notes see what is there').toBeGreaterThan(0)
  const { purchases } = await shop.owner.orders.purchases({ search: username })
  expect(purchases).toMatchObject([{ amount: 249, topUpId: payments[0]?._id }])
})

test('without saying what the payment is for: as many taps, and a second visit', async ({ people, shop }) => {
  const { page, username, open, tap, join, pay, hasKey } = await newBuyer(people)
  await join()
  await tap(page.getByRole('main').getByRole('button', { name: 'Add Money' }))
  await dialogOf(page).getByLabel('Amount', { exact: true }).fill('199')
  await pay()
  const { payments } = await shop.owner.payments.list({ search: username, status: 'pending' })
  await shop.owner.payments.approve({ id: payments[0]?._id ?? '' })

  await open(BUY)
  await tap(page.getByRole('button', { name: 'Buy with Wallet' }).first())
  expect(await hasKey()).toEqual({ taps: 6, screens: 3, visits: 2 })
})

test('the buyer changes their mind, and a payment without a wish is told beside the literal text', async ({
  people,
  shop,
}) => {
  const { page, calls } = await people.buyer({ viewport: PHONE })
  await page.goto(BUY)
  await page.getByRole('button', { name: 'Add ₹199 and buy' }).click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('Amount', { exact: true }).fill('150')
  await expect(dialog.getByText('For 1 × Night Circuit VIP (10 Days) add at least ₹199.')).toBeVisible()
  await dialog.getByLabel('Amount', { exact: true }).fill('199')
  await fillPayment(page)
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Submit request' }).click()
  await expect(dialog).toBeHidden()

  await page.reload()
  await page.getByRole('button', { name: 'Cancel this order' }).click()
  await expect(page.getByText('₹199 is being checked. You can buy when it’s approved.')).toBeVisible()
  await expect(page.getByText('Low balance! Please add at least ₹199')).toBeVisible()
  await expect(page.getByRole('button', { name: /and buy$/ })).toHaveCount(0)
  const [request] = await calls.payments.mine({})
  expect(request?.then).toMatchObject({ state: 'ended', reason: 'cancelled' })
  await shop.owner.payments.approve({ id: request?._id ?? '' })
  await expect(page.getByRole('button', { name: 'Buy with Wallet' }).first()).toBeEnabled()
  expect(await calls.keys.mine({})).toEqual([])
})

test('the admin sees what a payment buys, and the buyer why nothing was bought', async ({ people, shop }) => {
  const { page, calls, username } = await people.buyer({ viewport: PHONE })
  const product = (await shop.owner.catalogue.list({})).find(({ name }) => name === PRODUCT)
  const then = { productId: product?._id ?? '', duration: '10 Days', quantity: 2, expectedPrice: 249 }
  const { payment } = await calls.payments.addMoney({ amount: 20, utr: freshUtr(), payerName: '9876501234', then })
  const admin = await people.visitor({ viewport: PHONE })
  await admin.page.request.post('/api/admin/login', { data: shop.admin, headers: { origin: shop.url } })
  await admin.page.goto(`/admin/payment-manager?request=${payment._id}`)
  const buys = admin.page.getByText('then buys 2 × Night Circuit VIP (10 Days)').first()
  await expect(buys).toBeVisible()
  // At a desk a column has room for most of it
  await admin.page.setViewportSize(DESK)
  await expect(buys).toBeVisible()
  expect((await buys.boundingBox())?.height).toBeLessThanOrEqual(2 * 16)
  await page.goto(BUY)
  await shop.owner.payments.approve({ id: payment._id })
  const why = '2 × Night Circuit VIP (10 Days) was not bought. Your balance is too low. The money stays in your wallet.'
  await expect(page.getByText(why)).toBeVisible()
  // A promise that ended is said wherever its key would be, until the buyer has seen it
  for (const place of ['/my-key', BUY]) {
    await page.goto(place)
    await expect(page.getByText(why)).toBeVisible()
  }
  await page.goto('/')
  await expect(page.getByText('Approved: ₹20 added, nothing bought')).toBeVisible()
  await page.goto('/my-key')
  await page.getByRole('button', { name: 'Got it' }).click()
  await expect(page.getByText(why)).toHaveCount(0)
  await page.goto(BUY)
  await expect(page.getByRole('heading', { name: 'Buy Key' })).toBeVisible()
  await expect(page.getByText(why)).toHaveCount(0)
  await page.goto('/wallet-history#requests')
  await expect(page.getByText(why)).toBeVisible()
  expect((await shop.owner.payments.list({ search: username })).payments).toHaveLength(1)
})

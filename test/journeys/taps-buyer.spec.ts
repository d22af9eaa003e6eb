/** The buyer's column of taps at 390 px, from the dashboard. Typing and scrolling don't count, nor does the UPI app. */
import type { Locator, Page } from '@playwright/test'
import { expect, PHONE, test, type Buyer, type Shop } from './people.ts'

let lastUtr = 710_000_000_000 + (Date.now() % 1_000_000) * 1_000
const freshUtr = () => String((lastUtr += 1))

/** Counts each press from the dashboard. */
async function counter(page: Page) {
  await page.goto('/')
  let taps = 0
  return {
    tap: async (what: Locator) => {
      taps += 1
      await what.tap()
    },
    expectAtMost: (goal: number) => expect(taps, 'taps').toBeLessThanOrEqual(goal),
  }
}

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Main' }).filter({ visible: true })
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Add Money' })

/** Has asked for money before, so that the phone number and the consent are known, and has bought a key. */
async function givenRegular(page: Page, { calls }: Buyer): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Add Money' }).click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('Amount', { exact: true }).fill('50')
  await dialog.getByLabel('UTR (12-digit transaction number)').fill(freshUtr())
  await dialog.getByLabel('Contact phone').fill('9876501234')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Submit request' }).click()
  await expect(dialog).toBeHidden()
  const [product] = (await calls.catalogue.list({})).filter(({ available }) => available > 5)
  const price = product?.prices.find(({ available }) => available > 5)
  const { _id = '' } = product ?? {}
  await calls.orders.place(
    { productId: _id, duration: price?.duration ?? '', quantity: 1, expectedPrice: price?.price ?? 0 },
    { idempotencyKey: crypto.randomUUID() },
  )
}

async function withSupport(shop: Shop, work: () => Promise<void>): Promise<void> {
  const { supportUrl } = await shop.owner.settings.store({})
  await shop.owner.settings.saveStore({ supportUrl: 'https://t.me/chaabi' })
  try {
    await work()
  } finally {
    await shop.owner.settings.saveStore({ supportUrl })
  }
}

test('a buyer gets everything in as few taps as promised', async ({ people, shop }) => {
  const buyer = await people.buyer({ viewport: PHONE, balance: 5_000 })
  const { page, context } = buyer
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await givenRegular(page, buyer)
  const pasted = () => page.evaluate(() => navigator.clipboard.readText())

  await test.step('0: balance, and the state of a request', async () => {
    const { expectAtMost } = await counter(page)
    await expect(page.getByRole('region', { name: 'Wallet' }).getByText(/^₹[\d,]+$/)).toBeInViewport()
    await expect(page.getByText('Awaiting approval: ₹50')).toBeInViewport()
    expectAtMost(0)
  })
  await test.step('0: what is sold, even on a small phone', async () => {
    await page.setViewportSize({ width: 360, height: 640 })
    expect((await page.getByRole('list', { name: 'Durations' }).first().boundingBox())?.y).toBeLessThan(560)
    await page.setViewportSize(PHONE)
  })
  await test.step('1: copy the newest key', async () => {
    const { tap, expectAtMost } = await counter(page)
    const [newest] = await buyer.calls.keys.mine({})
    await tap(page.getByRole('main').getByRole('button', { name: 'Copy key' }))
    await expect.poll(pasted).toBe(newest?.key)
    expectAtMost(1)
  })
  await test.step('1: the keys that expire next, soonest first', async () => {
    const { tap, expectAtMost } = await counter(page)
    await tap(page.getByRole('region', { name: 'Expiring next' }).getByRole('timer'))
    await expect(page.getByRole('heading', { name: 'My Key', level: 1 })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Active', exact: true })).toHaveAttribute('aria-pressed', 'true')
    expectAtMost(1)
  })
  await test.step('1: wallet history', async () => {
    const { tap, expectAtMost } = await counter(page)
    await tap(tabs(page).getByRole('link', { name: 'Wallet History' }))
    await expect(page.getByRole('heading', { name: 'Wallet History' })).toBeVisible()
    expectAtMost(1)
  })
  await test.step('2: buy from home', async () => {
    const { tap, expectAtMost } = await counter(page)
    await tap(
      page
        .getByRole('main')
        .getByRole('link', { name: /^Purchase Key/ })
        .first(),
    )
    await tap(page.getByRole('button', { name: 'Buy with Wallet' }))
    await expect(page.getByRole('list', { name: 'Your keys' })).toBeVisible()
    await expect(page).toHaveURL(/\/my-key\?key=/)
    await expect(page.getByText('Balance decreased'), 'the page has said what was paid').toHaveCount(0)
    expectAtMost(2)
  })
  await test.step('2: buy the same again', async () => {
    const { tap, expectAtMost } = await counter(page)
    await tap(page.getByRole('link', { name: /^Buy again: / }))
    await tap(page.getByRole('button', { name: 'Buy with Wallet' }))
    await expect(page.getByRole('list', { name: 'Your keys' })).toBeVisible()
    expectAtMost(2)
  })
  await test.step('4: add ₹500, with the plan’s bonus', async () => {
    const { tap, expectAtMost } = await counter(page)
    const utr = freshUtr()
    await tap(page.getByRole('button', { name: 'Add Money' }))
    const dialog = dialogOf(page)
    await tap(dialog.getByRole('button', { name: '₹500 → ₹550' }))
    await expect(dialog.getByText('You’ll get ₹550 in your wallet')).toBeVisible()
    await page.evaluate((text) => navigator.clipboard.writeText(text), `Paid. UPI Ref No ${utr}`)
    await tap(dialog.getByRole('button', { name: 'Paste' }))
    await expect(dialog.getByLabel('UTR (12-digit transaction number)')).toHaveValue(utr)
    await tap(dialog.getByRole('button', { name: 'Submit request' }))
    await expect(dialog.getByText('Request submitted')).toBeVisible()
    expect((await buyer.calls.payments.mine({}))[0]).toMatchObject({ amount: 500, credited: 550 })
    await expect(dialog).toBeHidden()
    expectAtMost(4)
  })
  await test.step('4: use an offer', async () => {
    const { tap, expectAtMost } = await counter(page)
    await tap(page.getByRole('link', { name: 'Offers' }))
    await tap(page.getByRole('button', { name: /Pay ₹1,000/ }))
    const dialog = dialogOf(page)
    await dialog.getByLabel('UTR (12-digit transaction number)').fill(freshUtr())
    await tap(dialog.getByRole('button', { name: 'Submit request' }))
    await expect(dialog.getByText('Request submitted')).toBeVisible()
    expectAtMost(4)
  })
  await test.step('1: write to the seller, from the dashboard, the login and the sign-up', async () => {
    await withSupport(shop, async () => {
      await page.goto('/')
      await expect(page.getByRole('link', { name: 'Contact support' })).toBeInViewport()
      const { page: visitor } = await people.visitor({ viewport: PHONE })
      await visitor.goto('/login')
      await expect(visitor.getByRole('link', { name: 'Forgot your password?' })).toBeInViewport()
      await visitor.goto('/signup')
      await expect(visitor.getByRole('link', { name: 'No code?' })).toBeInViewport()
    })
  })
})

test('on a phone “I have paid” leads to the UTR, and so does coming back from the UPI app', async ({ people }) => {
  const { page, context } = await people.buyer({ viewport: PHONE })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/')
  await page.getByRole('button', { name: 'Add Money' }).click()
  const dialog = dialogOf(page)
  const utr = dialog.getByLabel('UTR (12-digit transaction number)')
  await expect(dialog.getByRole('button', { name: 'I have paid' })).toHaveCount(0)
  await dialog.getByLabel('Amount', { exact: true }).fill('500')
  await expect(dialog.getByRole('img', { name: /QR code/ })).toBeHidden()

  await dialog.getByRole('button', { name: 'Copy UPI ID' }).click()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(dialog.getByRole('button', { name: 'Submit request' })).toBeInViewport()

  await dialog.getByLabel('Amount', { exact: true }).scrollIntoViewIfNeeded()
  await dialog.getByRole('button', { name: 'I have paid' }).click()
  await expect(utr).toBeFocused()
  await expect(utr).toBeInViewport()

  await page.evaluate(() => navigator.clipboard.writeText(''))
  await dialog.getByRole('button', { name: 'Paste' }).click()
  await expect(page.getByRole('status').getByText('Nothing to paste.').first()).toBeAttached()
  await dialog.getByText('Where do I find my UTR?').click()
  await expect(dialog.getByText('Google Pay')).toBeVisible()
})

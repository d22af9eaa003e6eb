/** From an empty store to a shared sign-up link, on a phone, by pressing what the guide offers. */
import type { Locator, Page } from '@playwright/test'
import { expect, PHONE } from './admin-counter.ts'
import { panelOf } from './admin-door.ts'
import { callsOf, enterPanel, gotoDrawn, holdScripts } from './people.ts'
import { person, test } from './store.ts'

const barOf = (page: Page) => page.getByRole('main').getByRole('region', { name: 'Setup guide' })

/** Waits until the bar says that its step is done, and goes on. */
async function next(page: Page): Promise<void> {
  await expect(barOf(page)).toContainText('Done')
  // A dialog that closes goes back in the history, and another navigation in that time would be given up
  await page.waitForFunction(() => !(history.state as { isLayer?: boolean } | null)?.isLayer)
  await barOf(page).getByRole('button', { name: 'Next' }).click()
}

async function addProduct(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New product' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New product' })
  await dialog.getByLabel('Name').fill('Nova Pass')
  await dialog.getByLabel('Duration 1').fill('10 Days')
  await dialog.getByLabel('Price 1').fill('100')
  await dialog.getByRole('button', { name: 'Add product' }).click()
  await expect(dialog).toBeHidden()
}

async function addCode(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New code' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New referral code' })
  await dialog.getByLabel('Code', { exact: true }).fill('FIRST20')
  await dialog.getByLabel('Description').fill('For friends')
  await dialog.getByRole('button', { name: 'Add code' }).click()
  await expect(dialog).toBeHidden()
}

test('a new store is led to a shared link on a phone, over a reload, and what is skipped stays skipped', async ({
  browser,
  store,
}) => {
  test.setTimeout(120_000)
  const { page, context } = await person(browser, store, { viewport: PHONE })
  const calls = await enterPanel(context.request, store.admin)
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

  await test.step('what selling needs: each step ends with Next', async () => {
    // Pressed before the scripts have come
    const release = await holdScripts(page)
    await gotoDrawn(page, '/admin')
    const first = page.getByRole('region', { name: 'Set up your store' })
    await expect(first.getByRole('listitem').first()).toContainText('Name your store')
    await expect(first).toContainText('0 of 13 complete')
    await expect(page.getByText('Payments can’t start yet. Add your UPI ID.')).toBeVisible()
    await first.getByRole('link', { name: /^Name your store/ }).click()
    release()
    await expect(barOf(page)).toContainText('Step 1 of 13')
    await page.getByLabel('Website name', { exact: true }).fill('Nova Keys')
    await page.getByRole('button', { name: 'Save name and title' }).click()
    await next(page)
    await page.getByLabel('UPI ID', { exact: true }).fill('nova@okaxis')
    await page.getByRole('button', { name: 'Save UPI ID' }).click()
    await next(page)
    await expect(page).toHaveURL(/product-manager/)
    expect(await overflow()).toBe(0)
    await addProduct(page)
    await next(page)
    await expect(page).toHaveURL(/key-manager/)
    await expect(barOf(page)).toContainText('Step 4 of 13')
    const [product] = await calls.catalogue.list({})
    await calls.keys.add({ productId: product?._id ?? '', duration: '10 Days', keys: ['NOVA-1', 'NOVA-2'] })
    await next(page)
    await addCode(page)
    await next(page)
    await page.getByLabel('Support link').fill('https://wa.me/919812345671')
    await panelOf(page, 'Support').getByRole('button', { name: 'Save settings' }).click()
    await next(page)
  })

  await test.step('a reload in the middle leaves the step where it was, and it can be skipped', async () => {
    await expect(page).toHaveURL(/settings\/face/)
    await page.reload()
    await expect(barOf(page)).toContainText('Brand your store')
    expect(await overflow()).toBe(0)
    await barOf(page).getByRole('button', { name: 'Skip' }).click()
    await expect(page).toHaveURL(/topup-plan-manager/)
    await calls.payments.createPlan({ amount: 500, bonus: 550 })
    await next(page)
    await expect(page).toHaveURL(/admin\/guide/)
  })

  await test.step('the rest is done in the guide: a look as a buyer, the link, the backup', async () => {
    const steps = page.getByRole('main').getByRole('listitem')
    await expect(steps.filter({ hasText: 'Brand your store' })).toContainText('Skipped')
    const [buyersView] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('button', { name: /^See your store as a buyer/ }).click(),
    ])
    await expect(buyersView.getByRole('article').filter({ hasText: 'Nova Pass' })).toBeVisible()
    await buyersView.close()
    await page.getByRole('link', { name: /^Get messages on this phone/ }).click()
    const phone = panelOf(page, 'Phone notifications')
    await expect(phone.getByRole('switch', { name: 'Send notifications' })).toBeChecked()
    await expect(phone.getByText('This device')).toBeVisible()
    await expect(barOf(page)).toContainText('Get notifications on this phone')
    await barOf(page).getByRole('button', { name: 'Skip' }).click()
    await expect(page).toHaveURL(/admin\/guide/)
    await page.getByRole('button', { name: /^Share your sign-up link/ }).click()
    const link = page.getByRole('dialog', { name: 'Sign-up link' })
    await expect(link.getByText(/signup\?ref=FIRST20/)).toBeVisible()
    // The store of this test has no public address
    await expect(link.getByText('Nobody else can open this link: 127.0.0.1 is this computer.')).toBeVisible()
    await expect(link.getByRole('img', { name: 'QR code of the sign-up link' })).toBeVisible()
    await link.getByRole('button', { name: 'Close' }).click()
    await expect(steps.filter({ hasText: 'Save a copy of your store' })).toContainText('Download your whole store')
    await page.getByRole('button', { name: 'Skip: Share your sign-up link' }).click()
    await page.getByRole('button', { name: 'Skip: Save a copy of your store' }).click()
    await expect(steps.filter({ hasText: 'Save a copy of your store' })).toContainText('Skipped')
    await page.getByRole('button', { name: 'Skip: Turn on two-step verification' }).click()
    await expect(page.getByText('Your store is set up.')).toBeVisible()
  })

  await test.step('the dashboard no longer asks, and the guide stays in the menu', async () => {
    await page.goto('/admin')
    await expect(page.getByRole('region', { name: 'Today' })).toBeVisible()
    await expect(page.getByRole('region', { name: /^(?:Set up your store|Ready to sell)$/ })).toHaveCount(0)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Setup guide' }).click()
    await expect(page.getByText('8 of 13 complete')).toBeVisible()
  })
  await context.close()
})

test('from an empty store to its first sale with 19 taps of the shopkeeper, and the name is asked first', async ({
  browser,
  store,
}) => {
  test.setTimeout(120_000)
  const { hostname } = new URL(store.url)
  const baseURL = store.url.replace(hostname, 'shop.example')
  const { page, context } = await person(browser, store, { viewport: PHONE, hasTouch: true, isMobile: true, baseURL })
  const owner = await browser.newContext({ baseURL: store.url })
  await enterPanel(owner.request, store.admin)
  const { cookies } = await owner.storageState()
  await context.addCookies(cookies.map((cookie) => ({ ...cookie, domain: 'shop.example' })))
  await page.addInitScript(() => {
    const share = async ({ text = '', url = '' }: ShareData) => sessionStorage.setItem('shared', `${text} ${url}`)
    Object.defineProperty(navigator, 'share', { value: share })
  })
  const stumbles: string[] = []
  page.on('response', (answer) => {
    if (answer.status() >= 400) stumbles.push(`${answer.status()} ${answer.url()}`)
  })
  let taps = 0
  const tap = async (target: Locator) => {
    taps += 1
    await target.click()
  }
  const press = (name: string | RegExp) => tap(page.getByRole('button', { name }).first())
  const goOn = async () => {
    await next(page)
    taps += 1
  }

  await page.goto('/admin')
  const firstStep = page.getByRole('region', { name: 'Set up your store' }).getByRole('listitem').first()
  await expect(firstStep).toContainText('Name your store')
  await tap(firstStep.getByRole('link'))
  await page.getByLabel('Website name', { exact: true }).fill('Nova Keys')
  await press('Save name and title')
  await goOn()
  await page.getByLabel('UPI ID', { exact: true }).fill('nova@okaxis')
  await press('Save UPI ID')
  await goOn()

  await press('New product')
  await page.getByRole('dialog').getByLabel('Name').fill('Nova Pass')
  await page.getByRole('dialog').getByLabel('Duration 1').fill('10 Days')
  await page.getByRole('dialog').getByLabel('Price 1').fill('100')
  await press('Add product')
  await goOn()
  await press('Add keys')
  await page.getByLabel('Keys, one per line').fill('NOVA-1\nNOVA-2')
  await press('Check 2 keys')
  await press('Add 2 new keys')
  await press('Done')
  await goOn()

  await press('New code')
  await page.getByRole('dialog').getByLabel('Code', { exact: true }).fill('FIRST20')
  await page.getByRole('dialog').getByLabel('Description').fill('For friends')
  await press('Add code')
  await expect(page.getByRole('dialog')).toBeHidden()
  await press('Share sign-up link of FIRST20')
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem('shared')))
    .toBe(`Licence keys in seconds at Nova Keys, paid by UPI. Sign up here: ${baseURL}/signup?ref=FIRST20`)
  await goOn()
  await page.getByLabel('Support link').fill('98765 43210')
  await expect(page.getByText('Buyers reach you by WhatsApp: +91 98765 43210')).toBeVisible()
  await tap(panelOf(page, 'Support').getByRole('button', { name: 'Save settings' }))
  await expect(barOf(page)).toContainText('Done')

  const buyer = callsOf((await browser.newContext({ baseURL: store.url })).request)
  const account = { username: 'asha', password: 'a long buyer password' }
  await buyer.sessions.register({ ...account, email: 'asha@example.in', referralCode: 'FIRST20' })
  await buyer.sessions.login(account)
  await buyer.payments.addMoney({ amount: 100, utr: '512345678901', payerName: '9876501234' })
  // As the message on the phone does
  await page.goto('/admin')
  await press(/^Approve ₹100/)
  await expect.poll(async () => (await buyer.sessions.me({})).balance, { timeout: 12_000 }).toBe(100)
  const [product] = await buyer.catalogue.list({})
  const sold = await buyer.orders.place({ productId: product?._id ?? '', duration: '10 Days', quantity: 1 })
  expect(sold.keys).toHaveLength(1)
  await expect(page.getByRole('region', { name: 'Today' }).getByText('₹100').first()).toBeVisible()
  expect((await buyer.settings.site({})).supportUrl).toBe('https://wa.me/919876543210')
  expect(stumbles).toEqual([])
  expect(taps).toBeLessThanOrEqual(19)
  await context.close()
})

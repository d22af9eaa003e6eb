/** From an empty store to a shared sign-up link, on a phone, by pressing what the guide offers. */
import type { Page } from '@playwright/test'
import { DESK, expect, PHONE } from './admin-counter.ts'
import { panelOf } from './admin-door.ts'
import { handOf } from './hand.ts'
import { enterPanel, gotoDrawn, holdScripts } from './people.ts'
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
    await expect(first).toContainText('0 of 6 complete')
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
    await page.getByRole('button', { name: 'Save', exact: true }).click()
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
    await page.getByRole('link', { name: /^Get notifications on this phone/ }).click()
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

const cardOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const saveAndContinue = (page: Page) => page.getByRole('button', { name: 'Save and continue' })

test('a new store begins with one card a step, which can be left and found again', async ({ browser, store }) => {
  const { page, context } = await person(browser, store, { viewport: PHONE })
  await enterPanel(context.request, store.admin)
  const name = cardOf(page, 'Name your store')
  const upi = cardOf(page, 'Add your UPI ID')
  await page.goto('/admin')
  await expect(name.getByLabel('Website name')).toBeFocused()
  await expect(saveAndContinue(page)).toBeDisabled()
  await page.getByRole('button', { name: 'Later' }).click()
  await expect(upi.getByLabel('UPI ID')).toBeFocused()
  await page.reload()
  await expect(upi, 'after a reload').toBeVisible()
  await upi.getByLabel('UPI ID').fill('not one')
  await upi.getByLabel('Name in UPI apps').fill('<b>')
  await saveAndContinue(page).click()
  await expect(upi.getByLabel('UPI ID')).toHaveAttribute('aria-invalid', 'true')
  await expect(upi.getByLabel('Name in UPI apps')).toHaveAttribute('aria-invalid', 'true')
  await page.goBack()
  await expect(upi).toBeHidden()
  const steps = page.getByRole('region', { name: 'Set up your store' })
  await expect(steps).toContainText('0 of 6 complete')
  await steps.getByRole('button', { name: 'Continue' }).click()
  await name.getByLabel('Website name').fill('Nova Keys')
  await saveAndContinue(page).click()
  await expect(upi).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(upi).toBeHidden()
  await expect(steps).toContainText('1 of 6 complete')

  // Another admin, or another day: the dashboard, where the first open step is one press away
  const { page: other, context: others } = await person(browser, store, { viewport: DESK })
  await enterPanel(others.request, store.admin)
  await others.addCookies([{ name: 'chaabi_panel_language', value: 'hi', url: store.url }])
  await other.goto('/admin')
  const more = other.getByRole('button', { name: 'आगे बढ़ें' })
  await expect(more).toBeVisible()
  await expect(other.getByRole('dialog')).toHaveCount(0)
  await more.click()
  await expect(other.getByRole('dialog').getByLabel('UPI ID')).toBeFocused()
  expect((await other.getByRole('dialog').boundingBox())?.width).toBeLessThanOrEqual(512)
  await context.close()
  await others.close()
})

test('a link to a row of the dashboard opens that row, and no card', async ({ browser, store }) => {
  const { page, context } = await person(browser, store, { viewport: PHONE })
  await enterPanel(context.request, store.admin)
  await page.goto('/admin#website-name')
  await expect(page.getByLabel('Website name', { exact: true })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await context.close()
})

test('14 taps of the owner and 8 of the buyer lead from an empty store to its first key', async ({
  browser,
  store,
}) => {
  test.setTimeout(180_000)
  const { hostname } = new URL(store.url)
  const baseURL = store.url.replace(hostname, 'shop.example')
  const phone = { viewport: PHONE, hasTouch: true, isMobile: true, baseURL }
  const { page, context } = await person(browser, store, phone)
  await page.addInitScript(() => {
    const share = async ({ text = '', url = '' }: ShareData) => sessionStorage.setItem('shared', `${text} ${url}`)
    Object.defineProperty(navigator, 'share', { value: share })
  })
  const owner = await handOf(page)

  // The address that the terminal prints
  await page.goto('/admin')
  await owner.type('Username', store.admin.username)
  await owner.nextField()
  await owner.type('Password', store.admin.password)
  await owner.tap('Login')
  await owner.type('Website name', 'Nova Keys')
  await owner.tap('Save and continue')
  await owner.type('UPI ID', 'nova@okaxis')
  await owner.tap('Save and continue')
  // Where the money goes is asked about
  await owner.type('Your password', store.admin.password)
  await owner.tap('Confirm')
  await owner.type('Name', 'Nova Pass')
  await owner.tap('Add 10 Days')
  await owner.type('Price 1', '100')
  await owner.tap('Add product')
  await owner.type('Keys, one per line', 'NOVA-1\nNOVA-2')
  await owner.tap('Check 2 keys')
  await owner.tap('Add 2 new keys')
  await owner.tap('Done')
  const code = page.getByLabel('Code', { exact: true })
  await expect(code).toHaveValue(/^[A-Z0-9]{8}$/)
  const link = `${baseURL}/signup?ref=${await code.inputValue()}`
  await owner.tap('Save and continue')
  await owner.type('Support link', '98765 43210')
  await owner.tap('Save and continue')
  await expect(cardOf(page, 'Your store is ready')).toContainText('Nova Keys')
  await owner.tap('Share')
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem('shared')))
    .toBe(`Licence keys in seconds at Nova Keys, paid by UPI. Sign up here: ${link}`)
  await owner.tap('Open dashboard')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const { page: shop, context: buying } = await person(browser, store, phone)
  const buyer = await handOf(shop)
  await shop.goto(link)
  await buyer.type('Email', 'asha@example.in')
  await buyer.nextField()
  await buyer.type('Username', 'asha')
  await buyer.nextField()
  await buyer.type('Password', 'a long buyer password')
  await buyer.tap('Sign up')
  await buyer.tap('Login')
  await buyer.tap(shop.getByRole('link', { name: /Purchase Key/ }))
  await buyer.tap('Add ₹100 and buy')
  await buyer.tap('Copy UPI ID')
  await buyer.tap('I have paid')
  await buyer.type('UTR (12-digit transaction number)', '512345678901')
  await buyer.nextField()
  await buyer.type('Contact phone', '9876501234')
  await buyer.tap(shop.getByRole('checkbox'))
  await buyer.tap('Submit request')

  await owner.tap(/^Approve ₹100/)
  await expect(shop.getByText('NOVA-1')).toBeVisible({ timeout: 20_000 })
  expect({ owner: owner.taps(), buyer: buyer.taps() }).toEqual({ owner: 14, buyer: 8 })
  await context.close()
  await buying.close()
})

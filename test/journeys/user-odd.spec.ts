/**
 * The user area when the store is empty, and when everything in it is as long, as many and as odd as the rules allow:
 * every state has its words, and no screen scrolls sideways, at any width, nor with text of twice the size.
 */
import type { Page } from '@playwright/test'
import { overlaps, setTextSize, sideways } from './fit.ts'
import { callsOf, enterPanel, LONG, PASSWORD, unfoldCode } from './people.ts'
import { expect, person, test, type RunningStore } from './store.ts'

const WIDTHS = [320, 360, 390, 768, 1280]
const SCREENS = ['/', '/buy', '/my-key', '/wallet-history#requests', '/add-balance', '/account', '/terms-policy']
const VISITOR_SCREENS = [
  '/',
  '/login',
  '/signup?ref=WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW',
  '/admin-login',
  '/no/such',
]

const LONGEST = 'W'.repeat(80)
const ODD_NAMES = [
  LONGEST,
  '🎮 Game 🏆 Pack 🇮🇳',
  'مفتاح اللعبة الذهبي لمدة سنة كاملة',
  'उन्नत खेल कुंजी — एक महीना',
  `e${'\u0301'.repeat(30)} stacked`,
  '<b>Bold</b> & "quoted"',
]

async function expectToFit(page: Page, name: string, widths: readonly number[] = WIDTHS): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    for (const size of width === 1280 ? [100, 200] : [100]) {
      await setTextSize(page, size)
      expect.soft(await sideways(page), `${name} at ${width} px, text ${size} %`).toEqual([])
      expect.soft(await overlaps(page), `${name} at ${width} px, text ${size} %`).toEqual([])
    }
    await setTextSize(page, 100)
  }
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached()
  await expect(page.getByText('Loading…')).toHaveCount(0)
}

/** Signed up and logged in, in a browser of their own. */
async function givenBuyer(browser: Parameters<typeof person>[0], store: RunningStore, username: string) {
  const buyer = await person(browser, store, { reducedMotion: 'reduce' })
  const calls = callsOf(buyer.context.request)
  const email = `${username.slice(0, 20)}@example.in`
  await calls.sessions.register({ email, username, password: PASSWORD, referralCode: 'ODD' })
  await calls.sessions.login({ username, password: PASSWORD })
  return { ...buyer, calls }
}

test(
  'an empty store has words for everything; a store full of oddities stays in its frame',
  LONG,
  async ({ browser, store, playwright }) => {
    test.setTimeout(600_000)
    const owner = await enterPanel(await playwright.request.newContext({ baseURL: store.url }), store.admin)
    await owner.referrals.create({ code: 'ODD', description: 'For oddities', rewardAmount: 0, isActive: true })
    const username = 'w'.repeat(32)
    const { page, calls, context } = await givenBuyer(browser, store, username)

    await test.step('nothing is for sale, nothing is owned, nothing can be paid', async () => {
      await owner.settings.saveUpi({ upiId: '', paymentEnabled: true })
      await open(page, '/')
      await expect(page.getByText('No products yet')).toBeVisible()
      await expectToFit(page, 'empty dashboard')
      await open(page, '/buy')
      await expect(page.getByText('No products yet')).toBeVisible()
      await open(page, '/my-key')
      await expect(page.getByText('You have no keys yet')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Buy your first key' })).toBeVisible()
      await open(page, '/wallet-history')
      await expect(page.getByText('No transactions yet')).toBeVisible()
      await open(page, '/add-balance')
      await expect(page.getByRole('button', { name: 'Add Money' })).toBeVisible()
      await page.getByRole('button', { name: 'Add Money' }).first().click()
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByText('UPI payment isn’t set up yet')).toBeVisible()
      await owner.settings.saveUpi({ upiId: '', paymentEnabled: false })
      await expect(dialog.getByText('The admin is offline')).toBeVisible()
      await dialog.getByRole('button', { name: 'Got it' }).click()
      await expect(dialog).toBeHidden()
    })

    await test.step('everything at its longest', async () => {
      await owner.settings.saveUpi({ upiId: `${'w'.repeat(120)}@${'w'.repeat(40)}`, paymentEnabled: true })
      await owner.settings.saveSite({ websiteName: LONGEST, websiteTitle: LONGEST })
      await owner.settings.saveNotice({ text: `${'W'.repeat(600)}\n${'A long notice. '.repeat(90)}` })
      for (const [at, name] of ODD_NAMES.entries()) {
        const product = await owner.catalogue.create({
          name,
          description: 'W'.repeat(500) + ' and '.repeat(50),
          hot: true,
          prices: [
            { duration: '365 Days', price: 99_999.99 },
            { duration: '10 Years', price: 1 },
          ],
        })
        const keys = Array.from({ length: 3 }, (_, index) => `${at}${index}${'K'.repeat(254)}`)
        if (name !== LONGEST) keys[0] = `🔑 ключ ${name}`
        await owner.keys.add({ productId: product._id, duration: '10 Years', keys })
      }
      for (let at = 0; at < 200; at += 20) {
        await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            owner.catalogue.create({
              name: `Ordinary product ${at + index}`,
              description: 'One of many.',
              hot: false,
              prices: [{ duration: '1 Month', price: at + index + 1 }],
            }),
          ),
        )
      }
      await owner.payments.createPlan({ amount: 99_999.99, bonus: 199_999.98, isActive: true })
      const { users } = await owner.users.list({ search: username })
      await owner.users.update({
        id: users[0]?._id ?? '',
        balance: 9_999_999.99,
        expiresInDays: 60,
        reason: 'R'.repeat(300),
      })
      for (const product of (await calls.catalogue.list({})).filter(({ name }) => ODD_NAMES.includes(name))) {
        await calls.orders.place({ productId: product._id, duration: '10 Years', quantity: 2 })
      }
      const { payment } = await calls.payments.addMoney({
        amount: 100_000,
        utr: '402611870001',
        payerName: '9876543210',
      })
      await owner.payments.reject({ id: payment._id, reason: 'R'.repeat(300) })
    })

    for (const screen of SCREENS) {
      await test.step(screen, async () => {
        await open(page, screen)
        await expectToFit(page, screen)
      })
    }
    await test.step('/buy with the longest product, and its list opened', async () => {
      await open(page, `/buy?product=${LONGEST}&duration=365+Days`)
      await expectToFit(page, 'buy')
      await page.getByRole('combobox', { name: 'Product' }).click()
      await expectToFit(page, 'buy, list')
    })
    await test.step('the payment dialog and the menu', async () => {
      await page.setViewportSize({ width: 390, height: 800 })
      await open(page, '/wallet-history')
      await page.getByRole('button', { name: 'Add Money' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Amount', { exact: true }).fill('99999.99')
      await unfoldCode(dialog)
      await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible()
      await dialog.getByText('Where do I find my UTR?').click()
      await expectToFit(page, 'payment dialog')
      await dialog.getByRole('button', { name: 'Close' }).click()
      await page.setViewportSize({ width: 390, height: 800 })
      await page.getByRole('button', { name: 'Menu' }).click()
      await expectToFit(page, 'menu', [320, 390])
    })
    await test.step('hundreds of products are searched and chosen by the keyboard', async () => {
      await page.setViewportSize({ width: 390, height: 800 })
      await open(page, '/buy')
      const product = page.getByRole('combobox', { name: 'Product' })
      await product.focus()
      await page.keyboard.type('ordinary 199')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect(product).toHaveValue('Ordinary product 199')
    })
    await test.step('an odd key is copied as it is', async () => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await open(page, '/my-key')
      const odd = page.getByRole('listitem').filter({ hasText: 'ключ' }).last()
      await odd.getByRole('button', { name: 'Copy key' }).click()
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('🔑 ключ')
    })
    const visitor = await person(browser, store, { reducedMotion: 'reduce' })
    for (const screen of VISITOR_SCREENS) {
      await test.step(`a visitor at ${screen}`, async () => {
        await open(visitor.page, screen)
        await expectToFit(visitor.page, `visitor ${screen}`)
      })
    }
  },
)

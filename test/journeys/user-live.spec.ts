/** What the page does without a press: balance messages, a new version, a lost connection, the Back button. */
import type { Page } from '@playwright/test'
import { said } from './admin-counter.ts'
import { enterPanel, expect, localStorageOf, PASSWORD, PHONE, test, timeShown } from './people.ts'

test('a change of the balance is told for five seconds', async ({ people, shop }) => {
  const { page, id } = await people.buyer({ balance: 500 })
  await page.goto('/')
  const wallet = page.getByRole('region', { name: 'Wallet' })
  await expect(wallet.getByText('₹500', { exact: true })).toBeVisible()
  const message = said(page, 'Balance increased by ₹25.50')
  const shownMs = await timeShown(page, '[aria-label=Notifications]', 'Balance increased by ₹25.50')
  await shop.owner.users.update({ id, balance: 25.5 })
  await expect(message).toBeVisible()
  await expect(wallet.getByText('₹525.50', { exact: true })).toBeVisible()
  await expect(message).toBeHidden({ timeout: 8_000 })
  expect(await shownMs()).toBeGreaterThan(4_000)
  await shop.owner.users.update({ id, balance: -100 })
  await expect(said(page, 'Balance decreased by ₹100')).toBeVisible()
})

test('without live events the balance is asked for every few seconds', async ({ people, shop }) => {
  const { page, id } = await people.buyer()
  await page.route('**/api/events', (route) => route.abort())
  await page.goto('/')
  await expect(page.getByRole('region', { name: 'Wallet' }).getByText('₹50', { exact: true })).toBeVisible()
  await shop.owner.users.update({ id, balance: 10 })
  await expect(said(page, 'Balance increased by ₹10')).toBeVisible({ timeout: 8_000 })
})

test("prices of one's own and hidden products", async ({ people, shop }) => {
  const { page, id } = await people.buyer()
  const products = await shop.owner.catalogue.list({})
  const named = (name: string) => products.find((product) => product.name === name)?._id ?? ''
  await shop.owner.users.update({
    id,
    customPrices: [{ productId: named('Paper Kingdoms'), duration: '10 Days', price: 71 }],
    hiddenProducts: [named('Orbit Arena Pro')],
  })
  await page.goto('/')
  const cards = page.getByRole('region', { name: 'Products' }).getByRole('article')
  await expect(cards.filter({ hasText: 'Paper Kingdoms' })).toContainText('₹71')
  await expect(cards.filter({ hasText: 'Orbit Arena Pro' })).toHaveCount(0)
  await page.goto('/buy?product=Orbit+Arena+Pro')
  await expect(page.getByText('“Orbit Arena Pro” is no longer available.')).toBeVisible()
})

test('when the owner asks for it, the page loads itself again, with the new name of the site', async ({
  people,
  shop,
}) => {
  const { page } = await people.buyer()
  await page.goto('/wallet-history')
  await expect(page.getByRole('heading', { name: 'Wallet History' })).toBeVisible()
  await page.evaluate(() => Object.assign(window, { isOldPage: true }))
  const isOld = () => page.evaluate(() => 'isOldPage' in window).catch(() => true)
  await page.waitForTimeout(500)
  const site = await shop.owner.settings.site({})
  try {
    await shop.owner.settings.saveSite({ websiteName: 'Tempo Keys', websiteTitle: 'Tempo: keys in time' })
    await expect.poll(isOld).toBe(false)
    await expect(page.getByRole('banner').getByText('Tempo Keys')).toBeVisible()
    await page.goto('/')
    await expect(page).toHaveTitle('Tempo: keys in time')
  } finally {
    await shop.owner.settings.saveSite({ websiteName: site.websiteName, websiteTitle: site.websiteTitle })
  }
})

test('a new notice appears by itself', async ({ people, shop }) => {
  const { page } = await people.buyer()
  const { text } = await shop.owner.settings.notice({})
  await page.goto('/')
  await page.waitForTimeout(500)
  try {
    await shop.owner.settings.saveNotice({ text: 'Back at nine.' })
    await expect(page.getByRole('complementary', { name: 'Notice' })).toContainText('Back at nine.')
  } finally {
    await shop.owner.settings.saveNotice({ text })
  }
})

test('what has changed before the first event could come is asked for', async ({ people, shop }) => {
  const { page } = await people.buyer()
  const { text } = await shop.owner.settings.notice({})
  let open: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    open = resolve
  })
  await page.route('**/api/events', (route) => held.then(() => route.continue()))
  await page.goto('/')
  try {
    await shop.owner.settings.saveNotice({ text: 'Closed at nine.' })
    await page.waitForTimeout(1_500)
    open()
    await expect(page.getByRole('complementary', { name: 'Notice' })).toContainText('Closed at nine.')
  } finally {
    await shop.owner.settings.saveNotice({ text })
  }
})

test('a lost connection is said once, nothing is lost, and it mends by itself', async ({ people, shop }) => {
  const { page, context, id } = await people.buyer({ balance: 300 })
  await page.goto('/')
  await expect(page.getByRole('region', { name: 'Wallet' }).getByText('₹300', { exact: true })).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('Reconnecting…')).toBeVisible({ timeout: 15_000 })
  await expect(page.getByText('Reconnecting…')).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Wallet' }).getByText('₹300', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
  await shop.owner.users.update({ id, balance: 7 })
  await context.setOffline(false)
  await expect(page.getByText('Reconnecting…')).toBeHidden({ timeout: 15_000 })
  await expect(page.getByRole('region', { name: 'Wallet' }).getByText('₹307', { exact: true })).toBeVisible()
})

test('the line that says so covers no text', async ({ people, shop }) => {
  const look = async (page: Page, path: string) => {
    await page.goto(path)
    await page.route('**/api/**', (route) => route.abort())
    await page.evaluate(() => dispatchEvent(new Event('online')))
    const line = page.getByText('Reconnecting…')
    await expect(line).toBeVisible({ timeout: 15_000 })
    const covered = await line.evaluate((over) => {
      const box = over.getBoundingClientRect()
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const found: string[] = []
      while (texts.nextNode()) {
        const { currentNode } = texts
        // What is there for screen readers alone
        if ((currentNode.parentElement?.clientWidth ?? 0) === 1) continue
        const range = new Range()
        range.selectNodeContents(currentNode)
        const isUnder = [...range.getClientRects()].some(
          ({ top, bottom, left, right, width }) =>
            width > 1 && top < box.bottom - 2 && bottom > box.top + 2 && left < box.right && right > box.left,
        )
        if (isUnder && !over.contains(currentNode)) found.push(currentNode.textContent ?? '')
      }
      return found
    })
    expect(covered, path).toEqual([])
    const top = (await line.boundingBox())?.y
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    return top
  }
  const { page } = await people.buyer({ viewport: PHONE, reducedMotion: 'reduce' })
  for (const path of ['/', '/buy', '/my-key', '/wallet-history']) await look(page, path)
  const phone = await page.context().newCDPSession(page)
  await phone.send('Emulation.setSafeAreaInsetsOverride', { insets: { top: 59 } })
  expect(await look(page, '/'), 'below what the phone itself shows').toBeGreaterThan(59)
  const owner = await people.visitor({ viewport: PHONE, reducedMotion: 'reduce' })
  await enterPanel(owner.context.request, shop.admin)
  for (const path of ['/admin/user-manager', '/admin/payment-manager']) await look(owner.page, path)
})

test('a fault of the server signs nobody out', async ({ people }) => {
  const { page } = await people.buyer()
  await page.goto('/')
  await page.route('**/api/auth/me', (route) =>
    route.fulfill({ status: 503, json: { code: 'SERVICE_UNAVAILABLE', message: 'A moment, please' } }),
  )
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.waitForTimeout(1_000)
  await expect(page.getByRole('region', { name: 'Wallet' })).toBeVisible()
})

test('products that cannot be fetched offer Retry', async ({ people, shop }) => {
  const { page } = await people.buyer()
  const products = (await shop.owner.catalogue.list({})).filter(({ isListed }) => isListed)
  await page.goto('/terms-policy')
  await page.route('**/api/products', (route) => route.fulfill({ status: 500, json: { message: 'Out for a moment' } }))
  await page.goto('/')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(said(page, 'Out for a moment')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Products' }).getByRole('article')).toHaveCount(products.length)
})

test('titles and the Back button keep up with the page', async ({ people }) => {
  const { page } = await people.buyer()
  await page.goto('/')
  await page.getByRole('link', { name: 'My Key', exact: true }).click()
  await expect(page).toHaveTitle(/My Key/)
  await page.getByRole('link', { name: 'Offers' }).click()
  await expect(page).toHaveTitle(/Offers/)
  await expect(page.getByRole('heading', { level: 1, name: 'Offers' })).toBeFocused()
  await page.goBack()
  await expect(page).toHaveTitle(/My Key/)
  await expect(page.getByRole('heading', { level: 1, name: 'My Key' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('region', { name: 'Wallet' })).toBeVisible()
  await page.goForward()
  await expect(page).toHaveTitle(/My Key/)
})

test('what fails while nothing can be reached is said at once, and not when the lists have given up too', async ({
  people,
}) => {
  const { page, context } = await people.buyer()
  await page.goto('/')
  await page.getByRole('button', { name: 'Add Money' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount', { exact: true }).fill('250')
  await dialog.getByLabel('UTR (12-digit transaction number)').fill('402611874321')
  await dialog.getByLabel('Contact phone').fill('9876543210')
  await dialog.getByRole('checkbox').check()
  await context.setOffline(true)
  await dialog.getByRole('button', { name: 'Submit request' }).click()
  await expect(dialog.getByText(/We couldn’t confirm your request/)).toBeVisible({ timeout: 5_000 })
  await context.setOffline(false)
})

async function signOutUnheard(page: Page): Promise<void> {
  await page.goto('/account')
  await page.route('**/api/auth/logout', (route) => route.abort())
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login/)
  await page.unrouteAll({ behavior: 'wait' })
}

test('a logout that does not reach the store is made good as soon as it can be reached', async ({ people }) => {
  const { page, context } = await people.buyer()
  const isOpen = async () => (await context.request.get('/api/auth/me')).ok()

  await signOutUnheard(page)
  expect(await isOpen()).toBe(true)
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect.poll(isOpen).toBe(false)

  await page.getByLabel('Username').fill((await people.account()).username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Wallet' })).toBeVisible()
  await signOutUnheard(page)
  expect(await isOpen()).toBe(true)
  await page.goto('/')
  await expect(page.getByText('Login to see price').first()).toBeVisible()
  expect(await isOpen()).toBe(false)
  expect(await localStorageOf(page)).toEqual({})
})

test('where the browser keeps nothing, the page itself remembers that logout', async ({ people }) => {
  const { page, context } = await people.buyer()
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('No storage here', 'SecurityError')
    }
    Object.defineProperties(window, { localStorage: { get: refuse }, sessionStorage: { get: refuse } })
  })
  const isOpen = async () => (await context.request.get('/api/auth/me')).ok()

  await signOutUnheard(page)
  expect(await isOpen()).toBe(true)

  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect.poll(isOpen).toBe(false)
})

test('a logout without an answer shows at once, and is made good where the tab is closed meanwhile', async ({
  people,
}) => {
  const { page, context } = await people.buyer()
  const isOpen = async () => (await context.request.get('/api/auth/me')).ok()
  await page.goto('/account')
  await page.route('**/api/auth/logout', () => undefined)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('button', { name: 'Logout' })).toBeHidden()
  expect(await isOpen()).toBe(true)
  await page.close()

  const next = await context.newPage()
  await next.goto('/')
  await expect(next.getByText('Login to see price').first()).toBeVisible()
  expect(await isOpen()).toBe(false)
})

test('a logout that comes late takes nobody out who has logged in since', async ({ people }) => {
  const { page, context, username } = await people.buyer()
  let letThrough: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await page.route('**/api/auth/logout', async (route) => {
    await held
    // Called back by the page, there is nothing to let through any more
    await route.continue().catch(() => undefined)
  })
  await page.goto('/account')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login/)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Wallet' })).toBeVisible()
  letThrough()
  await page.waitForTimeout(500)
  expect((await context.request.get('/api/auth/me')).ok()).toBe(true)
})

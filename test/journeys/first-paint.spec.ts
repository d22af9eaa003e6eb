/** The screen before its script has come, and that nothing is lost when it does. */
import type { Page } from '@playwright/test'
import { freshUtr } from './admin-counter.ts'
import {
  enterPanel,
  DESK,
  drawnHtml,
  expect,
  freshName,
  gotoDrawn,
  holdScripts,
  PASSWORD,
  PHONE,
  PHONE_AGENT,
  repeatAt,
  test,
} from './people.ts'

test.use({ viewport: PHONE })

const VISITOR_PAGES = [
  { path: '/', heading: 'Dashboard' },
  { path: '/login', heading: 'Login' },
  { path: '/login?next=/buy', heading: 'Login' },
  { path: '/signup', heading: 'Create your account' },
  { path: '/signup?ref=welcome50&next=%2Fbuy', heading: 'Create your account' },
  { path: '/terms-policy', heading: 'Terms and Conditions' },
]

/**
 * Complaints of React and the browser: a drawing that differs, a script or style that was blocked.
 */
function faultsOf(page: Page): string[] {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`${page.url()}: ${message.text()}`)
  })
  return faults
}

test('visitors’ pages are drawn before any script', async ({ people }) => {
  const { page } = await people.visitor({ javaScriptEnabled: false })
  for (const { path, heading } of VISITOR_PAGES) {
    await gotoDrawn(page, path)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeAttached()
  }
  await gotoDrawn(page, '/')
  // Other journeys may have added some
  const products = (await (await page.request.get('/api/products')).json()) as unknown[]
  await expect(page.getByRole('article')).toHaveCount(products.length)
  await expect(page.getByRole('article').first()).toContainText('Skyforge Season Pass')
  await gotoDrawn(page, '/signup?ref=welcome50')
  await expect(page.getByLabel('Referral code')).toHaveValue('WELCOME50')
})

for (const theme of ['dark', 'light']) {
  test(`visitors’ pages come alive as they were drawn, in the ${theme} theme`, async ({ people, shop }) => {
    const { page, context } = await people.visitor()
    await context.addCookies([{ name: 'theme', value: theme, url: shop.url }])
    const faults = faultsOf(page)
    for (const { path } of VISITOR_PAGES) {
      const html = await drawnHtml(context.request, path)
      expect(html).toContain(`data-theme="${theme}"`)
      const drawn = /<div id="root">([\s\S]*)<\/div>\s*<script type="application\/json"/.exec(html)?.[1]
      await page.goto(path)
      const other = theme === 'dark' ? 'light' : 'dark'
      // Alive: a click changes the theme; before it, the page is what the server has drawn.
      await expect(page.getByRole('button', { name: `Switch to ${other} theme` })).toBeVisible()
      expect(drawn).toContain('<h1')
      await page.getByRole('button', { name: `Switch to ${other} theme` }).click()
      await expect(page.locator('html')).toHaveAttribute('data-theme', other)
      await page.getByRole('button', { name: `Switch to ${theme} theme` }).click()
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    }
    expect(faults).toEqual([])
  })
}

test('a theme that another tab chooses before the scripts come is followed, and nothing differs', async ({
  people,
  shop,
}) => {
  const { page, context } = await people.visitor()
  const faults = faultsOf(page)
  const release = await holdScripts(page)
  await gotoDrawn(page, '/login')
  await expect(page.getByRole('button', { name: 'Switch to light theme' })).toBeVisible()
  await context.addCookies([{ name: 'theme', value: 'light', url: shop.url }])
  release()
  await expect(page.getByRole('button', { name: 'Switch to dark theme' })).toBeVisible()
  expect(faults).toEqual([])
})

test('what is typed and pressed before the script is there is not lost', async ({ people }) => {
  const { username } = await people.account()
  const { page } = await people.visitor()
  const faults = faultsOf(page)
  const release = await holdScripts(page)
  await gotoDrawn(page, '/login?next=/my-key')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  // Nothing has been sent by the browser itself: that would have put the password into the address.
  await expect(page).toHaveURL(/\/login\?next=\/my-key$/)
  release()
  await expect(page).toHaveURL(/\/my-key$/)
  await expect(page.getByRole('heading', { level: 1, name: 'My Key' })).toBeVisible()
  expect(faults).toEqual([])
})

test('a sign-up that was begun is still there after a reload', async ({ people }) => {
  const { page } = await people.visitor()
  const faults = faultsOf(page)
  await page.goto('/signup?ref=welcome50')
  const username = freshName()
  await page.getByLabel('Username').fill(username)
  await expect(page.getByLabel('Username')).toHaveValue(username)
  await page.reload()
  await expect(page.getByLabel('Username')).toHaveValue(username)
  await expect(page.getByLabel('Referral code')).toHaveValue('WELCOME50')
  expect(faults).toEqual([])
})

const BUYER_PAGES = [
  { path: '/', shows: 'Wallet balance' },
  { path: '/buy', shows: 'Buy' },
  { path: '/my-key', shows: 'active' },
  { path: '/wallet-history', shows: 'Money Added₹2,000.*Purchase · ' },
  { path: '/add-balance', shows: 'bonus' },
]

test('a buyer’s pages have what they show with them: no call comes before the content', async ({ people }) => {
  const buyer = await people.buyer({ balance: 2_000 })
  const [product] = await buyer.calls.catalogue.list({})
  const price = product?.prices[0]
  if (!product || !price) throw new Error('The demo sells nothing')
  await buyer.calls.orders.place(
    { productId: product._id, duration: price.duration, quantity: 1 },
    { idempotencyKey: crypto.randomUUID() },
  )
  const { page } = buyer
  // Nothing of the API answers.
  await page.route('**/api/**', (route) => route.abort())
  for (const { path, shows } of BUYER_PAGES) {
    await page.goto(path)
    await expect(page.getByRole('main')).toContainText(new RegExp(shows, 'i'))
    await expect(page.getByText('can’t be reached')).toHaveCount(0)
  }
  await page.goto('/wallet-history')
  await expect(page.getByRole('list', { name: 'Transactions' }).getByRole('listitem')).not.toHaveCount(0)
})

test('a buyer’s pages are drawn before any script, and come alive as they were drawn', async ({ people }) => {
  const buyer = await people.buyer({ balance: 2_000 })
  const products = await buyer.calls.catalogue.list({})
  for (const { _id, name, prices } of products.slice(0, 2)) {
    const price = prices.find(({ available }) => available > 0)
    if (!price) throw new Error(`The demo has no ${name}`)
    await buyer.calls.orders.place(
      { productId: _id, duration: price.duration, quantity: 1 },
      { idempotencyKey: crypto.randomUUID() },
    )
  }
  const { page, context } = buyer
  const faults = faultsOf(page)
  for (const viewport of [PHONE, DESK]) {
    await page.setViewportSize(viewport)
    for (const { path, shows } of [
      ...BUYER_PAGES,
      { path: `/buy?product=${products[0]?.name ?? ''}`, shows: 'Total' },
    ]) {
      const html = await drawnHtml(context.request, path)
      expect(html.replaceAll(/<script[^]*?<\/script>|<[^>]*>/g, '')).toMatch(new RegExp(shows, 'i'))
      await page.goto(path)
      await page.getByRole('button', { name: 'Switch to light theme' }).click()
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
      await page.getByRole('button', { name: 'Switch to dark theme' }).click()
    }
  }
  expect(faults).toEqual([])
})

test('what belongs to the tab alone is there once a drawn page is alive', async ({ people }) => {
  const buyer = await people.buyer({ balance: 500 })
  const [product] = await buyer.calls.catalogue.list({})
  const { page } = buyer
  const faults = faultsOf(page)
  await page.goto(`/buy?product=${product?.name ?? ''}`)
  await page.getByRole('button', { name: 'Increase' }).click()
  await expect(page.getByRole('spinbutton')).toHaveValue('2')
  await page.reload()
  await expect(page.getByRole('spinbutton')).toHaveValue('2')
  await page.goto('/wallet-history#requests')
  await expect(page.getByText('No top-up requests yet')).toBeVisible()
  expect(faults).toEqual([])
})

test('a duration that is chosen before the script is there stays chosen', async ({ people }) => {
  const buyer = await people.buyer({ balance: 500 })
  const product = (await buyer.calls.catalogue.list({})).find(({ prices }) => prices.length > 1)
  const { page } = buyer
  const faults = faultsOf(page)
  const release = await holdScripts(page)
  await gotoDrawn(page, `/buy?product=${product?.name ?? ''}`)
  const other = page.getByRole('radio').and(page.locator(':not(:checked)')).first()
  const duration = await other.inputValue()
  await other.click()
  release()
  await expect(page).toHaveURL((url) => url.searchParams.get('duration') === duration)
  await expect(page.getByRole('radio', { checked: true })).toHaveValue(duration)
  expect(faults).toEqual([])
})

test('far from India dates are the viewer’s own, and the next page is drawn in their zone', async ({ people }) => {
  const buyer = await people.buyer({ balance: 500, timezoneId: 'America/New_York' })
  const { page, context } = buyer
  const faults = faultsOf(page)
  await page.goto('/wallet-history')
  const time = page.getByRole('list', { name: 'Transactions' }).locator('time').first()
  const moment = await time.getAttribute('datetime')
  const own = new Intl.DateTimeFormat('en-IN', {
    dateStyle: 'full',
    timeStyle: 'long',
    timeZone: 'America/New_York',
  }).format(new Date(moment ?? ''))
  await expect(time).toHaveAttribute('title', own)
  const html = await drawnHtml(context.request, '/wallet-history')
  expect(html).toContain(`title="${own}"`)
  await page.reload()
  await expect(time).toHaveAttribute('title', own)
  expect(faults).toEqual([])
})

test('what is typed and pressed in a page of another zone is so in the new drawing', async ({ people, shop }) => {
  const { page, context } = await people.visitor({ viewport: DESK, timezoneId: 'America/New_York' })
  await enterPanel(context.request, shop.admin)
  const release = await holdScripts(page)
  await gotoDrawn(page, '/admin/payment-manager')
  await page.getByLabel('Search name, UTR or phone').fill('diya')
  await page.getByRole('button', { name: 'Approved' }).click()
  release()
  await expect(page).toHaveURL(/\?(?=.*search=diya)(?=.*status=approved)/)
  await expect(page.getByRole('button', { name: 'Approved', pressed: true })).toBeVisible()
})

test('a press while the page is drawn anew for another zone is not lost', async ({ people, shop }) => {
  const { page, context } = await people.visitor({ timezoneId: 'America/New_York' })
  await enterPanel(context.request, shop.admin)
  await page.addInitScript(() => {
    const { removeEventListener } = window
    // In the moment in which the page notes early presses no more
    window.removeEventListener = (...listening: Parameters<typeof removeEventListener>) => {
      removeEventListener(...listening)
      if (listening[0] !== 'click' || !('noteEarly' in globalThis)) return
      queueMicrotask(() => document.querySelector<HTMLElement>('[aria-label="Switch to light theme"]')?.click())
    }
  })
  await page.goto('/admin')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
})

/** Addresses of the panel, and what their first drawing shows. A row is one of a list. */
const ROW = /data-row="/
const PANEL_ADDRESSES: readonly { path: string; shows: RegExp; onDesk?: true }[] = [
  { path: '/admin', shows: /Wallet balances ₹[\d,]+/ },
  { path: '/admin/dashboard', shows: /Wallet balances ₹[\d,]+/, onDesk: true },
  { path: '/admin/product-manager', shows: ROW },
  { path: '/admin/user-manager', shows: ROW, onDesk: true },
  { path: '/admin/key-manager', shows: ROW },
  { path: '/admin/payment-manager', shows: /Pending top-ups/ },
  { path: '/admin/payment-manager?status=all', shows: ROW, onDesk: true },
  { path: '/admin/bank', shows: /Upload statement/ },
  { path: '/admin/purchases?search=diya', shows: ROW },
  { path: '/admin/topup-plan-manager', shows: ROW },
  { path: '/admin/referral-manager', shows: ROW, onDesk: true },
  { path: '/admin/referral-manager?view=invites', shows: /Buyers can invite friends/ },
  { path: '/admin/audit', shows: ROW, onDesk: true },
]

for (const [name, viewport, userAgent] of [
  ['phone', PHONE, PHONE_AGENT],
  ['desk', DESK, undefined],
] as const) {
  const when = repeatAt(viewport)
  test(`on a ${name} the panel is drawn with its lists, and comes alive as drawn`, when, async ({ people, shop }) => {
    const { page, context } = await people.visitor({ viewport, ...(userAgent && { userAgent }) })
    await enterPanel(context.request, shop.admin)
    const faults = faultsOf(page)
    // Nothing of the API answers
    await page.route('**/api/**', (route) => route.abort())
    for (const { path, shows, onDesk } of PANEL_ADDRESSES) {
      if (viewport === DESK && !onDesk) continue
      const html = await drawnHtml(context.request, path)
      const drawn = html.replaceAll(/<script[^]*?<\/script>|<style[^]*?<\/style>/g, '')
      expect(shows === ROW ? drawn : drawn.replaceAll(/<[^>]*>/g, '')).toMatch(shows)
      await page.goto(path)
      await page.getByRole('button', { name: 'Switch to light theme' }).click()
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
      await page.getByRole('button', { name: 'Switch to dark theme' }).click()
      if (shows === ROW) await expect(page.locator('[data-row]').first()).toBeVisible()
      else if (path === '/admin/dashboard') await expect(page.getByRole('img', { name: /days: sales/ })).toBeVisible()
    }
    expect(faults.filter((fault) => !fault.includes('Failed to load resource'))).toEqual([])
  })
}

test('the panel’s pages have nothing that a clerk’s calls would be refused', async ({ people, shop }) => {
  const buyer = await people.buyer()
  const utr = freshUtr()
  await buyer.calls.payments.addMoney({ amount: 80, utr, payerName: '9876543210' })
  const owner = await people.visitor()
  await enterPanel(owner.context.request, shop.admin)
  const clerk = await people.visitor()
  const { username } = await shop.owner.admins.create({ username: freshName(), password: PASSWORD, role: 'stock' })
  await enterPanel(clerk.context.request, { username, password: PASSWORD })
  const paths = [
    `/admin/payment-manager?status=all&search=${utr}`,
    `/admin/user-manager?search=${buyer.username}`,
    `/admin/dashboard`,
  ]
  for (const path of paths) {
    const text = await (await clerk.context.request.get(path)).text()
    expect(text).toContain(username)
    expect(text).not.toContain(utr)
    expect(text).not.toContain(buyer.username)
  }
  expect(await (await owner.context.request.get(paths[0] ?? '')).text()).toContain(utr)
})

test('a page of one person has nothing of another, and is kept by nobody', async ({ people }) => {
  const buyer = await people.buyer({ balance: 321 })
  const { context: visitor } = await people.visitor()
  for (const path of ['/', '/login', '/signup', '/terms-policy', '/my-key']) {
    const own = await buyer.context.request.get(path)
    expect(own.headers()['cache-control']).toBe('no-store')
    expect(await own.text()).toContain(buyer.username)
    const other = await visitor.request.get(path)
    expect(other.headers()['cache-control']).toBe('no-store')
    expect(other.headers()['vary']).toMatch(/cookie/i)
    const text = await other.text()
    expect(text).not.toContain(buyer.username)
    expect(text).not.toContain(buyer.id)
  }
})

test('an address that leads nowhere says so, to programs as well', async ({ people }) => {
  const { page, context } = await people.visitor()
  expect((await context.request.get('/no-such-page')).status()).toBe(404)
  for (const [path, home] of [
    ['/no-such-page', '/'],
    ['/admin/no-such-page', '/admin'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Go to the dashboard' })).toHaveAttribute('href', home)
  }
})

/** Every screen, state and dialog of the store: where each is, and how to reach it in the demo. */
import type { Page } from '@playwright/test'
import { screensOf } from '../screens.ts'
import { expect, PASSWORD, unfoldCode, withoutData } from './people.ts'

export interface View {
  name: string
  path: string
  /** Brings the screen into its state; the heading is there already. */
  prepare?: (page: Page) => Promise<unknown>
}

const openMenu = async (page: Page) => {
  if ((page.viewportSize()?.width ?? 0) < 900) await page.getByRole('button', { name: 'Menu' }).click()
}
const openDialog = async (page: Page) => {
  await page.getByRole('main').getByRole('button', { name: 'Add Money' }).first().click()
  await expect(page.getByRole('dialog').getByRole('checkbox')).toBeVisible()
}
const fillLogin = async (page: Page, username: string, password: string) => {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
}
/** Waits for nothing that the page would do in a second or two. */
const holdWaits = (page: Page) =>
  page.evaluate(() => {
    const wait = window.setTimeout.bind(window)
    const hold = (work: () => void, ms?: number) => (ms && ms >= 1_000 && ms <= 4_000 ? 0 : wait(work, ms))
    Object.assign(window, { setTimeout: hold })
  })
const answer = (page: Page, url: string, status: number, json: unknown) =>
  page.route(url, (route) => route.fulfill({ status, json }))

/** A page that is loaded brings its lists along; from another screen they are asked for. */
const comeFromElsewhere = async (page: Page) => {
  const { pathname, search, hash } = new URL(page.url())
  if (pathname.startsWith('/admin')) {
    await withoutData(page)
    await page.reload()
    return
  }
  await page.goto('/terms-policy')
  const link = page.getByRole('banner').locator(`a[href="${pathname}"]:visible`).first()
  const menu = page.getByRole('button', { name: 'Menu' })
  await link.or(menu).first().waitFor()
  if (await link.isVisible()) await link.click()
  else {
    await menu.click()
    await page.getByRole('dialog').locator(`a[href="${pathname}"]`).click()
  }
  await page.waitForURL((url) => url.pathname === pathname && url.search === search && url.hash === hash)
}
const neverAnswered = async (page: Page, call: string) => {
  await page.route(`**/api/${call}`, () => {})
  await comeFromElsewhere(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}
const failed = async (page: Page, call: string) => {
  const message = 'Something went wrong on our end. Please try again.'
  await answer(page, `**/api/${call}`, 500, { code: 'INTERNAL', message })
  await comeFromElsewhere(page)
  await expect(page.getByRole('button', { name: 'Retry' }).first()).toBeVisible()
}
/** Presses the first button of this name, and waits for a dialog. */
const dialogBy = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
  await expect(page.locator('dialog[open]').first()).toBeVisible()
}

/** Presses a row's button, which may be in the row's menu. */
const ofRow = (row: string, action: string) => async (page: Page) => {
  const more = page.getByRole('button', { name: `More: ${row}` })
  const button = page.getByRole('button', { name: `${action} ${row}` })
  await more.or(button).first().waitFor()
  if (!(await button.isVisible())) await more.click()
  await dialogBy(`${action} ${row}`)(page)
}

export const VISITOR: readonly View[] = [
  { name: 'visitor dashboard', path: '/' },
  { name: 'visitor menu', path: '/', prepare: openMenu },
  { name: 'terms', path: '/terms-policy' },
  { name: 'not found', path: '/no/such/page' },
  { name: 'login', path: '/login' },
  {
    name: 'login failed',
    path: '/login',
    prepare: async (page) => {
      await fillLogin(page, 'nobody', 'not the password')
      await page.getByRole('button', { name: 'Login', exact: true }).click()
      await expect(page.getByRole('alert')).toContainText('Login failed')
    },
  },
  {
    name: 'login on another device',
    path: '/login',
    prepare: async (page) => {
      await answer(page, '**/api/auth/login', 403, { code: 'DEVICE_ALREADY_LOGGED_IN', message: 'already logged in' })
      await fillLogin(page, 'aarav', PASSWORD)
      await page.getByRole('button', { name: 'Login', exact: true }).click()
      await expect(page.getByRole('alert')).toContainText('another device')
    },
  },
  {
    name: 'login reset question',
    path: '/login',
    prepare: async (page) => {
      await fillLogin(page, 'aarav', PASSWORD)
      await page.getByRole('button', { name: 'Reset Device Lock', exact: true }).click()
      await expect(page.getByRole('alertdialog')).toBeVisible()
    },
  },
  {
    name: 'login reset done',
    path: '/login',
    prepare: async (page) => {
      await answer(page, '**/api/auth/reset-device-lock', 200, { message: 'reset successfully', success: true })
      await fillLogin(page, 'aarav', PASSWORD)
      await page.getByRole('button', { name: 'Reset Device Lock', exact: true }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Reset device lock' }).click()
      await expect(page.getByText('Device lock reset successfully!')).toBeVisible()
    },
  },
  { name: 'signup', path: '/signup' },
  {
    name: 'signup with faults',
    path: '/signup',
    prepare: (page) => page.getByRole('button', { name: 'Sign up' }).click(),
  },
  {
    name: 'signup with a valid code',
    path: '/signup?ref=WELCOME50',
    prepare: async (page) => {
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await expect(page.getByText('Code applied')).toBeVisible()
    },
  },
  {
    name: 'signup with an invalid code',
    path: '/signup?ref=NOSUCHCODE',
    prepare: (page) => expect(page.getByText('Invalid referral code')).toBeVisible(),
  },
  {
    name: 'signup done',
    path: '/signup?ref=WELCOME50',
    prepare: async (page) => {
      await holdWaits(page)
      await answer(page, '**/api/auth/register', 201, { message: 'Welcome' })
      await page.getByLabel('Email').fill('aarav@example.in')
      await page.getByLabel('Username').fill('newcomer')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await expect(page.getByText('Code applied')).toBeVisible()
      await page.getByRole('button', { name: 'Sign up' }).click()
      await expect(page.getByText('Account created')).toBeVisible()
    },
  },
  { name: 'admin login', path: '/admin-login' },
]

export const BUYER: readonly View[] = [
  { name: 'dashboard', path: '/' },
  { name: 'dashboard menu', path: '/', prepare: openMenu },
  { name: 'my key, loading', path: '/my-key', prepare: (page) => neverAnswered(page, 'keys/user') },
  {
    name: 'wallet history, loading',
    path: '/wallet-history',
    prepare: (page) => neverAnswered(page, 'auth/balance-history*'),
  },
  {
    name: 'wallet history, failed',
    path: '/wallet-history',
    prepare: (page) => failed(page, 'auth/balance-history*'),
  },
  {
    name: 'add balance, failed',
    path: '/add-balance',
    prepare: (page) => failed(page, 'payments/topup-plans/active'),
  },
  {
    name: 'connection lost',
    path: '/',
    prepare: async (page) => {
      await page.route('**/api/**', (route) => route.abort())
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(page.getByText('Reconnecting…')).toBeVisible()
    },
  },
  { name: 'buy, nothing chosen', path: '/buy' },
  { name: 'buy', path: '/buy?product=Tidebound+Rangers' },
  {
    name: 'buy, choosing a product',
    path: '/buy',
    prepare: (page) => page.getByRole('combobox', { name: 'Product' }).click(),
  },
  {
    name: 'buy, low balance',
    path: '/buy?product=Skyforge+Season+Pass&duration=1+Year',
    prepare: (page) => expect(page.getByText('Low balance!')).toBeVisible(),
  },
  {
    name: 'buy, out of stock',
    path: '/buy?product=Hexfall+Tactics',
    prepare: (page) => expect(page.getByText('OUT OF STOCK for')).toBeVisible(),
  },
  {
    name: 'buy, answer lost',
    path: '/buy?product=Paper+Kingdoms',
    prepare: async (page) => {
      await page.route('**/api/keys/buy', (route) => route.abort())
      await page.getByRole('button', { name: 'Buy with Wallet' }).click()
      await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible()
      await page.evaluate(() => sessionStorage.clear())
    },
  },
  {
    name: 'buy, done',
    path: '/buy?product=Paper+Kingdoms',
    prepare: async (page) => {
      await page.route('**/api/keys/buy', (route) => {
        const owned = (n: number) => ({
          _id: `0190a000-0000-7000-8000-00000000000${n}`,
          key: `PKX0-8F2Q-77KD-XM4${n}`,
          productId: { _id: '0190a000-0000-7000-8000-0000000000aa', name: 'Paper Kingdoms' },
          duration: '10 Days',
          assignedAt: new Date().toISOString(),
          expiresAt: new Date(Date.now() + 864_000_000).toISOString(),
        })
        return route.fulfill({
          json: {
            message: '2 keys bought',
            keys: [owned(1), owned(2)],
            order: {
              _id: '0190a000-0000-7000-8000-0000000000bb',
              amount: 158,
              unitPrice: 79,
              quantity: 2,
              balanceAfter: 992,
            },
          },
        })
      })
      await page.getByRole('button', { name: 'Buy with Wallet' }).click()
      await expect(page.getByRole('list', { name: 'Your keys' })).toBeVisible()
      // A sign of use: they stay.
      await page.keyboard.press('Shift')
    },
  },
  { name: 'my key', path: '/my-key' },
  {
    name: 'my key, nothing found',
    path: '/my-key',
    prepare: (page) => page.getByLabel('Search keys').fill('nothing like this'),
  },
  { name: 'wallet history', path: '/wallet-history' },
  { name: 'wallet history, requests', path: '/wallet-history#requests' },
  {
    name: 'receipt',
    path: '/wallet-history',
    prepare: async (page) => {
      await page.getByRole('link', { name: 'Receipt' }).first().click()
      await page.getByRole('article').waitFor()
    },
  },
  { name: 'add balance', path: '/add-balance' },
  {
    name: 'add balance, a plan',
    path: '/add-balance',
    prepare: async (page) => {
      await page.getByRole('button', { name: /Pay ₹500/ }).click()
      await unfoldCode(page.getByRole('dialog'))
    },
  },
  {
    name: 'add money',
    path: '/',
    prepare: async (page) => {
      await openDialog(page)
      await page.getByRole('dialog').getByRole('button', { name: '₹200' }).click()
      await page.getByRole('dialog').getByText('Where do I find my UTR?').click()
    },
  },
  {
    name: 'add money, faults',
    path: '/',
    prepare: async (page) => {
      await openDialog(page)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Amount', { exact: true }).fill('0.5')
      await dialog.getByLabel('UTR (12-digit transaction number)').fill('CICAgPDrkqaXYZ')
      await dialog.getByLabel('Contact phone').fill('123')
      await dialog.getByRole('checkbox').focus()
      await page.evaluate(() => sessionStorage.clear())
    },
  },
  {
    name: 'add money, submitted',
    path: '/',
    prepare: async (page) => {
      await answer(page, '**/api/payments/add-money', 201, {
        message: 'Request submitted',
        payment: { _id: '0190a000-0000-7000-8000-0000000000cc', status: 'pending', amount: 200, credited: 200 },
      })
      await openDialog(page)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: '₹200' }).click()
      await dialog.getByLabel('UTR (12-digit transaction number)').fill('402611870001')
      await dialog.getByLabel('Contact phone').fill('9876543210')
      await dialog.getByRole('checkbox').check()
      await holdWaits(page)
      await dialog.getByRole('button', { name: 'Submit request' }).click()
      await expect(dialog.getByText('Request submitted')).toBeVisible()
    },
  },
  {
    name: 'add money, payments off',
    path: '/',
    prepare: async (page) => {
      // Without live events the settings are asked for every few seconds.
      await page.route('**/api/events', (route) => route.abort())
      await answer(page, '**/api/settings/upi', 200, { upiId: '', paymentEnabled: false })
      await openDialog(page)
      await page.reload()
      await expect(page.getByRole('dialog').getByText('The admin is offline')).toBeVisible()
    },
  },
  {
    name: 'account, each row open',
    path: '/account',
    prepare: async (page) => {
      for (const row of await page.getByRole('main').locator('summary').all()) await row.click()
      await expect(page.getByRole('main').getByRole('table')).toBeVisible()
    },
  },
  {
    name: 'account, waiting',
    path: '/account',
    prepare: async (page) => {
      const place = { _id: 'a', productId: 'b', productName: 'Hexfall Tactics', duration: '10 Days', quantity: 1 }
      const paid = { autoMax: 250, autoUntil: '2027-01-31T12:00:00.000Z' }
      const line = { place: 2, ahead: 1, createdAt: '2026-11-20T12:00:00.000Z' }
      await answer(page, '**/api/waiting/mine', 200, [{ ...place, ...paid, ...line }])
      await page.reload()
      await expect(page.getByText('in line')).toBeVisible()
    },
  },
  {
    name: 'my key, on its way',
    path: '/my-key',
    prepare: async (page) => {
      const product = { productId: 'b', productName: 'Hexfall Tactics', duration: '10 Days', quantity: 2 }
      const until = new Date(Date.now() + 5 * 60_000).toISOString()
      const fetch = { _id: 'a', ...product, amount: 250, state: 'coming', until, seconds: 4 }
      await answer(page, '**/api/waiting/fetch', 200, { fetch })
      await page.reload()
      await expect(page.getByText('This takes longer than usual')).toBeVisible()
    },
  },
  {
    name: 'a failure',
    path: '/my-key',
    prepare: async (page) => {
      await failed(page, 'keys/user')
    },
  },
]

export const NEWCOMER: readonly View[] = [
  { name: 'new buyer, dashboard', path: '/' },
  { name: 'new buyer, my key', path: '/my-key' },
  { name: 'new buyer, wallet history', path: '/wallet-history#requests' },
]

const ADMIN_SCREENS: View[] = screensOf('admin')
  .filter((path) => path !== '/admin')
  .map((path) => ({ name: path.slice(1).replace('/', ' '), path }))
export const ADMIN: readonly View[] = [
  ...ADMIN_SCREENS,
  ...[
    { name: 'new product', path: 'product-manager', prepare: dialogBy('New product') },
    { name: 'delete product', path: 'product-manager', prepare: ofRow('Orbit Arena Pro', 'Delete') },
    { name: 'user', path: 'user-manager?search=aarav', prepare: ofRow('aarav', 'Edit') },
    { name: 'block user', path: 'user-manager?search=aarav', prepare: ofRow('aarav', 'Block') },
    { name: 'reject', path: 'payment-manager', prepare: dialogBy(/^Reject /) },
    {
      name: 'payments of which the bank confirms none',
      path: 'payment-manager',
      prepare: async (page: Page) => {
        await answer(page, '**/api/payments*bank=confirmed*', 200, { payments: [], total: 0 })
        await comeFromElsewhere(page)
        await expect(page.getByRole('button', { name: /without a warning/ })).toBeVisible()
      },
    },
    { name: 'new plan', path: 'topup-plan-manager', prepare: dialogBy('New plan') },
    { name: 'new code', path: 'referral-manager', prepare: dialogBy('New code') },
    { name: 'menu', path: 'dashboard', prepare: openMenu },
    {
      name: 'loading',
      path: 'user-manager',
      prepare: (page: Page) => neverAnswered(page, 'admin/users*'),
    },
    { name: 'failed', path: 'user-manager', prepare: (page: Page) => failed(page, 'admin/users*') },
  ].map((view) => ({ ...view, name: `admin ${view.name}`, path: `/admin/${view.path}` })),
  { name: 'admin nothing found', path: '/admin/user-manager?search=nobody+at+all' },
]

/**
 * Text that would like to be more than text, in every field that takes any, on every screen that shows it:
 * nothing runs, and the content policy has nothing to report (v5.0.0-1.2.1, 1.2.3, 3.2.2, 3.4.3).
 */
import type { APIRequestContext, Page } from '@playwright/test'
import { expect, person, test } from './store.ts'

const PAYLOADS = [
  '<img/src=x/onerror=__xss()>',
  '<svg/onload=__xss()>',
  '<script>__xss()</script>',
  '</title><script>__xss()</script>',
  '</script><script>__xss()</script>',
  '"onfocus="__xss()"autofocus="',
  "'-__xss()-'",
  'javascript:__xss()',
  '{{__xss()}}${__xss()}',
  '<!--><script>__xss()</script>',
  '<iframe/srcdoc="<script>parent.__xss()</script>">',
  '=HYPERLINK("javascript:__xss()")',
] as const
const PASSWORD = 'a long buyer password'

const VISITOR_SCREENS = ['/', '/login', '/signup', '/terms-policy', '/admin-login']
const USER_SCREENS = ['/', '/buy', '/my-key', '/wallet-history', '/add-balance', '/account', '/terms-policy']
const ADMIN_SCREENS = [
  '/admin',
  '/admin/product-manager',
  '/admin/user-manager',
  '/admin/key-manager',
  '/admin/payment-manager',
  '/admin/purchases',
  '/admin/topup-plan-manager',
  '/admin/referral-manager',
  '/admin/audit',
]

/** What is looked at of an answer. */
interface Planted {
  _id?: string
  user?: { _id: string }
  payment?: { _id: string }
}

interface Watched {
  page: Page
  request: APIRequestContext
  /** What ran, or was kept from running by the content policy alone. */
  faults: string[]
}

test('text is only ever text: twelve payloads in every field, on every screen', async ({ browser, store }) => {
  test.setTimeout(300_000)
  const watched = async (): Promise<Watched> => {
    const { page, context } = await person(browser, store)
    const faults: string[] = []
    await context.exposeFunction('__xss', () => void faults.push(`a payload ran at ${page.url()}`))
    await context.exposeFunction('__report', (what: string) => void faults.push(`${what} at ${page.url()}`))
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
        const { __report } = window as unknown as { __report(what: string): void }
        __report(`${violatedDirective} kept ${blockedURI} away`)
      })
    })
    page.on('dialog', (dialog) => {
      faults.push(`a dialog at ${page.url()}`)
      void dialog.dismiss()
    })
    return { page, request: context.request, faults }
  }
  const visit = async ({ page, faults }: Watched, path: string) => {
    await page.goto(path)
    await expect(page.locator('main').first()).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    expect(faults).toEqual([])
  }
  const send = async (request: APIRequestContext, method: string, path: string, data?: object) => {
    const answer = await request.fetch(`/api${path}`, { method, ...(data && { data }) })
    expect(answer.status(), `${method} ${path}`).toBeLessThan(500)
    return (await answer.json()) as Planted
  }

  const owner = await watched()
  await send(owner.request, 'POST', '/admin/login', store.admin)
  await send(owner.request, 'PUT', '/settings/upi', { upiId: 'shop@okaxis', paymentEnabled: true })
  await send(owner.request, 'POST', '/referral', { code: 'TEXT', description: 'For this test' })
  const buyers: Watched[] = []

  await test.step('the payloads are planted', async () => {
    for (const [n, text] of PAYLOADS.entries()) {
      const product = await send(owner.request, 'POST', '/products', {
        name: text,
        description: text,
        prices: [{ duration: '10 Days', price: 1 }],
        hot: true,
      })
      await send(owner.request, 'POST', '/keys/bulk', {
        productId: product._id,
        duration: '10 Days',
        keys: [text, `${text}2`],
      })
      await send(owner.request, 'POST', '/referral', { code: text, description: text })
      const buyer = await watched()
      // A name takes 32 characters: the longer payloads are tried cut off as well
      for (const username of [text, text.slice(0, 32)])
        await send(buyer.request, 'POST', '/auth/register', {
          username,
          email: `${text.replaceAll('@', '')}${n}@x.in`,
          password: PASSWORD,
          referralCode: 'TEXT',
        })
      const { user } = await send(buyer.request, 'POST', '/auth/login', {
        username: text.slice(0, 32),
        password: PASSWORD,
      })
      expect(user, text).toBeTruthy()
      buyers.push(buyer)
      const request = { amount: 10, payerName: '9876543210' }
      await send(buyer.request, 'POST', '/payments/add-money', { ...request, utr: text, payerName: text })
      const { payment } = await send(buyer.request, 'POST', '/payments/add-money', {
        ...request,
        utr: String(500_000_000_000 + n),
      })
      await send(owner.request, 'PUT', `/payments/${payment?._id}/reject`, { reason: text })
      await send(owner.request, 'PUT', `/admin/users/${user?._id}/custom-prices`, {
        balance: 100,
        reason: text,
      })
      await send(buyer.request, 'POST', '/keys/buy', { productId: product._id, duration: '10 Days', quantity: 1 })
      await send(owner.request, 'POST', '/admin/admins', {
        username: text.slice(0, 32),
        password: 'a long admin password',
        role: 'read-only',
      })
    }
  })

  await test.step('every screen of an admin', async () => {
    for (const path of ADMIN_SCREENS) await visit(owner, path)
    for (const path of ADMIN_SCREENS.slice(1))
      for (const text of PAYLOADS.slice(0, 3)) await visit(owner, `${path}?search=${encodeURIComponent(text)}`)
    await visit(owner, '/admin/user-manager')
    // It is shown, and not merely left out
    await expect(owner.page.getByText(PAYLOADS[10].slice(0, 32)).first()).toBeVisible()
  })

  await test.step('every screen of a buyer', async () => {
    const [first] = buyers
    if (!first) throw new Error('No buyer')
    for (const path of USER_SCREENS) await visit(first, path)
    for (const [n, buyer] of buyers.entries()) {
      await visit(buyer, n % 2 ? '/my-key' : '/wallet-history')
      await visit(buyer, `/buy?product=${encodeURIComponent(PAYLOADS[n] ?? '')}&duration=10%20Days`)
    }
  })

  await test.step('every notice, title and link', async () => {
    const visitor = await watched()
    for (const text of PAYLOADS) {
      await send(owner.request, 'PUT', '/notice', { text })
      await send(owner.request, 'PUT', '/settings/site', { websiteName: text, websiteTitle: text })
      await send(owner.request, 'PUT', '/settings/store', { supportUrl: text })
      await visit(visitor, '/')
      await expect(visitor.page).toHaveTitle(text)
    }
    for (const path of VISITOR_SCREENS) {
      await visit(visitor, path)
      await visit(visitor, `${path}?next=javascript:__xss()&ref=${encodeURIComponent(PAYLOADS[0])}`)
    }
    await visit(owner, '/admin')
  })
})

/** Browsers that keep no cookies: what their people read, and that nothing is left which keeps them out elsewhere. */
import { createServer, request, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, freshName, PASSWORD, PHONE, test } from './people.ts'

test.use({ viewport: PHONE })

const SENTENCES = {
  en: ['This browser blocks cookies', 'Allow cookies for this site in your browser settings'],
  hi: ['यह ब्राउज़र कुकी ब्लॉक कर रहा है', 'इस साइट की कुकी चालू करें'],
}

/** Serves the store without cookies, as a browser sees it that blocks them. */
async function withoutCookies<T>(url: string, work: (url: string) => Promise<T>): Promise<T> {
  const bare = ({ cookie: _, 'set-cookie': __, ...rest }: OutgoingHttpHeaders) => rest
  const between = createServer((asked, answer) => {
    const passed = request(url + asked.url, { method: asked.method, headers: bare(asked.headers) }, (given) => {
      answer.writeHead(given.statusCode ?? 502, bare(given.headers))
      given.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
  try {
    return await work(`http://127.0.0.1:${(between.address() as AddressInfo).port}`)
  } finally {
    between.closeAllConnections()
    between.close()
  }
}

/** As such a browser, which gives scripts none either. @param says false for one that does not admit it */
async function blockCookies(page: Page, says = true): Promise<void> {
  await page.addInitScript((cookieEnabled) => {
    Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {} })
    Object.defineProperty(Navigator.prototype, 'cookieEnabled', { get: () => cookieEnabled })
  }, !says)
}

async function logIn(page: Page, username: string, password = PASSWORD) {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

async function expectSentences(page: Page) {
  const alert = page.getByRole('alert').first()
  for (const text of Object.values(SENTENCES).flat()) await expect(alert).toContainText(text)
  await expect(alert.locator('[lang=hi]')).toBeVisible()
  await expect(page.getByText('already logged in')).toBeHidden()
}

test('a new buyer whose browser blocks cookies reads so at the first try, and goes in with another browser', async ({
  people,
  shop,
}) => {
  const username = freshName()
  await withoutCookies(shop.url, async (url) => {
    const { page } = await people.visitor()
    await blockCookies(page, false)
    await page.goto(`${url}/signup`)
    await page.getByLabel('Email').fill(`${username}@example.in`)
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Referral code').fill('WELCOME50')
    await expect(page.getByText('Code applied')).toBeVisible()
    await page.getByRole('button', { name: 'Sign up' }).click()
    await expect(page).toHaveURL(/\/login/)

    const login = page.getByRole('button', { name: 'Login', exact: true })
    for (let press = 0; press < 2; press++) {
      await login.click()
      await expect(login).toBeEnabled()
      await expectSentences(page)
      await expect(page).toHaveURL(/\/login/)
    }
  })

  const { page } = await people.visitor()
  await page.goto('/login')
  await logIn(page, username)
  await expect(page.getByRole('region', { name: 'Wallet' })).toBeVisible()
})

for (const path of ['/login', '/signup', '/admin-login'])
  test(`a browser that says it blocks cookies is answered on ${path} before anything is typed`, async ({
    people,
    shop,
  }) => {
    await withoutCookies(shop.url, async (url) => {
      const { page } = await people.visitor()
      await blockCookies(page)
      await page.goto(url + path)
      await expectSentences(page)
    })
    const { page } = await people.visitor()
    await page.goto(path)
    await page.waitForFunction(() => document.querySelector('form'))
    await expect(page.getByText(SENTENCES.en[0] ?? '')).toBeHidden()
  })

test('an admin whose browser blocks cookies reads so, and goes in where it does not', async ({ people, shop }) => {
  await withoutCookies(shop.url, async (url) => {
    const { page } = await people.visitor()
    await blockCookies(page, false)
    await page.goto(`${url}/admin-login`)
    await logIn(page, shop.admin.username, shop.admin.password)
    await expectSentences(page)
  })
  const { page } = await people.visitor()
  await page.goto('/admin-login')
  await logIn(page, shop.admin.username, shop.admin.password)
  await expect(page).toHaveURL(/\/admin(\/dashboard)?$/)
})

test('a browser whose cookies were cleared while the page was open goes in with one press', async ({ people }) => {
  const { username } = await people.account()
  const { page, context } = await people.visitor()
  await page.goto('/login')
  await context.clearCookies()
  await logIn(page, username)
  await expect(page.getByRole('region', { name: 'Wallet' })).toBeVisible()
})

test('a browser without cookies still shows the store, and no part of it breaks', async ({ people, shop }) => {
  await withoutCookies(shop.url, async (url) => {
    const { page } = await people.visitor()
    const faults: string[] = []
    page.on('pageerror', (fault) => faults.push(String(fault)))
    await page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException('The document is sandboxed', 'SecurityError')
      }
      Object.defineProperty(Document.prototype, 'cookie', { get: refuse, set: refuse })
      for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(globalThis, name, { get: refuse })
    })
    await page.goto(url)
    await expect(page.getByText('Skyforge Season Pass').first()).toBeVisible()
    await page.getByRole('button', { name: /theme/i }).first().click()
    await page.goto(`${url}/login`)
    await logIn(page, 'nobody')
    await expectSentences(page)
    expect(faults).toEqual([])
  })
})

// Seen to fail where the fields are not read again: "Please enter username and password first."
test('a password that the browser fills in without an event logs in', async ({ people }) => {
  const { username } = await people.account()
  const { page } = await people.visitor()
  await page.goto('/login')
  for (const [label, text] of [
    ['Username', username],
    ['Password', PASSWORD],
  ] as const)
    await page.getByLabel(label, { exact: true }).evaluate((field, kept) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, kept)
    }, text)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Wallet' })).toBeVisible()
})

test('a double click on Login is one login', async ({ people }) => {
  const { username } = await people.account()
  const { page } = await people.visitor()
  const asked: string[] = []
  page.on('request', (sent) => sent.url().endsWith('/auth/login') && asked.push(sent.url()))
  await page.goto('/login')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login', exact: true }).dblclick()
  await expect(page.getByRole('region', { name: 'Wallet' })).toBeVisible()
  expect(asked).toHaveLength(1)
})

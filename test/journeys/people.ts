/** People in the demo's store, each with a browser of their own, and the store's owner. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  expect,
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from '@playwright/test'
import { api, type Api } from '../../contract/api.ts'
import { createClient, endpointTable, type Client } from '../../contract/client.ts'
import { signUp } from '../../server/demo/store-calls.ts'
import { test as base, waitUntilAlive, type RunningStore } from './store.ts'

export const PHONE = { width: 390, height: 844 }
export const DESK = { width: 1280, height: 800 }
/** Tells the store to draw for a phone. */
export const PHONE_AGENT =
  'Mozilla/5.0 (Linux; Android 14; SM-A055F) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36'

/** Runs in the page: colours on their way from one theme to the other are in neither. */
export function stopTransitions(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*, ::before, ::after, ::backdrop { transition: none !important }')
  document.adoptedStyleSheets.push(sheet)
}

/** Left out of the test command, for its time; `npm run journeys` runs it too. */
export const LONG = { tag: '@long' }
/** True in `npm run journeys`, which looks at more of what is alike. */
export const LOOKS_AT_ALL = process.env.JOURNEYS === 'all'
/** The place where axe looks at a screen, because a look takes half a second. */
export const AXE_SIZES = LOOKS_AT_ALL ? [PHONE, DESK] : [PHONE]
/** Work that is the same at both widths is repeated at a desk in the long set. */
export const repeatAt = (viewport: typeof PHONE) => (viewport === DESK ? LONG : {})
/** A press takes nothing where another one was a moment ago (under-finger.ts). People are slower than that. */
export const liftFinger = (page: Page) => page.waitForTimeout(1_000)
export const PASSWORD = 'a long buyer password'
/** The password of the demo's own buyers. */
export const DEMO_PASSWORD = 'demo-buyer-key'

export interface Person {
  page: Page
  context: BrowserContext
}

export interface Buyer extends Person {
  id: string
  username: string
  /** Calls of this buyer's own session. */
  calls: Client<Api>
}

export interface Shop {
  url: string
  admin: RunningStore['admin']
  /** Calls of the owner's session. */
  owner: Client<Api>
  ownerRequest: APIRequestContext
  /** When the owner's session last gave a proof. */
  provenAt: number
  /** The ids of the demo's products. Others are gone after each test. */
  ownProducts: Set<string>
}

/** Lists begin with ten rows. */
async function withoutProductsOfTests({ owner, ownProducts }: Shop): Promise<void> {
  const products = await owner.catalogue.list({})
  for (const { _id } of products) if (!ownProducts.has(_id)) await owner.catalogue.remove({ id: _id })
}

export interface People {
  visitor(options?: BrowserContextOptions): Promise<Person>
  /** Signed up and logged in a moment ago. Their ₹50 from the referral code are in `balance`. */
  buyer(options?: BrowserContextOptions & { balance?: number }): Promise<Buyer>
  /** Signed up, but logged in nowhere. */
  account(): Promise<{ id: string; username: string; email: string }>
}

/** Calls as the web client makes them, with the cookies of `request`. */
export function callsOf(request: APIRequestContext): Client<Api> {
  return createClient<Api>(endpointTable(api), async ({ method, url, body, options }) => {
    const answer = await request.fetch(`/api${url}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(options.idempotencyKey && { 'idempotency-key': options.idempotencyKey }),
      },
      ...(body !== undefined && { data: body }),
    })
    if (!answer.ok()) throw new Error(`${method} ${url}: ${answer.status()} ${await answer.text()}`)
    return answer.json()
  })
}

/**
 * Logs an admin in without the login screen. The session has then proven who it is for ten minutes, so that no test is
 * asked by the way. Those about the asking do not use it.
 */
export async function enterPanel(
  request: APIRequestContext,
  { username, password }: { username: string; password: string },
): Promise<Client<Api>> {
  const calls = callsOf(request)
  await calls.sessions.adminLogin({ username, password })
  await calls.admins.stepUp({ password })
  return calls
}

/** A proof of this age, in ms, lasts for longer than a test. */
const PROOF_IS_FRESH_MS = 5 * 60_000

let count = 0
/** Makes a name that nobody else has in this run. */
export function freshName(): string {
  count += 1
  return `buyer${Date.now().toString(36)}${count}`
}

export const test = base.extend<{ people: People }, { shop: Shop }>({
  shop: [
    async ({ demo, playwright }, use) => {
      const ownerRequest = await playwright.request.newContext({ baseURL: demo.url })
      const owner = await enterPanel(ownerRequest, demo.admin)
      const ownProducts = new Set((await owner.catalogue.list({})).map(({ _id }) => _id))
      await use({ url: demo.url, admin: demo.admin, owner, ownerRequest, ownProducts, provenAt: Date.now() })
      await ownerRequest.dispose()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  people: async ({ browser, shop, playwright }, use) => {
    const contexts: BrowserContext[] = []
    const faults: string[] = []
    // Before the test, because the session then gets another cookie
    if (Date.now() - shop.provenAt > PROOF_IS_FRESH_MS) {
      await shop.owner.admins.stepUp({ password: shop.admin.password })
      shop.provenAt = Date.now()
    }
    const visitor = async (options: BrowserContextOptions = {}) => {
      const person = await openBrowser(browser, shop.url, options, faults)
      contexts.push(person.context)
      return person
    }
    const account = async () => {
      const request = await playwright.request.newContext({ baseURL: shop.url })
      const username = freshName()
      const email = await signUp(callsOf(request), { username, password: PASSWORD, referralCode: 'WELCOME50' })
      await request.dispose()
      const found = await shop.owner.users.list({ search: username })
      return { id: found.users[0]?._id ?? '', username, email }
    }
    const buyer = async ({ balance, ...options }: BrowserContextOptions & { balance?: number } = {}) => {
      const { id, username } = await account()
      if (balance !== undefined && balance !== 50) {
        await shop.owner.users.update({ id, balance: balance - 50, expiresInDays: null })
      }
      const person = await visitor(options)
      const calls = callsOf(person.context.request)
      await calls.sessions.login({ username, password: PASSWORD })
      return { ...person, id, username, calls }
    }
    await use({ visitor, buyer, account })
    await Promise.all(contexts.map((context) => context.close()))
    await withoutProductsOfTests(shop)
    expect(faults, 'scripts that failed, and what the content security policy refused').toEqual([])
  },
})

async function openBrowser(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions,
  faults: string[],
): Promise<Person> {
  const context = await browser.newContext({ baseURL, ...options })
  context.on('weberror', (fault) => faults.push(String(fault.error())))
  context.on('console', (message) => {
    if (/content security policy/i.test(message.text())) faults.push(message.text())
  })
  const page = await context.newPage()
  waitUntilAlive(page)
  return { context, page }
}

const DRAWN_MS_MAX = 10_000
const ASKED_AGAIN_MS = 200

/**
 * Opens a page as the server draws it, while its scripts are held or switched off. A store draws within a share of its
 * time, and leaves the rest to browsers, so it may have to be asked again.
 */
export async function gotoDrawn(page: Page, path: string): Promise<void> {
  for (const end = Date.now() + DRAWN_MS_MAX; ; await sleep(ASKED_AGAIN_MS)) {
    await page.goto(path, { waitUntil: 'commit' })
    // Comes after the drawing
    await page.locator('noscript').waitFor({ state: 'attached' })
    if ((await page.locator('#root > *').count()) > 0) return
    if (Date.now() > end) throw new Error(`${path} is not drawn`)
  }
}

/** @returns a page as the server draws it */
export async function drawnHtml(request: APIRequestContext, path: string): Promise<string> {
  for (const end = Date.now() + DRAWN_MS_MAX; ; await sleep(ASKED_AGAIN_MS)) {
    const html = await (await request.get(path)).text()
    if (!/<div id="root">\s*<\/div>/.test(html) || Date.now() > end) return html
  }
}

/** Keeps the scripts of a page until the test releases them. */
export async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  return release
}

/** On a phone the QR code, which is for another one, is folded. */
export async function unfoldCode(dialog: Locator): Promise<void> {
  const fold = dialog.getByText('Pay from another phone')
  await fold.or(dialog.getByText('Scan with any UPI app on another phone.')).first().waitFor()
  if (await fold.isVisible()) await fold.click()
}

/** Lets the panel's pages come without what the server read for them, so that their screens ask for it. */
export async function withoutData(page: Page): Promise<void> {
  await page.route(/\/admin(\/|$)/, async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const answer = await route.fetch()
    const html = await answer.text()
    const undrawn = html.replace(/(?<=<div id="root">).*(?=<\/div>\s*<script type="application)/s, '')
    return route.fulfill({ response: answer, body: undrawn.replace(/(?<="queries":\[).*(?=\],"isPutOff")/s, '') })
  })
}

/**
 * Notes in the page how long `text` is shown in `within`, because a busy test sees it late. Call it before it comes.
 * @returns reads the ms, once it is gone
 */
export async function timeShown(page: Page, within: string, text: string): Promise<() => Promise<number>> {
  const place = await page.evaluate(
    ([selector, words]) => {
      const noted = { from: 0, to: 0, isThere: false }
      const look = () => {
        const isThere = [...document.querySelectorAll(selector)].some(
          (each) => each.checkVisibility() && each.textContent?.includes(words),
        )
        if (isThere) noted.from ||= performance.now()
        else if (noted.isThere) noted.to = performance.now()
        noted.isThere = isThere
      }
      const changes = { subtree: true, childList: true, attributes: true, characterData: true }
      new MutationObserver(look).observe(document, changes)
      const others = (Reflect.get(window, 'timesShown') as unknown[] | undefined) ?? []
      Object.assign(window, { timesShown: [...others, noted] })
      return others.length
    },
    [within, text] as const,
  )
  return () =>
    page.evaluate((nth) => {
      const noted = (Reflect.get(window, 'timesShown') as { from: number; to: number }[])[nth]
      return noted ? noted.to - noted.from : 0
    }, place)
}

/** Returns the page's localStorage, by key. */
export function localStorageOf(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => Object.fromEntries(Object.entries<string>(localStorage)))
}

export { expect } from '@playwright/test'

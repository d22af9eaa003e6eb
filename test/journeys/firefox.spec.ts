/** A push message on its whole way, in a stock Firefox, which Playwright can't drive. */
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { findFirefox } from '../../scripts/find-browser.ts'
import { signUp } from '../../server/demo/store-calls.ts'
import { DELIVERED, startBrowserPush, type BrowserPush } from '../worlds/browser-push.ts'
import { callsOf, enterPanel, PASSWORD } from './people.ts'
import { expect, test as base } from './store.ts'

const executablePath = findFirefox()
/** Of each step in the browser; a cold start on a slow machine takes most of it. */
const STEP_MS_MAX = 20_000

const test = base.extend<{ push: BrowserPush; firefox: Browser }>({
  push: async ({ browserName: _ }, use) => {
    const push = await startBrowserPush()
    await use(push)
    await push.stop()
  },
  environment: async ({ push }, use) => use({ OUTBOUND_TEST_ORIGINS: push.origin }),
  firefox: async ({ push }, use) => {
    const firefox = await puppeteer.launch({
      browser: 'firefox',
      executablePath: executablePath ?? '',
      timeout: STEP_MS_MAX,
      extraPrefsFirefox: {
        'dom.push.connection.enabled': true,
        'dom.push.serverURL': push.socketUrl,
        'dom.push.testing.allowInsecureServerURL': true,
        // Drawn by Firefox itself, as there is no desktop that would
        'alerts.useSystemBackend': false,
        // Allowed, without a window that asks
        'permissions.default.desktop-notification': 1,
      },
    })
    await use(firefox)
    await firefox.close()
  },
})

test.skip(executablePath === undefined, 'No Firefox here: apt-get install -y firefox-esr')

test('in Firefox, a buyer turns messages on, and is shown that their top-up was approved', async ({
  playwright,
  store,
  push,
  firefox,
}) => {
  const username = 'asha'
  const request = await playwright.request.newContext({ baseURL: store.url })
  const owner = await enterPanel(request, store.admin)
  const buyer = callsOf(request)
  await owner.settings.saveUpi({ upiId: 'shop@okaxis', paymentEnabled: true })
  await owner.messages.saveChannel({ name: 'push', isOn: true })
  await owner.referrals.create({ code: 'FRIENDS', description: 'For friends' })
  await signUp(buyer, { username, password: PASSWORD, referralCode: 'FRIENDS' })

  await buyer.sessions.login({ username, password: PASSWORD })
  const { payment } = await buyer.payments.addMoney({ amount: 500, utr: '402611870001', payerName: '9876543210' })
  // One device at a time
  await buyer.sessions.logout()

  const page = await firefox.newPage()
  page.setDefaultTimeout(STEP_MS_MAX)
  await logIn(page, store.url, username)
  await open(page, `${store.url}/account#notifications`)
  await page.locator('::-p-aria([name="Turn on"][role="button"])').click()
  await page.locator('::-p-text(You’ll get notifications on this device until you log out.)').wait()

  await owner.payments.approve({ id: payment._id })

  const shown = {
    title: '₹500 added to your wallet',
    body: 'Your top-up was approved.',
    tag: `topup.${payment._id}`,
    data: { path: '/buy' },
  }
  await expect
    .poll(async () => ({ shown: await shownOn(page), codes: push.codes, refusals: push.refusals }), {
      timeout: STEP_MS_MAX,
    })
    .toEqual({ shown: [shown], codes: [DELIVERED], refusals: [] })
  await request.dispose()
})

/** A drawn page is loaded before its scripts are. */
async function open(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.waitForFunction(() => !('noteEarly' in globalThis))
}

async function logIn(page: Page, url: string, username: string): Promise<void> {
  await open(page, `${url}/login`)
  await page.locator('input[autocomplete=username]').fill(username)
  await page.locator('input[autocomplete=current-password]').fill(PASSWORD)
  await page.locator('::-p-aria([name="Login"][role="button"])').click()
  await page.waitForFunction(() => location.pathname === '/')
}

/** The notifications on the screen. */
const shownOn = (page: Page) =>
  page.evaluate(async () => {
    const all = await (await navigator.serviceWorker.ready).getNotifications()
    return all.map(({ title, body, tag, data }) => ({ title, body, tag, data: data as unknown }))
  })

/** Messages: how the owner turns a channel on, what people choose, and what a phone shows. */
import { AxeBuilder } from '@axe-core/playwright'
import { chromium } from '@playwright/test'
import { findWholeBrowser } from '../../scripts/find-browser.ts'
import { expect, freshUtr, test } from './admin-counter.ts'
import { panelOf } from './admin-door.ts'
import { openRow } from './account-rows.ts'
import { PHONE, stopTransitions } from './people.ts'

test.use({ viewport: PHONE, reducedMotion: 'reduce' })

test('the owner turns phone messages on, and is told what is missing', async ({ owner }) => {
  const page = await owner()
  await page.goto('/admin/settings')
  await page.getByRole('link', { name: /^Notifications/ }).click()
  const phone = panelOf(page, 'Phone notifications')
  const email = panelOf(page, 'Email')
  const choices = panelOf(page, 'Your notifications')

  const sends = phone.getByRole('switch', { name: 'Send notifications' })
  await expect(sends).toBeChecked()
  await sends.click()
  await expect(phone.getByText('Off', { exact: true })).toBeVisible()
  await sends.click()
  await expect(phone.getByText('On', { exact: true })).toBeVisible()
  await phone.getByRole('button', { name: 'Send test' }).click()
  await expect(phone.getByText(/Turn on notifications on this phone first|Nothing of this kind/)).toBeVisible()

  await email.getByText('Mail server and sender').click()
  await email.getByRole('textbox', { name: 'Mail server' }).fill('127.0.0.1')
  const port = await email.getByRole('textbox', { name: 'Port' }).inputValue()
  await email.getByRole('textbox', { name: 'Port' }).fill('99999')
  await email.getByRole('textbox', { name: 'Sender address' }).fill('shop@example.in')
  await email.getByRole('button', { name: 'Save' }).click()
  await expect(email.getByText('Enter a port from 1 to 65535')).toBeVisible()
  await email.getByRole('textbox', { name: 'Port' }).fill(port)
  await email.getByRole('button', { name: 'Save' }).click()
  await expect(email.getByText('On', { exact: true })).toBeVisible()
  await expect(email.getByRole('link', { name: 'Open the demo’s mailbox' })).toBeVisible()

  const box = choices.getByRole('checkbox', { name: 'New top-up request, Phone' })
  await expect(box).toBeChecked()
  // Changes once it is saved
  await box.click()
  await expect(box).not.toBeChecked()
  await page.reload()
  await expect(box).not.toBeChecked()
  await box.click()
  await expect(box).toBeChecked()

  await page.evaluate(stopTransitions)
  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme)
    const { violations } = await new AxeBuilder({ page }).include('main').analyze()
    expect.soft(violations.map(({ id, nodes }) => [theme, id, nodes.map((node) => node.html)])).toEqual([])
  }
})

test('a channel that is off is offered to nobody, and a browser that can’t take messages says so', async ({
  people,
  shop,
}) => {
  const { page, context } = await people.buyer({ permissions: ['notifications'] })
  await shop.owner.messages.saveChannel({ name: 'push', isOn: false })
  try {
    await page.goto('/account')
    const panel = await openRow(page, 'Notifications')
    await expect(panel.getByRole('checkbox', { name: 'Email' }).first()).toBeVisible()
    await expect(panel.getByRole('checkbox', { name: 'On this device' })).toHaveCount(0)
    await expect(panel.getByText('This device')).toHaveCount(0)
  } finally {
    await shop.owner.messages.saveChannel({ name: 'push', isOn: true })
  }
  // As a browser without a push service does
  await context.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { value: 'default' })
    Notification.requestPermission = async () => 'granted'
    PushManager.prototype.subscribe = () =>
      Promise.reject(new DOMException('Failed to execute ‘subscribe’ on ‘PushManager’', 'AbortError'))
  })
  await page.reload()
  const panel = await openRow(page, 'Notifications')
  await expect(panel.getByRole('checkbox', { name: 'Top-up approved, On this device' })).toBeDisabled()
  await expect(panel.getByRole('checkbox', { name: 'Top-up approved, Email' })).toBeEnabled()
  await panel.getByRole('button', { name: 'Turn on' }).click()
  await expect(panel.getByText('This browser can’t receive notifications from this store.')).toBeVisible()
  await expect(panel.getByText('PushManager')).toHaveCount(0)
})

test('without HTTPS the owner reads what is missing, and a buyer is offered no switch', async ({ owner, people }) => {
  const { page: buyers } = await people.buyer()
  const panel = await owner()
  for (const page of [buyers, panel])
    await page.addInitScript(() => Object.defineProperty(globalThis, 'isSecureContext', { value: false }))
  await panel.goto('/admin/settings/messages')
  await expect(panel.getByText('Notifications need HTTPS. Set it up for your store')).toBeVisible()
  await buyers.goto('/account#notifications')
  await expect(buyers.getByText('This store can’t send notifications to your device yet.')).toBeVisible()
  for (const page of [buyers, panel]) await expect(page.getByRole('button', { name: 'Turn on' })).toHaveCount(0)
})

test('a message that arrives is shown, and its tap opens the page that it is about', async ({ shop }) => {
  const executablePath = findWholeBrowser()
  // The build without windows shows none; .ci/run installs the whole browser
  test.skip(executablePath === undefined, 'No browser here shows notifications')
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] })
  try {
    const context = await browser.newContext({ baseURL: shop.url, permissions: ['notifications'] })
    const page = await context.newPage()
    await page.goto('/')
    const session = await context.newCDPSession(page)
    const found = new Promise<string>((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [first] = registrations
        if (first) resolve(first.registrationId)
      })
    })
    await session.send('ServiceWorker.enable')
    await page.evaluate(() => navigator.serviceWorker.register('/sw.js'))
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    const said = { title: '₹500 added to your wallet', body: 'Your top-up was approved.', tag: 'topup.1' }
    const shown = () =>
      page.evaluate(async () => {
        const all = await (await navigator.serviceWorker.ready).getNotifications()
        return all.map(({ title, body, tag }) => ({ title, body, tag }))
      })
    const registrationId = await found
    // A browser under load may lose one; an equal one takes its place
    await expect(async () => {
      await session.send('ServiceWorker.deliverPushMessage', {
        origin: new URL(shop.url).origin,
        registrationId,
        data: JSON.stringify({ ...said, path: '/terms-policy' }),
      })
      await expect.poll(shown, { timeout: 2_000 }).toEqual([said])
    }).toPass()

    const [worker] = context.serviceWorkers()
    await worker?.evaluate(async () => {
      const scope = globalThis as unknown as {
        registration: ServiceWorkerRegistration
        NotificationEvent: new (type: string, init: object) => Event
      }
      const [notification] = await scope.registration.getNotifications()
      dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }))
    })
    await expect(page).toHaveURL(/\/terms-policy$/)
  } finally {
    await browser.close()
  }
})

test('a buyer chooses what to be told in the account', async ({ people }) => {
  const { page } = await people.buyer()
  await page.goto('/account')
  const box = (await openRow(page, 'Notifications')).getByRole('checkbox', { name: 'Top-up approved, Email' })
  await expect(box).toBeChecked()
  // Changes once it is saved
  await box.click()
  await expect(box).not.toBeChecked()
  await page.reload()
  await openRow(page, 'Notifications')
  await expect(box).not.toBeChecked()
})

test('in the demo, a buyer confirms the address, ends mails and gets a new password from its mailbox', async ({
  people,
  shop,
}) => {
  const { page, username, calls } = await people.buyer()
  const mails = page.getByRole('listitem').filter({ hasText: `${username}@example.in` })
  const openLink = async (name: RegExp) => {
    const link = mails.getByRole('link', { name })
    // Mails are sent within a second or two
    await expect(async () => {
      await Promise.all([page.waitForEvent('load'), page.getByRole('link', { name: 'Refresh' }).click()])
      await expect(link).toBeVisible({ timeout: 300 })
    }).toPass()
    await link.click()
  }
  await page.goto('/account')
  await openRow(page, 'Profile')
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await page.getByRole('link', { name: 'Open the demo’s mailbox' }).click()
  await openLink(/confirm-email/)
  await page.waitForURL(/confirm-email#/)
  const used = page.url()
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await expect(page.getByText('Your email is confirmed')).toBeVisible()
  await page.goto('/')
  await page.goto(used)
  // The answer to the first press may have been lost
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await expect(page.getByText('Your email is confirmed')).toBeVisible()
  await page.goto('/')
  await page.goto(used.replace(/#.*/, `#${'x'.repeat(43)}`))
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await page.getByRole('link', { name: 'Ask for a new link' }).click()
  await expect(page).toHaveURL(/account#profile$/)

  const { payment } = await calls.payments.addMoney({ amount: 500, utr: freshUtr(), payerName: '9876543210' })
  await shop.owner.payments.approve({ id: payment._id })
  await page.goto('/demo-mailbox')
  await openLink(/unsubscribe/)
  await page.getByRole('button', { name: 'Stop these emails' }).click()
  await expect(page.getByText('You won’t get these emails any more.')).toBeVisible()
  const { choices } = await calls.messages.choices({})
  const ended = choices.filter(({ kind, channel, on }) => kind.startsWith('topup.') && channel === 'email' && !on)
  expect(ended.map(({ kind }) => kind)).toEqual(['topup.approved'])
  await calls.sessions.logout()

  await page.goto('/reset-password')
  await page.getByRole('link', { name: 'Ask for a new link' }).click()
  await expect(page.getByRole('button', { name: 'Send link' })).toBeVisible()
  await page.goto('/login')
  const forgot = page.getByRole('link', { name: 'Forgot your password?' })
  await forgot.click()
  await page.getByRole('link', { name: 'Back to login' }).click()
  await forgot.click()
  await page.getByLabel('Email').fill(`${username}@example.in`)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByRole('link', { name: 'Open the demo’s mailbox' }).click()
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect.soft(violations.map(({ id }) => id)).toEqual([])
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect.soft(width).toBeLessThanOrEqual(PHONE.width)
  await openLink(/reset-password/)
  await page.getByRole('textbox', { name: 'New password' }).fill('a password from the mailbox')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await expect(page.getByText('Log in with your new password now.')).toBeVisible()
})

test('a message about a request opens that very request, and leads on to the queue', async ({ people, owner }) => {
  const { username, calls } = await people.buyer()
  const ask = (amount: number) => calls.payments.addMoney({ amount, utr: freshUtr(), payerName: '9876543210' })
  const { payment } = await ask(777)
  await ask(778)
  const page = await owner()
  await page.goto(`/admin/payment-manager?request=${payment._id}`)
  const main = page.getByRole('main')
  await expect(main.getByText('₹777').first()).toBeVisible()
  await expect(main.getByText(username).first()).toBeVisible()
  await expect(main.getByText('₹778')).toHaveCount(0)
  const only = main.getByRole('button', { name: 'One request only. Show the queue' })
  await only.click()
  await expect(page).not.toHaveURL(/request=/)
  await expect(only).toHaveCount(0)
})

test('a message about a key opens that very key, and leads on to all', async ({ people, shop }) => {
  const { page, calls } = await people.buyer({ balance: 5_000 })
  const products = await shop.owner.catalogue.list({})
  for (const [name, duration] of [
    ['Orbit Arena Pro', '5 Days'],
    ['Ember Online Founder', '1 Month'],
  ] as const) {
    const productId = products.find((each) => each.name === name)?._id ?? ''
    await calls.orders.place({ productId, duration, quantity: 1 })
  }
  const keys = await calls.keys.mine({})
  const wanted = keys.find(({ productId }) => productId.name === 'Orbit Arena Pro')
  await page.goto(`/my-key?key=${wanted?._id}`)
  const orders = page.getByRole('main').getByRole('article')
  await expect(orders).toHaveCount(1)
  await expect(orders).toContainText(wanted?.key ?? '')
  await expect(orders.getByRole('heading', { name: 'Your key is ready' })).toBeVisible()
  // It has the screen to itself, also on a small phone
  await page.setViewportSize({ width: 360, height: 640 })
  await expect(orders.getByRole('button', { name: 'Copy key' })).toBeInViewport({ ratio: 1 })
  expect((await orders.boundingBox())?.y, 'right under the bar').toBeLessThan(100)
  await page.getByRole('button', { name: 'Show all keys' }).click()
  await expect(orders).toHaveCount(2)
  await expect(page).toHaveURL(/\/my-key$/)
  await page.goto('/my-key?show=expiring')
  await expect(orders).toHaveCount(1)
})

test('on an iPhone, who waits for a decision is offered the home screen, and e-mail', async ({ people }) => {
  const { page, context, calls } = await people.buyer({
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1',
    hasTouch: true,
  })
  await context.addInitScript(() => {
    // Safari has it only in an installed app
    Reflect.deleteProperty(globalThis, 'PushManager')
    // Chromium feigns one finger
    Object.defineProperty(navigator, 'maxTouchPoints', { value: 5 })
  })
  await calls.payments.addMoney({ amount: 500, utr: freshUtr(), payerName: '9876543210' })
  await page.goto('/wallet-history')
  await page.getByText('Awaiting approval: ₹500').click()
  await expect(page.getByText('tap Share, then Add to Home Screen')).toBeVisible()
  await page.getByRole('link', { name: 'Get an email instead' }).click()
  await expect(page.getByRole('button', { name: 'Confirm email' })).toBeVisible()
})

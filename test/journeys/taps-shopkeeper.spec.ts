/** A shopkeeper on a phone: each job of the day in as many taps as it may take, from the dashboard. */
import type { Locator, Page } from '@playwright/test'
import { expect, freshUtr, PHONE, inWholeList, rowOf, said, SORRY, test } from './admin-counter.ts'
import { enterPanel, liftFinger, type Buyer } from './people.ts'

/** A thumb that counts. Typing and scrolling are no taps. */
function thumb(): { tap: (target: Locator) => Promise<void>; taps: () => number } {
  let taps = 0
  return {
    tap: async (target) => {
      taps += 1
      await target.click()
    },
    taps: () => taps,
  }
}

const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight)

test('payments are switched off and on with one tap', async ({ owner, shop }) => {
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin')
  const { tap, taps } = thumb()
  const toggle = page.getByRole('switch', { name: 'Accept payments' })
  await expect(toggle).toBeInViewport()
  try {
    await tap(toggle)
    await expect.poll(async () => (await shop.owner.settings.upi({})).paymentEnabled).toBe(false)
    expect(taps()).toBeLessThanOrEqual(1)
  } finally {
    await shop.owner.settings.saveUpi({ paymentEnabled: true })
  }
})

test('the dashboard says the five things of the day without scrolling, and is short', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin')
  const today = page.getByRole('region', { name: 'Today' })
  for (const thing of ['Accept payments', 'Pending payments', 'Sales today', 'Top-ups today', 'New buyers today'])
    await expect(today.getByText(thing)).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('img', { name: /days: sales/ })).toBeVisible()
  // Its other duration had no sales, so no forecast tells of it
  await expect(page.getByRole('link', { name: /^Also low or out of stock: .*Hexfall Tactics/ })).toBeVisible()
  let height = await heightOf(page)
  // Each with the gap to the next. What other journeys have done as owners is a red line
  for (const [waiting, gap] of [
    [page.getByRole('region', { name: 'Warnings' }), 12],
    [page.getByRole('alert', { name: 'Security' }), 16],
    [page.getByRole('link', { name: /claims? waits? for/ }), 12],
    [page.getByRole('link', { name: /^Held by banks/ }), 12],
  ] as const)
    if (await waiting.isVisible()) height -= ((await waiting.boundingBox())?.height ?? 0) + gap
  expect(height, 'but for a warning, for claims and for a red line').toBeLessThanOrEqual(1_900)

  await page.getByRole('button', { name: 'Remind me in a week' }).click()
  await page.reload()
  await expect(page.getByRole('img', { name: /days: sales/ })).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Your account' })).toHaveCount(0)
  const kept = (await page.context().cookies()).find(({ name }) => name.startsWith('put_off'))
  expect(Math.round(((kept?.expires ?? 0) * 1_000 - Date.now()) / 86_400_000)).toBe(7)
  await page.context().clearCookies({ name: /^put_off/ })
  await page.reload()
  await expect(page.getByRole('complementary', { name: 'Your account' }), 'after that week').toBeVisible()
})

let phones = 9_700_000_000
/** No other account gave it, so nothing speaks against the request. */
const freshPhone = () => String((phones += 1))

async function ask(buyer: Buyer, ...amounts: number[]) {
  for (const amount of amounts)
    await buyer.calls.payments.addMoney({ amount, utr: freshUtr(), payerName: freshPhone() })
}

/** The approvals and rejections that are sent. */
function sentBy(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    const decision = /\/api\/payments\/[^/]+\/(approve|reject)$/.exec(request.url())?.[1]
    if (decision) sent.push(decision)
  })
  return sent
}

test('one is approved with one tap, and rejected with two, from the dashboard', async ({ owner, people, shop }) => {
  const page = await owner({ viewport: PHONE })
  const waiting = async () =>
    (await shop.owner.payments.list({ status: 'pending', order: 'oldest', limit: 50 })).payments
  // Other tests leave none, or one that asks before it is approved
  for (const { _id } of await waiting()) await shop.owner.payments.reject({ id: _id })
  await ask(await people.buyer(), 141, 142)
  const [first, second] = await waiting()
  await page.goto('/admin')
  const approving = thumb()
  await approving.tap(page.getByRole('button', { name: /^Approve ₹/ }))
  await expect.poll(async () => (await waiting())[0]?._id, { timeout: 10_000 }).toBe(second?._id)
  expect(approving.taps()).toBeLessThanOrEqual(1)
  const { payments } = await shop.owner.payments.list({ search: first?.utr ?? '' })
  expect(payments[0]?.status).toBe('approved')

  const rejecting = thumb()
  await rejecting.tap(page.getByRole('button', { name: new RegExp(`^Reject ₹.* from ${second?.userId?.username}$`) }))
  await rejecting.tap(page.getByRole('button', { name: 'We could not find this UTR in our account.' }))
  await expect.poll(async () => (await waiting())[0]?._id).not.toBe(second?._id)
  expect(rejecting.taps()).toBeLessThanOrEqual(2)
})

test('all without a warning are approved with two taps, and those with one wait', async ({ owner, people, shop }) => {
  const buyer = await people.buyer()
  // With three more they are still on one page
  const { payments } = await shop.owner.payments.list({ status: 'pending', order: 'oldest', limit: 50 })
  for (const { _id } of payments.slice(8)) await shop.owner.payments.reject({ id: _id })
  // The third on a day has a warning
  await ask(buyer, 151, 152, 153)
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin')
  const { tap, taps } = thumb()
  await tap(page.getByRole('link', { name: /^Pending payments/ }))
  await expect(page.getByText('₹153')).toBeVisible()
  const all = page.getByRole('button', { name: /^Approve \d+ without a warning$/ })
  await tap(all)
  // Where a statement could show them and doesn't, there is a question
  const question = page.getByRole('alertdialog')
  const isAsked = await question.waitFor({ timeout: 3_000 }).then(
    () => true,
    () => false,
  )
  if (isAsked) await tap(question.getByRole('button', { name: /^Approve \d+ · ₹/ }))
  await expect.poll(async () => (await buyer.calls.sessions.me({})).balance, { timeout: 12_000 }).toBe(50 + 151 + 152)
  expect(taps()).toBeLessThanOrEqual(isAsked ? 3 : 2)
  await expect(page.getByRole('button', { name: `Approve ₹153 from ${buyer.username}` })).toBeVisible()
})

test('the first request is near the top, and an approval can be taken back', async ({ owner, people, shop }) => {
  const buyer = await people.buyer()
  await ask(buyer, 161, 162, 163, 164)
  const statusOf = async (amount: number) => {
    const { payments } = await shop.owner.payments.list({ search: buyer.username })
    return payments.find((payment) => payment.amount === amount)?.status
  }
  const page = await owner({ viewport: PHONE })
  const sent = sentBy(page)
  await page.goto('/admin/payment-manager')
  const row = page.locator('[data-row]').first()
  await expect(row).toBeVisible()
  // Another journey may have made a change that the owner has to confirm, and a red line stands above all
  const red = page.getByRole('alert', { name: 'Security' })
  const lineHeight = (await red.isVisible()) ? ((await red.boundingBox())?.height ?? 0) + 16 : 0
  expect((await row.boundingBox())?.y).toBeLessThanOrEqual(220 + lineHeight)
  await page.goto(`/admin/payment-manager?status=pending&search=${buyer.username}`)
  const chat = page.getByRole('link', { name: /^WhatsApp to \d{10}$/ }).first()
  await expect(chat).toHaveAttribute('href', /^https:\/\/wa\.me\/91\d{10}\?text=Hello.*%E2%82%B916\d.*\d{4}\.$/)
  const approve = (amount: number) => page.getByRole('button', { name: `Approve ₹${amount} from ${buyer.username}` })

  await test.step('within five seconds nothing is sent, and Undo brings it back', async () => {
    await approve(161).dblclick()
    await rowOf(page, '₹161').getByRole('button', { name: /^Undo/ }).click()
    await expect(approve(161)).toBeVisible()
    await page.waitForTimeout(5_500)
    expect(sent).toEqual([])
    expect(await statusOf(161)).toBe('pending')
  })

  await test.step('another screen sends it, and says there what failed', async () => {
    await page.route(/\/approve$/, (route) =>
      route.fulfill({ status: 500, json: { code: 'INTERNAL', message: SORRY } }),
    )
    await approve(162).click()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Products' }).click()
    await expect(said(page, `₹162 from ${buyer.username} was not approved. ${SORRY}`)).toBeVisible()
    await page.unroute(/\/approve$/)
    expect(await statusOf(162)).toBe('pending')
  })

  await test.step('a hidden tab sends it, and a closed one', async () => {
    await page.goto(`/admin/payment-manager?status=pending&search=${buyer.username}`)
    await approve(163).click()
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await expect.poll(() => statusOf(163), { timeout: 3_000 }).toBe('approved')
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { configurable: true, value: false }))
    await liftFinger(page)
    await approve(164).click()
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => statusOf(164), { timeout: 4_000 }).toBe('approved')
  })
})

test('a duration is restocked with four taps', async ({ owner, shop }) => {
  const [name, duration] = ['Hexfall Tactics', '10 Days']
  const productId = (await shop.owner.catalogue.list({})).find((product) => product.name === name)?._id ?? ''
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin')
  const { tap, taps } = thumb()
  await tap(page.getByRole('link', { name: `${name} (${duration})` }))
  await tap(page.getByRole('button', { name: 'Add keys' }).first())
  const dialog = page.getByRole('dialog', { name: 'Add keys' })
  await dialog.getByLabel('Keys, one per line').fill('RESTOCK-1\nRESTOCK-2')
  await tap(dialog.getByRole('button', { name: 'Check 2 keys' }))
  await tap(dialog.getByRole('button', { name: 'Add 2 new keys' }))
  await expect(dialog.getByText('2 keys added')).toBeVisible()
  expect(taps()).toBeLessThanOrEqual(4)
  await shop.owner.keys.removeAll({ productId, duration })
})

test('a price is changed with two taps, and comes back with Undo', async ({ owner, shop }) => {
  const name = 'A Dearer Game'
  const { _id: id } = await shop.owner.catalogue.create({ name, prices: [{ duration: '10 Days', price: 20 }] })
  const price = async () =>
    (await shop.owner.catalogue.list({})).find(({ _id }) => _id === id)?.prices.map(({ listPrice }) => listPrice)
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin')
  const { tap, taps } = thumb()
  await tap(page.getByRole('link', { name: /^Total products/ }))
  await tap(await inWholeList(page.getByRole('button', { name: `Change price of ${name}, 10 Days` })))
  const field = page.getByLabel(`Price of ${name}, 10 Days (₹)`)
  await page.keyboard.type('2x')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter a price from ₹0')).toBeVisible()
  await field.fill('25')
  await page.keyboard.press('Enter')
  await expect.poll(price).toEqual([25])
  expect(taps()).toBeLessThanOrEqual(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(price).toEqual([20])
  await shop.owner.catalogue.remove({ id })
})

test('a sign-up link is shared with two taps, and without a share sheet it is a QR code to show', async ({
  people,
  shop,
}) => {
  const { hostname } = new URL(shop.url)
  const { page, context } = await people.visitor({
    baseURL: shop.url.replace(hostname, 'shop.example'),
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  })
  const { cookies } = await shop.ownerRequest.storageState()
  await context.addCookies(cookies.map((cookie) => ({ ...cookie, domain: 'shop.example' })))
  await page.addInitScript(() => {
    Object.assign(navigator, {
      share: async (data: ShareData) => {
        document.body.dataset['shared'] = data.url ?? ''
      },
    })
  })
  await page.goto('/admin')
  const { tap, taps } = thumb()
  await tap(page.getByRole('link', { name: 'Sign-up links' }))
  await tap(page.getByRole('button', { name: 'Share sign-up link of WELCOME50' }))
  await expect(page.locator('body')).toHaveAttribute('data-shared', /\/signup\?ref=WELCOME50$/)
  expect(taps()).toBeLessThanOrEqual(2)

  await page.evaluate(() =>
    Object.assign(navigator, { share: () => Promise.reject(new DOMException('none', 'NotAllowedError')) }),
  )
  await page.getByRole('button', { name: 'Share sign-up link of WELCOME50' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign-up link' })
  await expect(dialog.getByRole('img', { name: 'QR code of the sign-up link' })).toBeVisible()
  await expect(dialog.getByText(/\/signup\?ref=WELCOME50$/)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Copy link' })).toBeVisible()
})

test('what waits is counted in the menu, in the title and on the app’s icon, until the admin logs out', async ({
  people,
  shop,
}) => {
  const [{ page, context }, buyer] = await Promise.all([people.visitor({ viewport: PHONE }), people.buyer()])
  await page.addInitScript(() => {
    const note = (count: number) => sessionStorage.setItem('badge', String(count))
    Object.assign(navigator, { setAppBadge: async (count: number) => note(count), clearAppBadge: async () => note(0) })
  })
  const badge = () => page.evaluate(() => Number(sessionStorage.getItem('badge')))
  await enterPanel(context.request, shop.admin)
  const { pendingPayments: before } = await shop.owner.reports.stats({})
  await ask(buyer, 171)
  await page.goto('/admin/product-manager')
  await expect(page).toHaveTitle(new RegExp(`^\\(${before + 1}\\) Products`))
  await expect.poll(badge).toBe(before + 1)

  await ask(buyer, 172)
  await expect(page, 'live').toHaveTitle(new RegExp(`^\\(${before + 2}\\) Products`))
  await page.getByRole('button', { name: 'Menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await expect(menu.getByRole('link', { name: `Payments ${before + 2} pending` })).toBeVisible()

  await menu.getByRole('link', { name: 'Open store' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', '/manifest.webmanifest')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Admin panel' }).click()
  await expect(page).toHaveURL(/\/admin$/)
  await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', '/admin.webmanifest')

  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/admin-login/)
  await expect.poll(badge).toBe(0)
  await expect(page).toHaveTitle(/^[^(]/)
})

test('a buyer is found by phone number with two taps, and helped with three', async ({ people, shop }) => {
  const buyer = await people.buyer()
  const payerName = freshPhone()
  await buyer.calls.payments.addMoney({ amount: 181, utr: freshUtr(), payerName })
  const { page, context } = await people.visitor({ viewport: PHONE, hasTouch: true, isMobile: true })
  await enterPanel(context.request, shop.admin)
  await page.addInitScript(() => {
    const share = async ({ url }: ShareData) => sessionStorage.setItem('shared', url ?? '')
    Object.defineProperty(navigator, 'share', { value: share })
  })
  const row = rowOf(page, buyer.username)
  const find = async () => {
    const { tap, taps } = thumb()
    await page.goto('/admin')
    await tap(page.getByRole('link', { name: /^New buyers today/ }))
    await page.getByLabel('Search name, email or phone').fill(`+91 ${payerName.slice(0, 5)} ${payerName.slice(5)}`)
    await expect(page.locator('[data-row]')).toHaveCount(1)
    await expect(row).toBeVisible()
    return { tap, taps }
  }
  expect((await find()).taps()).toBeLessThanOrEqual(2)

  await test.step('a link for a new password, by the share sheet', async () => {
    const { tap, taps } = await find()
    await tap(row.getByRole('button', { name: `Password link for ${buyer.username}` }))
    await tap(page.getByRole('button', { name: 'Share link' }))
    expect(await page.evaluate(() => sessionStorage.getItem('shared'))).toMatch(/\/reset-password#/)
    expect(taps()).toBeLessThanOrEqual(3)
  })

  await test.step('a device is freed', async () => {
    const { tap, taps } = await find()
    await tap(row.getByRole('button', { name: `Reset device lock for ${buyer.username}` }))
    await tap(page.getByRole('alertdialog').getByRole('button', { name: 'Reset device lock' }))
    await expect(said(page, `Device lock reset. ${buyer.username} can now log in on any device.`)).toBeVisible()
    expect(taps()).toBeLessThanOrEqual(3)
  })
})

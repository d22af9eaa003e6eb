/** The dashboard, the settings as buyers see them, the login guard, and the menu. */
import { openRow, rowNamed } from './account-rows.ts'
import { callsOf, enterPanel, withoutData } from './people.ts'
import {
  DESK,
  expect,
  failing,
  freshUtr,
  openSetting,
  PHONE,
  rowOf,
  said,
  SORRY,
  test,
  withoutEvents,
} from './admin-counter.ts'

test('figures: the totals, the day, and the chart with its numbers as a table', async ({ owner, shop }) => {
  const page = await owner({ viewport: PHONE })
  await withoutEvents(page)
  const letThrough = await failing(page, 'GET', '/admin/overview')
  // Asked for when the dashboard is come to from elsewhere; a page that begins with it has it.
  await page.goto('/admin/product-manager')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByText(SORRY)).toBeVisible()
  await letThrough()
  await page.getByRole('button', { name: 'Retry' }).click()

  const [stats, overview] = await Promise.all([shop.owner.reports.stats({}), shop.owner.reports.overview({ days: 7 })])
  const totals = page.getByRole('region', { name: 'Totals' })
  for (const [label, count] of [
    ['Total users', stats.totalUsers],
    ['Total products', stats.totalProducts],
    ['Total payments', stats.totalPayments],
    ['Approved payments', stats.approvedPayments],
  ] as const) {
    await expect(totals.getByRole('link', { name: `${label} ${count.toLocaleString('en-IN')}` })).toBeVisible()
  }
  const today = page.getByRole('region', { name: 'Today' })
  await expect(
    today.getByRole('link', { name: new RegExp(`^Pending payments .*oldest.* ${stats.pendingPayments}$`) }),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: /Hexfall Tactics.*Out of stock/ }).first()).toBeVisible()

  await expect(page.getByRole('img', { name: /^Last 30 days: sales ₹/ })).toBeVisible()
  await page.getByText('View as table').click()
  const table = page.getByRole('region', { name: 'Sales and top-ups by day' }).getByRole('table')
  await expect(table.getByRole('row')).toHaveCount(31)
  await page.getByRole('button', { name: '7 days', exact: true }).click()
  await expect(table.getByRole('row')).toHaveCount(8)
  const orders = await table.getByRole('row').locator('td:first-of-type').allTextContents()
  expect(orders.map(Number).toReversed()).toEqual(overview.days.map((day) => day.orders))

  // An amount stands there whole, also on the smallest phone
  await page.route('**/api/admin/overview*', (route) =>
    route.fulfill({ json: { ...overview, heldInWallets: 123_456_789.5 } }),
  )
  await page.setViewportSize({ width: 320, height: 640 })
  await page.getByRole('button', { name: '90 days', exact: true }).click()
  const held = totals.getByText('₹12,34,56,789.50')
  await expect(held).toBeVisible()
  const sizes = () => held.evaluate((each) => [each.scrollWidth - each.clientWidth, each.clientHeight])
  await expect.poll(sizes, 'not cut, and in one line').toEqual([0, 24])

  await today.getByRole('link', { name: /^Pending payments/ }).click()
  await expect(page).toHaveURL(/\/admin\/payment-manager$/)
})

test('settings reach the buyers who are looking', async ({ owner, people, shop }) => {
  const [page, buyer] = await Promise.all([owner({ viewport: PHONE }), people.buyer()])
  const [site, notice, upi] = await Promise.all([
    shop.owner.settings.site({}),
    shop.owner.settings.notice({}),
    shop.owner.settings.upi({}),
  ])
  await Promise.all([page.goto('/admin/dashboard'), buyer.page.goto('/')])
  try {
    await test.step('the notice', async () => {
      await openSetting(page, 'Notice')
      await page.getByLabel('Notice text', { exact: true }).fill('Closed on Diwali.\nBack on Saturday.')
      const letThrough = await failing(page, 'PUT', '/notice')
      await page.getByRole('button', { name: 'Save notice' }).click()
      await expect(page.getByText(`Failed to update notice. ${SORRY}`)).toBeVisible()
      await letThrough()
      await page.getByRole('button', { name: 'Save notice' }).click()
      await expect(said(page, /^Notice saved/)).toBeVisible()
      await expect(buyer.page.getByText(/Back on Saturday/)).toBeVisible()
    })

    await test.step('name and title', async () => {
      await openSetting(page, 'Website name and title')
      const save = page.getByRole('button', { name: 'Save name and title' })
      await page.getByLabel('Website name').fill('')
      await expect(save).toBeDisabled()
      await page.getByLabel('Website name').fill('Diwali Keys')
      await page.getByLabel('Website title').fill('Diwali Keys: lights on')
      const letThrough = await failing(page, 'PUT', '/settings/site')
      await save.click()
      await expect(page.getByText(`Failed to update website name/title. ${SORRY}`)).toBeVisible()
      await letThrough()
      await save.click()
      await expect(said(page, /^Name and title saved/)).toBeVisible()
      await expect(buyer.page.getByRole('banner').getByText('Diwali Keys')).toBeVisible()
      await expect(buyer.page).toHaveTitle(/Diwali Keys: lights on/)
    })

    await test.step('the UPI ID, with the code that buyers will see', async () => {
      await openSetting(page, 'UPI ID')
      const field = page.getByLabel('UPI ID', { exact: true })
      await field.fill('nobody')
      await expect(page.getByText('Enter a valid UPI ID, like name@bank.')).toBeVisible()
      await page.getByRole('button', { name: 'Save UPI ID' }).click()
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expect(page.getByText(/UPI ID,? like name@bank/), 'said once').toHaveCount(1)
      await field.fill('diwali@okhdfc')
      await expect(page.getByRole('img', { name: 'QR code to pay diwali@okhdfc' })).toBeVisible()
      const letThrough = await failing(page, 'PUT', '/settings/upi')
      await page.getByRole('button', { name: 'Save UPI ID' }).click()
      await expect(page.getByText(`Failed to update UPI ID. ${SORRY}`)).toBeVisible()
      await letThrough()
      await page.getByRole('button', { name: 'Save UPI ID' }).click()
      await expect(said(page, /diwali@okhdfc/)).toBeVisible()
    })

    await test.step('no payments: the dialog of the buyer says that the admin is offline', async () => {
      await buyer.page.getByRole('button', { name: 'Add Money' }).first().click()
      const dialog = buyer.page.getByRole('dialog', { name: 'Add Money' })
      await expect(dialog).toBeVisible()
      const toggle = page.getByRole('switch', { name: 'Accept payments' })
      const letThrough = await failing(page, 'PUT', '/settings/upi')
      await toggle.click()
      await expect(page.getByText(`Failed to update payment status. ${SORRY}`)).toBeVisible()
      await expect(toggle).toBeChecked()
      await letThrough()
      await toggle.click()
      await expect(said(page, 'Payments are OFF')).toBeVisible()
      await expect(dialog.getByText('The admin is offline')).toBeVisible()
      await expect(dialog.getByText(/^Money cannot be added right now/)).toBeVisible()
      await toggle.click()
      await expect(dialog.getByText('The admin is offline')).toBeHidden()
    })

    await test.step('the forced refresh loads open pages of buyers anew, and no page of the admin', async () => {
      for (const each of [page, buyer.page]) await each.evaluate(() => document.body.setAttribute('data-before', ''))
      const button = page.getByRole('button', { name: 'Force refresh' })
      const letThrough = await failing(page, 'POST', '/settings/refresh-version')
      await button.click()
      await expect(page.getByText('Failed to trigger refresh. Try again.')).toBeVisible()
      await letThrough()
      await button.click()
      await expect(page.getByText('All user sites will refresh within 1 minute.')).toBeVisible()
      await expect(buyer.page.locator('body[data-before]')).toHaveCount(0)
      // The open row is open again.
      await expect(buyer.page.getByRole('dialog', { name: 'Add Money' })).toBeVisible()
      await expect(page.locator('body[data-before]')).toHaveCount(1)
    })
  } finally {
    await shop.owner.settings.saveSite(site)
    await shop.owner.settings.saveNotice(notice)
    await shop.owner.settings.saveUpi({ upiId: upi.upiId, paymentEnabled: upi.paymentEnabled })
  }
})

test('the panel opens for admins alone, and closes when their session ends', async ({ people, shop }) => {
  const { page, context } = await people.visitor()

  await test.step('without a login every page leads to it, and on from it', async () => {
    for (const path of ['/admin', '/admin/key-manager', '/admin/user-manager?search=a']) {
      await page.goto(path)
      await expect(page).toHaveURL(/\/admin-login/)
    }
    await page.getByLabel('Username').fill(shop.admin.username)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByText('Incorrect username or password.')).toBeVisible()
    await page.getByLabel('Password', { exact: true }).fill(shop.admin.password)
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page).toHaveURL(/\/admin\/user-manager\?search=a$/)
    await expect(page.locator('[data-row]').first()).toBeVisible()
  })

  await test.step('on a phone the menu is a drawer that closes by Escape', async () => {
    const menu = page.getByRole('button', { name: 'Menu' })
    await menu.click()
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    await expect(drawer.getByRole('link', { name: 'Users' })).toHaveAttribute('aria-current', 'page')
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
    await expect(menu).toBeFocused()
  })

  await test.step('from 901 px it is a sidebar, which can be made narrow', async () => {
    const sidebar = page.getByRole('navigation', { name: 'Admin' })
    await page.setViewportSize({ width: 900, height: 800 })
    await expect(sidebar).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible()
    await page.setViewportSize({ width: 901, height: 800 })
    await expect(sidebar.getByRole('link')).toHaveCount(20)
    await page.getByRole('button', { name: 'Collapse sidebar' }).click()
    await expect(page.getByRole('button', { name: 'Expand sidebar' })).toHaveAttribute('aria-expanded', 'false')
    await sidebar.getByRole('link', { name: 'Keys' }).click()
    await expect(page).toHaveURL(/\/admin\/key-manager/)
    await page.getByRole('complementary').getByRole('link').first().click()
    await expect(page).toHaveURL(/\/admin$/)
    await expect(sidebar.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('aria-current', 'page')
    await page.goBack()
    await expect(page).toHaveURL(/\/admin\/key-manager/)
  })

  await test.step('a session that has ended on the server ends here too, marker and all', async () => {
    await callsOf(context.request).sessions.adminLogout({})
    // Sent away by the next click, unless the panel has noticed before
    const link = page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Purchases' })
    await link
      .or(page.getByRole('heading', { name: 'Admin login' }))
      .first()
      .click()
    await expect(page).toHaveURL(/\/admin-login/)
    await page.goto('/admin/purchases')
    await expect(page).toHaveURL(/\/admin-login/)
    expect(JSON.stringify(await context.storageState())).not.toContain(shop.admin.username)
  })

  await test.step('Logout leads to the login', async () => {
    await enterPanel(context.request, shop.admin)
    await page.goto('/admin')
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/admin-login/)
    expect((await context.request.get('/api/admin/stats')).ok()).toBe(false)
  })
})

test('what the nightly check finds is said in red, and nothing while all is well', async ({ owner, shop }) => {
  const page = await owner({ viewport: PHONE })
  const report = await shop.owner.reports.healthReport({})
  await page.goto('/admin')
  await expect(page.getByRole('region', { name: 'Today' }).getByText(/oldest/)).toBeVisible()
  await expect(page.getByRole('alert', { name: 'Store health' })).toHaveCount(0)

  await page.route('**/api/admin/health-report', (route) =>
    route.fulfill({
      json: {
        ...report,
        ok: false,
        checkedAt: new Date().toISOString(),
        broken: ['I4a A balance is what is left of its lots: 42'],
      },
    }),
  )
  await withoutData(page)
  await page.goto('/admin/user-manager')
  const banner = page.getByRole('alert', { name: 'Store health' })
  await expect(banner.getByText('A check found a problem.')).toBeVisible()
  const lines = async () => ((await banner.boundingBox())?.height ?? Infinity) / 20
  expect(await lines(), 'four lines and the edges').toBeLessThan(7.5)
  await banner.getByText('Details', { exact: true }).click()
  await expect(banner.getByText('I4a A balance is what is left of its lots: 42')).toBeVisible()
  await expect(banner.getByText('npm run doctor'), 'which nobody types on a phone').toBeHidden()
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page).toHaveURL(/\/admin\/dashboard$/)
  await expect(banner, 'on every screen of the panel').toBeVisible()
})

test('what can wait is said in amber, on the dashboard alone, and the rest of it at a press', async ({
  owner,
  shop,
}) => {
  const page = await owner({ viewport: PHONE })
  const report = await shop.owner.reports.healthReport({})
  const [first, second] = ['Your store has no backup yet.', 'A new version is installed.']
  const hows = { [first]: { text: 'Make one: {command}', values: { command: 'npm run backup' } } }
  await page.route('**/api/admin/health-report', (route) =>
    route.fulfill({ json: { ...report, warnings: [first, second], hows } }),
  )
  const daysLeft = { low: 5, mid: 12, high: 60 }
  const rare = { productId: 'rare', productName: 'Rare Pass', duration: '10 Days', left: 4, rate: 0.1 }
  await page.route('**/api/reports/forecast', (route) =>
    route.fulfill({ json: [{ ...rare, daysLeft, orderBy: '2026-01-01', confidence: 'low' }] }),
  )
  await withoutData(page)
  await page.goto('/admin')
  const region = page.getByRole('region', { name: 'Warnings' })
  await expect(region.getByText(first)).toBeVisible()
  await expect(region.getByText(second)).toBeHidden()
  await expect(region.getByRole('link', { name: 'Back up now' })).toHaveAttribute('href', '/admin/settings#backup')
  await expect(region.getByText('npm run backup'), 'a command is for whoever asks how').toBeHidden()
  await region.getByText('How?').click()
  await expect(region.getByText('npm run backup')).toBeVisible()
  await region.getByText('1 more warning').click()
  await expect(region.getByText(second)).toBeVisible()
  await expect(page.getByRole('link', { name: /^Rare Pass .*Few sales so far/ }), 'no day to order').toBeVisible()
  await page.goto('/admin/user-manager')
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  await expect(region).toHaveCount(0)
})

test('“New buyers today” opens the buyers of today', async ({ owner, people }) => {
  const [page, buyer] = await Promise.all([owner({ viewport: PHONE }), people.buyer()])
  await page.goto('/admin')
  await page.getByRole('link', { name: /^New buyers today/ }).click()
  await expect(page).toHaveURL(/status=new/)
  await expect(page.getByText(buyer.username, { exact: true })).toBeVisible()
})

test('the card of the next request says what speaks against it, and its Approve is quiet then', async ({
  owner,
  people,
  shop,
}) => {
  const [page, buyer] = await Promise.all([owner({ viewport: PHONE }), people.buyer()])
  const { payment } = await buyer.calls.payments.addMoney({ amount: 412, utr: freshUtr(), payerName: '9812345670' })
  const waiting = await shop.owner.payments.list({ search: payment.utr, status: 'pending' })
  const signs = { utrRejectedBefore: false, phoneUsedBy: [], requestOfDay: 1, isFirstTopUp: false }
  let says: object = {}
  const isNext = (url: URL) => url.pathname === '/api/payments' && url.searchParams.get('order') === 'oldest'
  await page.route(isNext, (route) =>
    route.fulfill({ json: { ...waiting, payments: waiting.payments.map((one) => ({ ...one, signs, ...says })) } }),
  )
  await withoutData(page)
  const card = page.getByRole('region', { name: 'Today' })
  const lookOf = async (verb: string) => {
    const button = card.getByRole('button', { name: `${verb} ₹412 from ${buyer.username}` })
    // It rests when it has just come
    await expect(button).not.toHaveAttribute('aria-disabled', 'true')
    return button.evaluate((each) => getComputedStyle(each).backgroundColor)
  }
  try {
    for (const [words, against] of [
      ['Also submitted by meera', { claimedBy: ['meera'] }],
      ['Also submitted by meera, rohan', { bank: { verdict: 'rivals', rivals: ['meera', 'rohan'] } }],
      ['The bank shows ₹100', { bank: { verdict: 'amount', amount: 100 } }],
      ['This UTR was rejected before', { signs: { ...signs, utrRejectedBefore: true } }],
    ] as const) {
      says = against
      await page.goto('/admin')
      await expect(card.getByText(words, { exact: true })).toBeVisible()
      expect(await lookOf('Approve'), words).toBe(await lookOf('Reject'))
    }
    says = { bank: { verdict: 'confirmed', amount: 412 }, asked: 400, meta: { payment: 412, bonus: 500 } }
    await page.goto('/admin')
    for (const shown of ['Entered: ₹400', 'Offer: credit ₹500', '9812345670']) await expect(card).toContainText(shown)
    await expect(card.getByRole('button', { name: `Copy UTR ${payment.utr}` })).toBeVisible()
    await expect(card.getByText('In the bank: ₹412')).toBeVisible()
    expect(await lookOf('Approve'), 'nothing speaks against it').not.toBe(await lookOf('Reject'))
  } finally {
    await shop.owner.payments.reject({ id: payment._id })
  }
})

test('the terms of top-ups and the support link: saved, refused at the field, and with a failure said', async ({
  owner,
  shop,
}) => {
  const page = await owner({ viewport: PHONE })
  const before = await shop.owner.settings.store({})
  try {
    await page.goto('/admin/settings')
    const saveOf = (title: string) => rowNamed(page, title).getByRole('button', { name: 'Save', exact: true })
    for (const title of ['Support', 'Top-up rules', 'Wallet changes']) {
      await openRow(page, title)
      await expect(saveOf(title)).toBeDisabled()
    }
    await expect(page.getByLabel('Maximum top-up (₹)')).toHaveValue(String(before.topupMax))
    await page.getByLabel('Support link').fill('chat.example')
    await saveOf('Support').click()
    await expect(page.getByText('or a link that starts with https://')).toBeVisible()
    await page.getByLabel('Support link').fill('https://chat.example/shop')
    const letThrough = await failing(page, 'PUT', '/settings/store')
    await saveOf('Support').click()
    await expect(page.getByText(`Failed to save settings. ${SORRY}`)).toBeVisible()
    await letThrough()
    await page.getByLabel('Top-up validity (days)').fill('90')
    await saveOf('Support').click()
    await expect(said(page, 'Settings saved')).toBeVisible()
    await expect(page.getByLabel('Top-up validity (days)'), 'another section keeps what is typed').toHaveValue('90')
    await saveOf('Top-up rules').click()
    await expect
      .poll(() => shop.owner.settings.store({}))
      .toMatchObject({ supportUrl: 'https://chat.example/shop', topupValidityDays: 90 })
    await page.getByLabel('Top-up validity (days)').fill('')
    await saveOf('Top-up rules').click()
    await expect.poll(() => shop.owner.settings.store({})).toMatchObject({ topupValidityDays: null })
  } finally {
    await shop.owner.settings.saveStore(before)
  }
})

test('a number of the day leads to the rows behind it', async ({ owner, people, shop }) => {
  const [page, buyer] = await Promise.all([owner({ viewport: PHONE }), people.buyer()])
  const { payment } = await buyer.calls.payments.addMoney({ amount: 77, utr: freshUtr(), payerName: '9812345670' })
  await shop.owner.payments.approve({ id: payment._id })
  await page.goto('/admin')
  await page.getByRole('link', { name: /^Top-ups today/ }).click()
  await expect(page).toHaveURL(/status=approved&decided=\d{4}-\d\d-\d\d|decided=\d{4}-\d\d-\d\d&status=approved/)
  await expect(rowOf(page, payment.utr).getByText('by owner')).toBeVisible()
  await page.getByRole('button', { name: /^Reviewed on .*\. Show all days$/ }).click()
  await expect(page).not.toHaveURL(/decided=/)
})

test('opening a page keeps the admin’s session, and a page that only polls does not', async ({ owner }) => {
  const page = await owner({ viewport: DESK })
  await page.clock.install()
  await page.goto('/admin/product-manager')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const told: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/admin/active')) told.push(request.method())
  })

  await page.clock.fastForward(10 * 60_000)
  await page.clock.runFor(10_000)
  expect(told).toEqual([])

  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect.poll(() => told).toEqual(['POST'])
})

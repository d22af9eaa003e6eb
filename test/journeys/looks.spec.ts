/** Shapes that would say something else than they mean. */
import type { Page } from '@playwright/test'
import { DESK, expect, freshName, freshUtr, PHONE, test } from './admin-counter.ts'
import { callsOf, enterPanel, DEMO_PASSWORD, PASSWORD } from './people.ts'

test('a page that is not there still has the store around it', async ({ people }) => {
  const { page } = await people.visitor({ viewport: PHONE })
  await page.goto('/nowhere')
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  await expect(page.getByRole('main')).toHaveCount(1)
  await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Login' })).toBeVisible()
})

test('the bars of best sellers have tracks of one length', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin')
  const sellers = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Best sellers' }) })
    .last()
    .getByRole('link')
  await expect(sellers.nth(1)).toBeVisible()
  const tracks = await sellers.evaluateAll((rows) =>
    rows.map((row) => row.querySelector('svg')?.getBoundingClientRect().width),
  )
  expect(new Set(tracks).size, tracks.join(', ')).toBe(1)
})

test('nothing shines through the bars over a page', async ({ owner, people }) => {
  const bars = ['header.sticky', '.bottom-bar', '.tabs']
  const panel = await owner({ viewport: PHONE })
  const { page } = await people.buyer({ viewport: PHONE, balance: 100 })
  const alphas = (on: typeof page) =>
    on.evaluate(
      (selectors) =>
        selectors.flatMap((selector) => {
          const bar = document.querySelector(selector)
          return bar ? [`${selector} ${getComputedStyle(bar).backgroundColor}`] : []
        }),
      bars,
    )
  await page.goto('/buy?product=Tidebound+Rangers')
  await expect(page.locator('.bottom-bar')).toBeVisible()
  await panel.goto('/admin/key-manager?view=keys')
  await expect(panel.locator('.bottom-bar')).toBeVisible()
  const found = [...(await alphas(page)), ...(await alphas(panel))]
  expect(found).toHaveLength(5)
  for (const bar of found) expect(bar).not.toContain('/')
})

test('the last card of a list has its lower corners', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin/product-manager')
  const last = page.locator('main [data-row]').last()
  await expect(last).toBeVisible()
  const cut = await last.evaluate((card) => {
    for (let box = card.parentElement; box && box.id !== 'main'; box = box.parentElement) {
      const { overflow, borderBottomLeftRadius } = getComputedStyle(box)
      if (overflow !== 'visible' && borderBottomLeftRadius !== '0px') return box.className
    }
    return null
  })
  expect(cut).toBeNull()
})

test('the support link covers nothing of a page, and the menu has it in words', async ({ people, shop }) => {
  const { supportUrl } = await shop.owner.settings.store({})
  await shop.owner.settings.saveStore({ supportUrl: 'https://wa.me/919812345678' })
  const { page, context } = await people.visitor({ viewport: PHONE })
  await callsOf(context.request).sessions.login({ username: 'aarav', password: DEMO_PASSWORD })
  const support = page.getByRole('banner').getByRole('link', { name: 'Contact support · WhatsApp' })
  for (const width of [320, 360, 390, 768, 1_280, 1_440]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/my-key')
    await expect(support).toBeInViewport({ ratio: 1 })
    const [link, header, content] = await Promise.all([
      support.boundingBox(),
      page.getByRole('banner').boundingBox(),
      page.getByRole('heading', { level: 1 }).boundingBox(),
    ])
    if (!link || !header || !content) throw new Error('Something is not drawn')
    const isInHeader = link.y >= header.y && link.y + link.height <= header.y + header.height
    expect.soft(isInHeader || link.x + link.width <= content.x, `${width} px`).toBe(true)
    const name = page.getByRole('banner').getByText('Chaabi', { exact: true })
    expect.soft(await name.evaluate((box) => box.scrollWidth <= box.clientWidth), `the name at ${width} px`).toBe(true)
  }
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Contact support · WhatsApp' })).toBeVisible()
  await shop.owner.settings.saveStore({ supportUrl })
  await callsOf(context.request).sessions.logout({})
})

test('a page of the panel is called by its name in the menu, and a list comes soon under its bars', async ({
  owner,
  people,
}) => {
  const [page, buyer] = await Promise.all([owner({ viewport: DESK }), people.buyer()])
  // Two on the newest page, because the list of all has its bar over several alone
  // A phone that another buyer has given is a warning, and all are ticked at once only without one
  for (const amount of [70, 71])
    await buyer.calls.payments.addMoney({ amount, utr: freshUtr(), payerName: `98${freshUtr().slice(-8)}` })
  await page.goto('/admin')
  const links = page.getByRole('navigation', { name: 'Admin' }).locator('a[href^="/admin"]')
  await expect(links.first()).toBeVisible()
  const named = await links.evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.textContent]))
  expect(named.length).toBeGreaterThan(10)
  for (const [path, name] of named) {
    await page.goto(path ?? '')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name?.replace(/\d+ pending$/, '') ?? '')
  }
  for (const path of ['/admin/payment-manager', '/admin/payment-manager?status=all']) {
    await page.goto(path)
    await expect(page.getByLabel(/^Select all/)).toBeVisible()
    const bars = await page.locator('main section > header').first().boundingBox()
    expect(bars?.height, 'four bars at most over the list').toBeLessThanOrEqual(240)
  }
})

test('every user has the same actions in the same places, and each says what it is', async ({
  owner,
  people,
  shop,
}) => {
  // One with a device to reset, and one without
  await people.buyer()
  await people.account()
  const { users } = await shop.owner.users.list({})
  expect(new Set(users.map(({ deviceLockedAt }) => deviceLockedAt === null)).size, 'both kinds are there').toBe(2)
  for (const viewport of [PHONE, DESK]) {
    const page = await owner({ viewport })
    await page.goto('/admin/user-manager')
    const rows = page.locator('[data-row]')
    await expect(rows.first()).toBeVisible()
    const offered = await rows.evaluateAll((all) =>
      all.map((row) =>
        [...row.querySelectorAll<HTMLElement>('button')]
          .filter((button) => button.innerText !== '' && button.checkVisibility())
          .map(({ innerText }) => innerText)
          .join(', '),
      ),
    )
    // Of one who is blocked, Unblock stands where the link is of others
    const usual = offered.map((actions) => actions.replace('Unblock', 'Password'))
    expect(new Set(usual), `${viewport.width} px`).toEqual(new Set(['Edit, Password, Device, More']))
    for (const at of [
      0,
      users.findIndex(({ deviceLockedAt }) => (deviceLockedAt === null) !== (users[0]?.deviceLockedAt === null)),
    ]) {
      await rows
        .nth(at)
        .getByRole('button', { name: /^More: / })
        .click()
      await expect(page.getByRole('dialog').getByRole('button')).toHaveText(['Details', 'Block', 'Delete'])
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
  }
})

test('what does nothing now has one look, in a row, a bar and a menu', async ({ owner, people, shop }) => {
  const { username } = await shop.owner.admins.create({ username: freshName(), password: PASSWORD, role: 'read-only' })
  const { page: other, context } = await people.visitor({ viewport: DESK, reducedMotion: 'reduce' })
  await enterPanel(context.request, { username, password: PASSWORD })
  const own = await owner({ viewport: DESK })
  const looks = new Map<string, string>()
  const note = async (page: Page) => {
    const found = await page.locator('main button:disabled, main button[aria-disabled="true"]').evaluateAll((buttons) =>
      buttons
        .filter((button) => button.checkVisibility() && !button.matches('[role="switch"]'))
        .map((button) => {
          const { color, opacity, backgroundColor } = getComputedStyle(button)
          return [`${color} ${opacity} ${backgroundColor}`, button.ariaLabel ?? button.textContent] as const
        }),
    )
    for (const [look, name] of found) looks.set(look, name)
    return found.length
  }
  for (const [page, path] of [
    [other, '/admin/user-manager'],
    [other, '/admin/product-manager'],
    // “Delete all” before a product is chosen
    [own, '/admin/key-manager?view=keys'],
  ] as const) {
    await page.goto(path)
    await expect(page.locator('[data-row]').first()).toBeVisible()
    const inRows = await note(page)
    const menu = page.getByRole('button', { name: /^More: / }).first()
    if (!(await menu.isVisible())) continue
    await menu.click()
    await expect(page.getByRole('dialog').getByRole('button', { name: /^Delete/ })).toBeVisible()
    expect(await note(page), `${path}: its menu`).toBeGreaterThan(inRows)
    await page.keyboard.press('Escape')
  }
  expect(Object.fromEntries(looks), 'each look with one that has it').toEqual({
    [[...looks.keys()][0] ?? '']: [...looks.values()][0],
  })
})

test('a list on a phone has one way to go on at a time', async ({ owner }) => {
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin/purchases')
  const more = page.getByRole('button', { name: /^Show \d+ more$/ })
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await expect(more).toBeVisible()
  await expect(pages).toBeHidden()
  while (await more.isVisible()) await more.click()
  await expect(pages).toBeVisible()
})

test('the menu of the panel has groups, and Logout is seen without scrolling', async ({ owner }) => {
  const page = await owner({ viewport: DESK })
  await page.goto('/admin')
  const menu = page.getByRole('navigation', { name: 'Admin' })
  for (const name of ['Sell', 'Money', 'People', 'Store']) await expect(menu.getByRole('group', { name })).toBeVisible()
  await expect(menu.getByRole('button', { name: 'Logout' })).toBeInViewport({ ratio: 1 })
  await expect(menu.getByRole('group', { name: 'Money' }).getByRole('link', { name: 'Payments' })).toBeVisible()
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: 'Menu' }).click()
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await expect(drawer.getByRole('group', { name: 'People' })).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Logout' })).toBeInViewport({ ratio: 1 })
})

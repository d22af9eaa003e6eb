/**
 * axe on every screen and dialog of the panel, in both themes, on a phone, and in the long set at a desk and every
 * screen in Hindi, too; and 360 px without sideways.
 */
import type { Locator, Page } from '@playwright/test'
import axeCore from 'axe-core'
import { openRow } from './account-rows.ts'
import { expect, freshUtr, PHONE, rowOf, test, actionOf, listBar, openSetting } from './admin-counter.ts'
import { guardDialogs, panelDialogs } from './engine-dialogs.ts'
import { setTextSize, sideways } from './fit.ts'
import { CODE, speakCarrying, tabOf } from './marked-words.ts'
import { AXE_SIZES, LONG, withoutData } from './people.ts'
import { screensOf } from '../screens.ts'

const SMALLEST = { width: 360, height: 740 }
const THEMES = ['dark', 'light'] as const
type Theme = (typeof THEMES)[number]
const OPENED = { within: 'dialog[open]', themes: THEMES }

/** axe's own script, which @axe-core/playwright brings along. That would put it into the page again for each look. */
const { source } = axeCore

/** In both themes and all sizes, in place: a page load for each would take minutes. */
async function check(page: Page, what: string, within = 'html', themes: readonly Theme[] = THEMES) {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(source)
    await page.evaluate(stopTransitions)
  }
  for (const size of AXE_SIZES) {
    await page.setViewportSize(size)
    // A table that becomes cards draws the dialogs of its rows again
    await expect(page.locator(within).first()).toBeVisible()
    const found = await page.evaluate(look, { within, themes })
    expect.soft(found, `${what}, ${size.width} px`).toEqual([])
  }
  await page.setViewportSize(SMALLEST)
  // A table becomes cards a moment after the page has become narrow.
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await expect.poll(overflow, `${what}: sideways at ${SMALLEST.width} px`).toBeLessThanOrEqual(0)
  await page.setViewportSize(PHONE)
}

/** Runs in the page: colours on their way from one theme to the other are in neither, and all of it is looked at. */
function stopTransitions() {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    '*, ::before, ::after, ::backdrop { transition: none !important; content-visibility: visible !important }',
  )
  document.adoptedStyleSheets.push(sheet)
}

interface Look {
  within: string
  themes: readonly Theme[]
}

/** Runs in the page: what axe finds in either theme. In the second nothing but the colours can differ. */
async function look({ within, themes }: Look): Promise<{ theme: string; id: string; html: string; why: string }[]> {
  const found = []
  for (const theme of themes) {
    document.documentElement.dataset['theme'] = theme
    const { violations } = await (window as unknown as { axe: typeof axeCore }).axe.run(within, {
      resultTypes: ['violations'],
      ...(theme === 'light' && { runOnly: ['color-contrast', 'link-in-text-block'] }),
    })
    for (const { id, nodes } of violations) {
      for (const { html, failureSummary: why = '' } of nodes) found.push({ theme, id, html, why })
    }
  }
  return found
}

async function checkDialog(
  page: Page,
  opener: Locator,
  name: string | RegExp,
  role: 'dialog' | 'alertdialog' = 'dialog',
) {
  await opener.click()
  const dialog = page.getByRole(role, { name })
  await expect(dialog).toBeVisible()
  await check(page, `dialog ${String(name)}`, 'dialog[open]')
  return dialog
}

async function leave(dialog: Locator) {
  await dialog
    .getByRole('button', { name: /^(Cancel|Close)$/ })
    .first()
    .click()
  await expect(dialog).toBeHidden()
}

test.use({ reducedMotion: 'reduce' })

test('screens', async ({ owner, people }) => {
  test.slow()
  const { page: visitor } = await people.visitor({ reducedMotion: 'reduce' })
  await visitor.goto('/admin-login')
  await check(visitor, '/admin-login')

  const page = await owner({ reducedMotion: 'reduce' })
  await page.goto('/admin/dashboard')
  await expect(page.getByRole('img', { name: /^Last 30 days/ })).toBeVisible()
  for (const label of ['Notice', 'Website name and title', 'UPI ID']) await openSetting(page, label)
  await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible()
  await check(page, '/admin/dashboard')
  for (const path of [
    '/admin/product-manager',
    '/admin/user-manager',
    '/admin/key-manager',
    '/admin/payment-manager',
    '/admin/purchases?search=isha',
    '/admin/topup-plan-manager',
    '/admin/referral-manager',
    '/admin/referral-manager?view=invites',
    '/admin/codes',
    '/admin/suppliers',
    '/admin/suppliers?view=sources',
    '/admin/suppliers?view=orders',
    '/admin/user-manager?status=money',
    '/admin/payment-manager?status=all',
    '/admin/audit',
    '/admin/claims?status=all',
    '/admin/books',
    '/admin/books?view=batches',
  ]) {
    await page.goto(path)
    await expect(page.locator('[data-row]').first()).toBeVisible()
    await check(page, path)
  }
  for (const [view, text] of [
    ['liability', 'At the end of each month'],
    ['month', 'Unspent credit after'],
  ]) {
    await page.goto(`/admin/books?view=${view}`)
    await expect(page.getByText(text ?? '')).toBeVisible()
    await check(page, `books, ${view}`)
  }
  await page.goto('/admin/claims?status=all')
  await leave(await checkDialog(page, page.getByRole('button', { name: /^(?:Open|Answer) C-/ }).first(), /C-/))
  await page.goto('/admin/settings')
  await check(page, '/admin/settings')
  for (const name of ['Support', 'Top-up rules', 'Refunds', 'Wallet changes', 'Waiting list', 'Backup'])
    await openRow(page, name)
  await expect(page.getByLabel('Maximum top-up (₹)')).toHaveValue(/\d/)
  await check(page, '/admin/settings, opened')
  await page.route('**/api/admin/health-report', (route) =>
    route.fulfill({
      json: {
        ok: false,
        checkedAt: '2026-11-20T21:30:00.000Z',
        broken: ['I4a A balance is what is left of its lots: 42'],
        jobs: [],
      },
    }),
  )
  await withoutData(page)
  await page.goto('/admin/dashboard')
  await expect(page.getByText('Your store needs attention')).toBeVisible()
  await check(page, 'the dashboard in ill health')
  await page.goto('/admin/user-manager?search=nobody+at+all')
  await expect(page.getByText(/^Nothing found for/)).toBeVisible()
  await check(page, 'an empty list')
})

test('every screen in Hindi', LONG, async ({ owner, shop }) => {
  test.setTimeout(600_000)
  const page = await owner({ reducedMotion: 'reduce' })
  await page.context().addCookies([{ name: 'chaabi_panel_language', value: 'hi', url: shop.url }])
  for (const path of [
    ...screensOf('admin'),
    '/admin/key-manager?view=keys',
    '/admin/key-manager?view=batches',
    '/admin/payment-manager?status=all',
    '/admin/claims?status=all',
    ...['batches', 'liability', 'month', 'year', 'rows'].map((view) => `/admin/books?view=${view}`),
    '/admin/user-manager?search=nobody+at+all',
  ]) {
    await page.goto(path)
    await expect(page.locator('html')).toHaveAttribute('lang', 'hi')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/\p{Script=Devanagari}|Keys/u)
    await expect(page.locator('main .skeleton')).toHaveCount(0)
    const closed = page.getByRole('main').locator('details:not([open]) > summary:visible')
    for (let left = await closed.count(); left > 0; left -= 1) await closed.first().click()
    // No colour depends on the words
    await check(page, `${path} in Hindi`, path === '/admin/settings/face' ? 'main form' : 'html', ['dark'])
  }
})

test('every dialog in Hindi', LONG, async ({ people, shop }) => {
  test.setTimeout(600_000)
  const open = async () => {
    const { page, context } = await people.visitor({
      viewport: PHONE,
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
    })
    await context.addCookies([{ name: 'chaabi_panel_language', value: CODE, url: shop.url }])
    await speakCarrying(page)
    const lookAt = async () => {
      if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
      const found = await page.evaluate(look, { within: 'dialog[open]', themes: ['dark'] as const })
      return found.map(({ id, html, why }) => `${id}: ${html} ${why}`)
    }
    return { shop, people, tab: tabOf(page), look: lookAt }
  }
  try {
    const { tab, ...owner } = await open()
    await panelDialogs(tab, owner)
    const { tab: other, ...guarded } = await open()
    await guardDialogs(other, guarded)
  } finally {
    await shop.ownerRequest.get('/admin?language=en')
  }
})

test('dialogs', LONG, async ({ owner, people, shop }) => {
  test.slow()
  const [page, buyer] = await Promise.all([owner({ reducedMotion: 'reduce' }), people.buyer({ balance: 90 })])
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first()

  await page.goto('/admin/product-manager')
  let dialog = await checkDialog(page, button('New product'), 'New product')
  await dialog.getByRole('button', { name: 'Add product' }).click()
  await check(page, 'new product, with faults', 'dialog[open]')
  await dialog.getByLabel('Name').fill('x')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await check(page, 'discard', 'dialog[open]')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await leave(
    await checkDialog(
      page,
      await actionOf(rowOf(page, 'Orbit Arena Pro'), 'Delete Orbit Arena Pro'),
      'Delete Orbit Arena Pro?',
      'alertdialog',
    ),
  )
  await button(/^Move Orbit Arena Pro/).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Move Orbit Arena Pro' })).toBeVisible()
  await check(page, 'move', 'dialog[open]')

  const [product] = (await shop.owner.catalogue.list({})).filter(({ name }) => name === 'Orbit Arena Pro')
  await page.goto(`/admin/key-manager?product=${product?._id}&duration=5+Days`)
  dialog = await checkDialog(page, button('Add keys'), 'Add keys')
  await dialog.getByRole('textbox').fill(`GOOD-KEY\n\nGOOD-KEY\n${'x'.repeat(300)}`)
  await dialog.getByRole('button', { name: 'Check 3 keys' }).click()
  await expect(dialog.getByText(/^same as line 1/)).toBeVisible()
  await check(page, 'add keys, dry run', 'dialog[open]')
  await shop.owner.keys.add({ productId: product?._id ?? '', duration: '5 Days', keys: [`AXE-${Date.now()}`] })
  await page.goto(`/admin/key-manager?product=${product?._id}&view=batches`)
  await expect(rowOf(page, 'added').first()).toBeVisible()
  await check(page, 'batches')
  await leave(
    await checkDialog(
      page,
      await actionOf(rowOf(page, 'added').first(), /^Undo batch/),
      /^Undo this batch/,
      'alertdialog',
    ),
  )
  await page.goto(`/admin/key-manager?product=${product?._id}&duration=5+Days&status=available`)
  await leave(await checkDialog(page, button(/^Edit key/), 'Edit key'))
  await leave(
    await checkDialog(
      page,
      await actionOf(page.locator('[data-row]').first(), /^Delete key/),
      /^Delete key/,
      'alertdialog',
    ),
  )
  await leave(
    await checkDialog(page, await actionOf(listBar(page), 'Delete all'), /^Delete all unsold keys/, 'alertdialog'),
  )

  await page.goto('/admin/topup-plan-manager')
  await leave(await checkDialog(page, button('Edit ₹500 plan'), 'Edit ₹500 plan'))
  await leave(
    await checkDialog(
      page,
      await actionOf(rowOf(page, '₹500'), 'Delete ₹500 plan'),
      /^Delete the .* plan\?/,
      'alertdialog',
    ),
  )

  await page.goto('/admin/referral-manager')
  await leave(await checkDialog(page, await actionOf(rowOf(page, 'WELCOME50'), 'Edit WELCOME50'), 'Edit WELCOME50'))

  await page.goto(`/admin/user-manager?search=${buyer.username}`)
  const name = buyer.username
  dialog = await checkDialog(page, await actionOf(rowOf(page, name), `Edit ${name}`), `Edit ${name}`)
  await dialog.getByRole('button', { name: 'Deduct money' }).click()
  await dialog.getByLabel('Amount (₹)').fill('20')
  await check(page, 'user, deduction', 'dialog[open]')
  await dialog.getByRole('button', { name: 'Prices' }).click()
  await dialog.getByLabel('Price of Orbit Arena Pro, 5 Days').fill('x')
  await check(page, 'user, prices', 'dialog[open]')
  await dialog.getByRole('button', { name: 'Products' }).click()
  await check(page, 'user, hidden products', 'dialog[open]')
  await page.goto(`/admin/user-manager?search=${buyer.username}`)
  dialog = await checkDialog(
    page,
    await actionOf(rowOf(page, name), `Details of ${name}: payments, keys and devices`),
    name,
  )
  await dialog.getByRole('button', { name: 'Keys', exact: true }).click()
  await expect(dialog.getByText('No keys yet')).toBeVisible()
  await check(page, 'user, keys', 'dialog[open]')
  await dialog.getByRole('button', { name: 'Devices', exact: true }).click()
  await expect(dialog.getByText(/^Chrome on Linux/)).toBeVisible()
  await check(page, 'user, sessions', 'dialog[open]')
  await dialog.getByRole('button', { name: /^Log .* out of|^Logout: / }).click()
  const question = page.getByRole('alertdialog', { name: `Log ${name} out of Chrome on Linux?` })
  await expect(question).toBeVisible()
  await check(page, 'end a session', 'dialog[open]')
  await leave(question)
  await leave(dialog)
  const link = `Password link for ${name}`
  await leave(await checkDialog(page, await actionOf(rowOf(page, name), link), link))
  await leave(
    await checkDialog(
      page,
      await actionOf(rowOf(page, name), `Reset device lock for ${name}`),
      /^Reset the device lock/,
      'alertdialog',
    ),
  )
  await leave(
    await checkDialog(page, await actionOf(rowOf(page, name), `Delete ${name}`), `Delete ${name}?`, 'alertdialog'),
  )

  // Only where something speaks against a request is there a question
  const other = await people.buyer()
  for (const [calls, amount] of [
    [other.calls, 60],
    [buyer.calls, 61],
    [buyer.calls, 62],
  ] as const)
    await calls.payments.addMoney({ amount, utr: freshUtr(), payerName: '9812345671' })
  await page.goto(`/admin/payment-manager?status=pending&search=${name}`)
  await expect(rowOf(page, '₹61')).toBeVisible()
  await leave(await checkDialog(page, button(/^Reject ₹61/), /^Reject ₹61/))
  const removal = await actionOf(rowOf(page, '₹61'), `Delete ₹61 from ${name}`)
  await leave(await checkDialog(page, removal, /^Delete the payment/, 'alertdialog'))
  for (const amount of [61, 62]) await page.getByRole('checkbox', { name: `Select ₹${amount} from ${name}` }).check()
  await leave(await checkDialog(page, button('Approve 2'), 'Approve 2 requests?', 'alertdialog'))
  // There is none at a desk.
  await button('Menu').click()
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  expect(await page.evaluate(look, OPENED), 'the menu').toEqual([])
  await shop.owner.users.remove({ id: buyer.id })
})

test('what is opened less', LONG, async ({ owner }) => {
  test.slow()
  const page = await owner({ reducedMotion: 'reduce' })
  for (const path of [
    '/admin/admins',
    '/admin/security',
    '/admin/guide',
    '/admin/bank',
    '/admin/settings/messages',
    '/admin/key-manager?view=keys',
    '/admin/key-manager?view=batches',
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('main').getByText('Loading…')).toHaveCount(0)
    await check(page, path)
  }
  // Its preview takes the theme of the page's button, which is not what changes the theme here
  await page.goto('/admin/settings/face')
  await check(page, 'the face', 'main form')

  const opened = (name: string | RegExp) => page.getByRole('button', { name }).first()
  await page.goto('/admin/bank')
  await leave(await checkDialog(page, opened('Upload statement'), 'Upload statement'))
  // There is none at a desk.
  await opened('Filters').click()
  await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible()
  expect.soft(await page.evaluate(look, OPENED), 'filters of the bank').toEqual([])
  await page.goto('/admin/settings/bank')
  await leave(await checkDialog(page, opened('Add account'), 'Add a bank account'))
  await leave(await checkDialog(page, opened(/^Edit/), /^Edit/))
  await leave(await checkDialog(page, opened('Connect a phone'), 'Connect a phone'))
  await page.goto('/admin/admins')
  await leave(await checkDialog(page, opened('New admin'), 'New admin'))
  await page.goto('/admin/referral-manager')
  await checkDialog(page, opened(/^Share/), 'Sign-up link')
})

test('the bank’s screens and dialogs, also at 360 × 640 with text twice as large', LONG, async ({ owner, shop }) => {
  test.slow()
  const { accounts } = await shop.owner.bank.accounts({})
  const [account] = accounts.filter(({ closedAt }) => closedAt === null)
  const [today = ''] = new Date(Date.now() + 5.5 * 3_600_000).toISOString().split('T')
  const day = today.split('-').toReversed().join('/')
  // As long as a bank's column, in one word, and with marks that would turn the line around
  const payer = `${'W'.repeat(120)} <b>\u202Eevil</b>`
  const text = [
    'Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance',
    ...[freshUtr(), freshUtr()].map((utr, nth) =>
      [
        day,
        `UPI-${payer}-X@OKAXIS-UTIB0000123-${utr}-WALLET`,
        utr,
        day,
        '',
        '617.00',
        `${9_617 + nth * 617}.00`,
      ].join(),
    ),
  ].join('\n')
  await shop.owner.bank.import({ text, accountId: account?._id ?? '' })

  const page = await owner()
  const fitsLarge = async (what: string) => {
    await page.setViewportSize({ width: 360, height: 640 })
    await setTextSize(page, 200)
    await expect.poll(() => sideways(page), `${what}, with text twice as large`).toEqual([])
    await setTextSize(page, 100)
    await page.setViewportSize(PHONE)
  }
  await page.goto('/admin/bank?search=617')
  await expect(page.locator('[data-row]').first()).toBeVisible()
  await check(page, '/admin/bank')
  await fitsLarge('/admin/bank')
  const row = page.locator('[data-row]').first()
  await (await actionOf(row, /^Credit to/)).click()
  await check(page, 'credit to a user', 'dialog[open]')
  await fitsLarge('credit to a user')
  await leave(page.getByRole('dialog'))
  const upload = await checkDialog(
    page,
    page.getByRole('button', { name: 'Upload statement' }).first(),
    /^Upload statement/,
  )
  await upload.getByLabel('Or paste the statement').fill(text)
  await upload.getByRole('button', { name: 'Check statement' }).click()
  await expect(upload.getByRole('button', { name: /^Upload \d+ credit/ })).toBeVisible()
  await check(page, 'the preview', 'dialog[open]')
  await fitsLarge('the preview')

  await page.goto('/admin/settings/bank')
  await expect(page.getByRole('button', { name: 'Save rules' })).toBeVisible()
  await check(page, '/admin/settings/bank')
  await fitsLarge('/admin/settings/bank')
  await leave(await checkDialog(page, page.getByRole('button', { name: 'Add account' }).first(), /account/i))
  const { credits } = await shop.owner.bank.credits({ search: '617', state: 'unclaimed', limit: 50 })
  for (const { _id: id } of credits) await shop.owner.bank.setAside({ id, why: 'Nobody’s' })
})

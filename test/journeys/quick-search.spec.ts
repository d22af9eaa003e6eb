/** One field of the panel finds users, payments, keys, products, pages and actions, on a phone and by the keyboard. */
import { expect, freshUtr, PHONE, test } from './admin-counter.ts'
import { anAdmin, findFaults, GIVEN } from './admin-door.ts'
import { DESK, enterPanel, PHONE_AGENT } from './people.ts'

test('by the keyboard alone: pages, a payment by its UTR, a user, a key, and an action', async ({
  owner,
  people,
  shop,
}) => {
  const [page, buyer] = await Promise.all([owner({ viewport: DESK }), people.buyer()])
  const utr = freshUtr()
  await buyer.calls.payments.addMoney({ amount: 515, utr, payerName: `97${String(Date.now()).slice(-8)}` })
  const product = (await shop.owner.catalogue.list({}))[0]
  const field = page.getByRole('combobox', { name: 'Search users, payments, keys, products and pages' })
  const active = page.getByRole('option', { selected: true })
  /** Enter comes before the answer, as people type. */
  const find = async (text: string) => {
    await expect(field).toBeFocused()
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
    await expect(field).toBeHidden()
  }

  await page.goto('/admin')
  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await expect(page.getByRole('group', { name: 'Pages' }).getByRole('option').first()).toHaveText('Dashboard')
  await page.keyboard.press('ArrowDown')
  await expect(active).toHaveText('Products')
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
  await expect(page, 'nothing was followed').toHaveURL(/\/admin$/)

  await page.keyboard.press('Meta+k')
  await find('purch')
  await expect(page).toHaveURL(/\/admin\/purchases$/)

  await page.keyboard.press('/')
  await find(utr)
  await expect(page).toHaveURL(new RegExp(`/admin/payment-manager\\?.*search=${utr}`))
  await expect(page.locator('[data-row]')).toHaveCount(1)

  await page.keyboard.press('/')
  await find(buyer.username)
  await expect(page).toHaveURL(new RegExp(`/admin/user-manager\\?search=${buyer.username}`))

  await page.keyboard.press('/')
  await find(product?.name ?? '')
  await expect(page).toHaveURL(/\/admin\/product-manager\?search=/)

  await page.keyboard.press('/')
  await find('add key')
  await expect(page.getByRole('dialog', { name: 'Add keys' })).toBeVisible()
  await page.keyboard.press('Escape')

  const [key] = await shop.owner.keys.list({ limit: 1 })
  await page.keyboard.press('Control+k')
  await find(key?.key ?? '')
  await expect(page).toHaveURL(/\/admin\/key-manager\?view=keys&search=/)
  await expect(page.locator('[data-row]')).toHaveCount(1)
})

test('in a field a slash is a slash, and what a role may not see is not found', async ({ people, shop }) => {
  const { username } = await anAdmin(shop, 'stock')
  const { page, context } = await people.visitor({ viewport: DESK })
  await enterPanel(context.request, { username, password: GIVEN })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/admin/product-manager')
  const list = page.getByRole('textbox', { name: /^Search/ })
  await list.click()
  await page.keyboard.type('a/b')
  await expect(list).toHaveValue('a/b')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: /^Search users/ })).toBeFocused()
  await page.keyboard.type('aarav1234')
  await expect(page.getByText('Nothing found. Try a name, a UTR, a key or a product.')).toBeVisible()
  expect(asked.filter((url) => /search=aarav/.test(url)).map((url) => new URL(url).pathname)).toEqual(['/api/keys'])
  await page.getByRole('combobox', { name: /^Search users/ }).fill('users')
  await expect(page.getByRole('option', { name: 'Users' })).toHaveCount(0)
})

test('on a phone the bar has a button, and a row is a tap', async ({ owner }) => {
  const page = await owner({ viewport: PHONE, userAgent: PHONE_AGENT, hasTouch: true })
  await page.goto('/admin/payment-manager')
  await page.getByRole('button', { name: 'Search', exact: true }).tap()
  const sheet = page.getByRole('dialog', { name: 'Search' })
  await expect(sheet.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('nothing is called so')
  await expect(sheet.getByText('Nothing found. Try a name, a UTR, a key or a product.')).toBeVisible()
  await sheet.getByRole('combobox').fill('')
  expect(await findFaults(page, 'dialog[open]')).toEqual([])
  await sheet.getByRole('option', { name: 'Settings' }).tap()
  await expect(page).toHaveURL(/\/admin\/settings$/)
  await expect(sheet).toBeHidden()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
})

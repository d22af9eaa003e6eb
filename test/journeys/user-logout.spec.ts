/** After a logout that has not reached the store, no page of the former person is drawn in that browser. */
import { enterPanel, DESK, expect, PHONE, test, type Buyer } from './people.ts'

async function withKey(buyer: Buyer): Promise<string> {
  const product = (await buyer.calls.catalogue.list({})).find(({ available }) => available > 0)
  const price = product?.prices.find((each) => each.price !== undefined && each.price <= 1_000)
  const order = { productId: product?._id ?? '', duration: price?.duration ?? '', quantity: 1 }
  const { keys } = await buyer.calls.orders.place(order)
  return keys[0]?.key ?? ''
}

test('a logout with the network cut: the store draws nothing of that buyer until it is through', async ({ people }) => {
  const buyer = await people.buyer({ viewport: PHONE, balance: 1_000 })
  const { page, context, username } = buyer
  const key = await withKey(buyer)
  const isOpen = async () => (await context.request.get('/api/auth/me')).ok()
  const html = async (path: string) => (await context.request.get(path)).text()
  await page.goto('/account')
  expect(await html('/my-key')).toContain(key)

  await context.setOffline(true)
  await page.getByRole('button', { name: 'Logout', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Logout', exact: true })).toBeHidden()
  expect(await isOpen(), 'the store has not heard of it').toBe(true)
  for (const path of ['/my-key', '/', '/account', '/wallet-history']) {
    expect(await html(path), path).not.toContain(username)
    expect(await html(path), path).not.toContain(key)
  }

  // Back on the network, but the logout alone keeps failing
  await page.route('**/api/auth/logout', (route) => route.abort())
  await context.setOffline(false)
  await page.goto('/my-key')
  await expect(page).toHaveURL(/\/signup\?next=/)
  await expect(page.getByText(key)).toHaveCount(0)
  await page.goto('/')
  await expect(page.getByText('Login to see price').first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Wallet' })).toHaveCount(0)
  expect(await isOpen()).toBe(true)

  await page.unroute('**/api/auth/logout')
  await page.goto('/')
  await expect.poll(isOpen).toBe(false)
  expect((await context.cookies()).map(({ name }) => name).filter((name) => name.startsWith('logout'))).toEqual([])
})

test('another tab of that browser shows the former person no longer either', async ({ people }) => {
  const { page, context } = await people.buyer({ viewport: DESK })
  const other = await context.newPage()
  await other.goto('/')
  await expect(other.getByRole('region', { name: 'Wallet' })).toBeVisible()
  await context.route('**/api/auth/logout', (route) => route.abort())
  await page.goto('/account')
  await page.getByRole('banner').getByRole('button', { name: 'Logout', exact: true }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(other.getByRole('region', { name: 'Wallet' })).toHaveCount(0)
})

test('an admin who has logged out unheard gets no page of the panel', async ({ people, shop }) => {
  const { page, context } = await people.visitor({ viewport: DESK })
  await enterPanel(context.request, shop.admin)
  await page.goto('/admin')
  const html = async () => (await context.request.get('/admin')).text()
  expect(await html()).toContain('heldInWallets')
  await context.route('**/api/admin/logout', (route) => route.abort())
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/admin-login/)
  expect(await html()).not.toContain('heldInWallets')
  await context.unroute('**/api/admin/logout')
  await page.goto('/')
  await expect.poll(async () => (await context.request.get('/api/admin/check')).ok()).toBe(false)
})

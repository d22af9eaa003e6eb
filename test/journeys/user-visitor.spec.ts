/** What people see before they log in. */
import { DESK, expect, localStorageOf, PHONE, test } from './people.ts'

for (const viewport of [PHONE, DESK]) {
  test.describe(`at ${viewport.width} px`, () => {
    test.use({ viewport })

    test('a visitor browses the shop without prices, and finds the way in', async ({ people, shop }) => {
      const { page } = await people.visitor()
      const all = (await shop.owner.catalogue.list({})).filter(({ isListed }) => isListed)
      await page.goto('/')
      await expect(page).toHaveTitle(/Chaabi/)
      const notice = page.getByRole('complementary', { name: 'Notice' })
      await expect(notice).toContainText('1 am and 6 am')
      const isCut = () => notice.getByText('1 am and 6 am').evaluate((text) => text.scrollHeight > text.clientHeight)
      expect(await isCut(), 'one line on a phone').toBe(viewport === PHONE)
      await notice.locator('summary').click()
      expect(await isCut(), 'and whole after a tap').toBe(false)

      const products = page.getByRole('region', { name: 'Products' })
      const skyforge = products.getByRole('article').filter({ hasText: 'Skyforge Season Pass' })
      await expect(skyforge.getByText('HOT SALE')).toBeVisible()
      await expect(skyforge.getByText('Ranked access and every cosmetic drop')).toBeVisible()
      await expect(skyforge.getByRole('link', { name: 'Login to see price' })).toBeVisible()
      const hexfall = products.getByRole('article').filter({ hasText: 'Hexfall Tactics' })
      await expect(hexfall.getByRole('button', { name: 'OUT OF STOCK' })).toBeDisabled()
      await expect(page.getByRole('main')).not.toContainText('₹1')
      await expect(page.getByRole('region', { name: 'Wallet' })).toHaveCount(0)

      await products.getByLabel('Search products').fill('drift')
      await expect(products.getByRole('article')).toHaveCount(1)
      await products.getByLabel('Search products').fill('no such thing')
      await expect(products.getByText('No products found')).toBeVisible()
      await products.getByRole('button', { name: 'Show all products' }).click()
      await expect(products.getByRole('article')).toHaveCount(all.length)

      await skyforge.getByRole('link', { name: 'Login to see price' }).click()
      await expect(page).toHaveURL(/\/login/)
      await page.goBack()
      await expect(page.getByRole('region', { name: 'Products' })).toBeVisible()
    })

    test('the header leads everywhere, and what needs a login asks for it', async ({ people }) => {
      const { page } = await people.visitor()
      await page.goto('/terms-policy')
      await expect(page.getByRole('heading', { level: 1, name: /terms/i })).toBeVisible()
      await expect(page.getByText('19 July 2025').first()).toBeVisible()
      await expect(page).toHaveTitle(/Terms/)

      const links = async (name: string) => {
        if (viewport === PHONE) {
          await page.getByRole('button', { name: 'Menu' }).click()
          return page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name, exact: true })
        }
        return page.getByRole('banner').getByRole('link', { name, exact: true })
      }
      await (await links('Wallet History')).click()
      await expect(page).toHaveURL(/\/signup\?next=(%2F|\/)wallet-history/)
      await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible()
      await page.getByRole('main').getByRole('link', { name: 'Login', exact: true }).click()
      await expect(page).toHaveURL(/\/login\?next=(%2F|\/)wallet-history/)
      await page.goto('/')
      await (await links('Login')).click()
      await expect(page).toHaveURL(/\/login$/)
    })
  })
}

test('every login-required address leads to the signup and keeps where it was going', async ({ people }) => {
  const { page } = await people.visitor()
  for (const path of ['/buy?product=Paper%20Kingdoms', '/my-key', '/wallet-history', '/add-balance', '/account']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible()
    expect(new URL(page.url()).pathname).toBe('/signup')
    expect(new URL(page.url()).searchParams.get('next')?.split('?')[0]).toBe(path.split('?')[0])
  }
})

test('an address that leads nowhere says so, and leads back', async ({ people }) => {
  const { page } = await people.visitor()
  await page.goto('/no/such/page')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect(page).toHaveTitle(/not found/i)
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await expect(page.getByRole('region', { name: 'Products' })).toBeVisible()
})

test('the theme is dark at first, and a chosen one is there from the first paint on', async ({ people }) => {
  const { page, context } = await people.visitor()
  const theme = () => page.evaluate(() => document.documentElement.dataset['theme'])
  await page.goto('/')
  expect(await theme()).toBe('dark')
  await page.getByRole('button', { name: /theme|light/i }).click()
  expect(await theme()).toBe('light')

  // Before any script: what the server has sent is light already.
  const html = await (await context.request.get('/')).text()
  expect(html).toMatch(/<html[^>]*data-theme="light"/)
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { themesSeen: seen })
    new MutationObserver(() => seen.push(document.documentElement.dataset['theme'] ?? '')).observe(document, {
      attributes: true,
      subtree: true,
      attributeFilter: ['data-theme'],
    })
  })
  await page.reload()
  await expect(page.getByRole('region', { name: 'Products' })).toBeVisible()
  expect(await theme()).toBe('light')
  expect(await page.evaluate(() => (window as unknown as { themesSeen: string[] }).themesSeen)).not.toContain('dark')
  expect(await localStorageOf(page)).toEqual({})
})

/** What a screen says can be seen, and is so. */
import { expect, PHONE, test } from './admin-counter.ts'

test('the dollar balance is named where it stands', async ({ people }) => {
  const { page } = await people.buyer()
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/')
    const label = page.getByRole('region', { name: 'Wallet' }).getByText(/Dollar balance/)
    expect(await label.evaluate((each) => each.clientWidth), `at ${width} px`).toBeGreaterThan(60)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), 'no scrolling sideways').toBe(width)
  }
})

test('My Key shows the day and the time at which a key ends', async ({ people }) => {
  const { page, calls } = await people.buyer({ balance: 1_000, timezoneId: 'Asia/Kolkata' })
  const [product] = (await calls.catalogue.list({})).filter(({ available }) => available > 0)
  const price = product?.prices.find((each) => each.price !== undefined && each.price <= 1_000)
  const { keys } = await calls.orders.place({
    productId: product?._id ?? '',
    duration: price?.duration ?? '',
    quantity: 1,
  })
  const end = new Intl.DateTimeFormat('en-IN', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Asia/Kolkata',
    hour12: true,
  }).format(new Date(keys[0]?.expiresAt ?? ''))
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/my-key')
    const shown = page.getByRole('main').getByRole('article').locator('time').last()
    await expect(shown).toHaveText(end.replaceAll(/\s/g, ' '))
    expect(await page.evaluate(() => document.documentElement.scrollWidth), 'no scrolling sideways').toBe(width)
  }
})

test('the form of a referral code does not say that buyers read its description', async ({ owner, people }) => {
  const page = await owner({ viewport: PHONE })
  await page.goto('/admin/referral-manager')
  await page.getByRole('button', { name: 'New code' }).click()
  const dialog = page.getByRole('dialog', { name: 'New referral code' })
  await expect(dialog.getByLabel('Description')).toHaveAccessibleDescription(/Not shown at sign-up/)

  const visitor = await people.visitor()
  await visitor.page.goto('/signup?ref=WELCOME50')
  await expect(visitor.page.getByText('Code applied')).toBeVisible()
  const { description } = await (await visitor.context.request.get('/api/referral/validate/WELCOME50')).json()
  await expect(visitor.page.getByText(description)).toHaveCount(0)
})

/** My Key: what is left of each key, found again, copied and taken away. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { failUntilRetried } from './fail-until-retried.ts'
import { expect, PHONE, test, type Buyer, type Shop } from './people.ts'

async function buy(buyer: Buyer, shop: Shop, name: string, duration: string, quantity: number) {
  const products = await shop.owner.catalogue.list({})
  const product = products.find((each) => each.name === name)
  if (!product) throw new Error(`No product ${name}`)
  return buyer.calls.orders.place({ productId: product._id, duration, quantity })
}

/** Search and filters come with the sixth order. */
async function buySix(buyer: Buyer, shop: Shop): Promise<void> {
  for (let bought = 0; bought < 6; bought += 1) await buy(buyer, shop, 'Ember Online Founder', '1 Month', 1)
}

const unfoldExports = (page: Page) => page.getByText('Copy or download all').click()

test('keys: a row says product, key and time left, and opens the rest', async ({ people, shop }) => {
  const buyer = await people.buyer({ balance: 5_000, viewport: PHONE })
  const { page, context } = buyer
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { keys: short } = await buy(buyer, shop, 'Orbit Arena Pro', '5 Days', 2)
  const { keys: long } = await buy(buyer, shop, 'Ember Online Founder', '1 Month', 1)
  await buy(buyer, shop, 'Night Circuit VIP', '10 Days', 1)
  await page.goto('/my-key')
  const orders = page.getByRole('main').getByRole('article')

  await test.step('the new one first and open, then what expires next, with the time that is left', async () => {
    await expect(page.getByText('4 active, 0 expired')).toBeVisible()
    await expect(orders).toHaveCount(3)
    await expect(orders.nth(0)).toContainText('Night Circuit VIP')
    await expect(orders.nth(0).getByRole('button', { name: /^Renew: / })).toBeVisible()
    await expect(orders.nth(1)).toContainText('2 × Orbit Arena Pro')
    await expect(orders.nth(2)).toContainText('Ember Online Founder')
    await expect(orders.nth(1).getByRole('timer')).toContainText('4 days, 23 hours, 59 minutes left')
    await expect(orders.nth(2).getByText('Active')).toBeVisible()
  })
  await test.step('with few orders nothing stands before them, and a row is low', async () => {
    await expect(page.getByRole('group', { name: 'Status' })).toHaveCount(0)
    await expect(page.getByLabel('Search keys')).toHaveCount(0)
    await expect(orders.nth(2).getByRole('button', { name: /^Renew: / })).toBeHidden()
    expect((await orders.nth(2).boundingBox())?.height).toBeLessThanOrEqual(180)
  })
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await test.step('copy one, and the button says so for a moment', async () => {
    await orders.nth(2).getByRole('button', { name: 'Copy key' }).click()
    await expect(orders.nth(2).getByText('Copied')).toBeVisible()
    expect(await clipboard()).toBe(long[0]?.key)
    await expect(orders.nth(2).getByText('Copied')).toBeHidden({ timeout: 3_000 })
    await orders
      .nth(1)
      .getByText(short[0]?.key ?? '')
      .click()
    await page.keyboard.press('Control+c')
    await expect.poll(clipboard, 'by hand, where it may break after a dash').toBe(short[0]?.key)
  })
  await test.step('copy all, of one order and of the list', async () => {
    await orders.nth(1).locator('summary').first().click()
    await orders.nth(1).getByRole('button', { name: 'Copy all: 2 keys of Orbit Arena Pro' }).click()
    const lines = async () => (await clipboard()).split('\n').toSorted()
    await expect.poll(lines).toEqual(short.map(({ key }) => key).toSorted())
    await expect(page.getByRole('button', { name: 'Copy all', exact: true })).toBeHidden()
    await unfoldExports(page)
    await page.getByRole('button', { name: 'Copy all', exact: true }).click()
    await expect.poll(async () => (await clipboard()).split('\n')).toHaveLength(4)
  })
  await test.step('download as text and as a table', async () => {
    for (const [name, file] of [
      ['Download TXT', 'keys.txt'],
      ['Download CSV', 'keys.csv'],
    ] as const) {
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name }).click()
      const download = await saved
      expect(download.suggestedFilename()).toBe(file)
      const text = await readFile(await download.path(), 'utf8')
      for (const { key } of [...short, ...long]) expect(text).toContain(key)
    }
  })
})

test('many orders are searched and filtered', async ({ people, shop }) => {
  const buyer = await people.buyer({ balance: 5_000 })
  const { page } = buyer
  const { keys: short } = await buy(buyer, shop, 'Orbit Arena Pro', '5 Days', 2)
  await buySix(buyer, shop)
  await page.goto('/my-key')
  const orders = page.getByRole('main').getByRole('article')
  await test.step('cards beside each other are equally high, with one key or two, below one that is open', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    const heights = await orders.evaluateAll((cards) => cards.map(({ clientHeight }) => clientHeight))
    expect(new Set(heights.slice(1)).size, heights.join(' ')).toBe(1)
  })
  await test.step('search by name and by key', async () => {
    const search = page.getByLabel('Search keys')
    await search.fill('ember')
    await expect(orders).toHaveCount(6)
    await search.fill(short[0]?.key ?? '')
    await expect(orders).toHaveCount(1)
    await expect(orders).toContainText('Orbit Arena Pro')
    await search.fill('nothing like this')
    await expect(page.getByText('No keys found')).toBeVisible()
    await page.getByRole('button', { name: 'Show all keys' }).click()
    await expect(orders).toHaveCount(7)
  })
  await test.step('filter by status', async () => {
    const status = page.getByRole('group', { name: 'Status' })
    await status.getByRole('button', { name: 'Expiring in 7 days' }).click()
    await expect(orders).toHaveCount(1)
    await expect(orders).toContainText('Orbit Arena Pro')
    await status.getByRole('button', { name: 'Expired' }).click()
    await expect(page.getByText('No keys found')).toBeVisible()
    await status.getByRole('button', { name: 'All' }).click()
    await expect(orders).toHaveCount(7)
  })
})

test('the countdown follows the server, whatever the phone believes, and ends in Expired', async ({ people, shop }) => {
  const buyer = await people.buyer({ balance: 1_000 })
  const { page } = buyer
  await buy(buyer, shop, 'Orbit Arena Pro', '5 Days', 1)
  // The store's own time would stand still, and the page follows it
  await page.route(/\/api\/(?!events)/, async (route) => {
    const response = await route.fetch()
    const { date: _, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
  // A phone that is two days ahead.
  await page.clock.install({ time: Date.now() + 2 * 86_400_000 })
  await page.goto('/my-key')
  const card = page.getByRole('main').getByRole('article')
  await expect(card.getByRole('timer')).toContainText('4 days, 23 hours')
  await page.clock.fastForward('01:00:30')
  await expect(card.getByRole('timer')).toContainText('4 days, 22 hours')
  await page.clock.fastForward(5 * 86_400_000)
  await expect(card.getByText('Expired', { exact: true })).toBeVisible()
  await expect(page.getByText('0 active, 1 expired')).toBeVisible()
  // What is still asked for ends with the page
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('no keys yet leads to the shop; a failure offers Retry', async ({ people }) => {
  const { page } = await people.buyer({ viewport: { width: 1280, height: 800 } })
  await failUntilRetried(page, '**/api/keys/user', { status: 500, json: { message: 'Out for a moment' } })
  // A page that is loaded there brings them along; from another screen they are asked for.
  await page.goto('/terms-policy')
  await page.getByRole('banner').getByRole('link', { name: 'My Key' }).click()
  await expect(page.getByText('Out for a moment')).toBeVisible()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('You have no keys yet')).toBeVisible()
  await page.getByRole('link', { name: 'Buy your first key' }).click()
  await expect(page).toHaveURL(/\/buy$/)
})

test('My Key shows all keys again to who came to the active ones', async ({ people, shop }) => {
  const buyer = await people.buyer({ balance: 5_000 })
  await buySix(buyer, shop)
  const { page } = buyer
  const filter = page.getByRole('group', { name: 'Status' })
  await page.goto('/my-key?show=active')
  await expect(filter.getByRole('button', { name: 'Active', pressed: true })).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Key' }).click()
  await expect(page).toHaveURL(/\/my-key$/)
  await expect(filter.getByRole('button', { name: 'All', pressed: true })).toBeVisible()
})

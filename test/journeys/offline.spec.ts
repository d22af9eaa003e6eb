/** The page for when there is no network, and what its worker keeps: nothing of a person, nothing that grows old. */
import type { Page } from '@playwright/test'
import { expect, PHONE, test } from './people.ts'

test.use({ viewport: PHONE })

/** The worker comes a few seconds after the page, which has better things to do at first. */
async function untilKept(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
}

function keptAddresses(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const found: string[] = []
    for (const name of await caches.keys()) {
      for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname)
    }
    return found.sort()
  })
}

test('without a network a page of the store says so, in its own look, and the store is back with the network', async ({
  people,
}) => {
  const { page, context } = await people.buyer({ balance: 100 })
  const blocked: string[] = []
  page.on('console', (message) => {
    if (/content security/i.test(message.text())) blocked.push(message.text())
  })
  await page.goto('/wallet-history')
  await untilKept(page)

  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
  await expect(page.getByText('Your money and keys are safe')).toBeVisible()
  const target = await page.getByRole('link', { name: 'Try again' }).boundingBox()
  expect(target?.height).toBeGreaterThanOrEqual(44)
  expect(blocked).toEqual([])
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()

  await context.setOffline(false)
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page).toHaveURL(/\/wallet-history$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Wallet History' })).toBeVisible()
})

test('the worker keeps the offline page and nothing else, and holds no new page back', async ({ people, shop }) => {
  const { page } = await people.buyer({ balance: 100 })
  await page.goto('/')
  await untilKept(page)
  for (const path of ['/my-key', '/wallet-history', '/']) {
    await page.goto(path)
    await expect(page.getByRole('main')).not.toContainText('Loading…')
  }
  expect(await keptAddresses(page)).toEqual(['/icon.svg', '/offline.css', '/offline.html'])

  const before = await shop.owner.settings.notice({})
  const text = `Said after the worker came ${Date.now()}`
  await shop.owner.settings.saveNotice({ text })
  await page.reload()
  await expect(page.getByRole('complementary', { name: 'Notice' })).toContainText(text)
  await shop.owner.settings.saveNotice(before)
})

test('the store can be installed: a manifest with icons of every size, which are there', async ({ people }) => {
  const { context } = await people.visitor()
  const manifest = (await (await context.request.get('/manifest.webmanifest')).json()) as {
    name: string
    start_url: string
    display: string
    icons: { src: string; sizes: string; purpose?: string }[]
  }
  expect(manifest).toMatchObject({ start_url: '/', display: 'standalone' })
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']))
  expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true)
  for (const { src } of manifest.icons) expect((await context.request.get(src)).status()).toBe(200)
})

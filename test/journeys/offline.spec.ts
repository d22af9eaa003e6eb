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

  const [asked] = await Promise.all([
    page.waitForRequest((request) => request.isNavigationRequest(), { timeout: 1_000 }),
    context.setOffline(false),
  ])
  expect(new URL(asked.url()).pathname).toBe('/wallet-history')
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
  expect(await keptAddresses(page)).toEqual(['/icon.svg', '/offline.css', '/offline.html', '/offline.js'])

  const before = await shop.owner.settings.notice({})
  const text = `Said after the worker came ${Date.now()}`
  await shop.owner.settings.saveNotice({ text })
  await page.reload()
  await expect(page.getByRole('complementary', { name: 'Notice' })).toContainText(text)
  await shop.owner.settings.saveNotice(before)
})

test('the page for when there is no network has the colour of the store', async ({ people, shop }) => {
  const { accent } = await shop.owner.settings.site({})
  await shop.owner.settings.saveFace({ accent: 'coral' })
  try {
    const { page, context } = await people.buyer({ balance: 100 })
    await page.goto('/')
    await untilKept(page)
    const kept = () => page.evaluate(async () => (await caches.match('/offline.html'))?.text())
    await expect.poll(kept).toContain('coral')
    await context.setOffline(true)
    await page.reload()
    const link = page.getByRole('link', { name: 'Try again' })
    await expect(link).toHaveCSS('background-color', /^rgb\((?:255, 152, 124|157, 56, 31)\)$/)
    await context.setOffline(false)
  } finally {
    await shop.owner.settings.saveFace({ accent })
  }
})

test('what is shown is asked for again within a second of the network’s return', async ({ people }) => {
  const { page, context } = await people.buyer({ balance: 100 })
  await page.goto('/wallet-history')
  await expect(page.getByRole('main')).not.toContainText('Loading…')
  // The screen's own file comes when its link is touched
  const link = page.getByRole('link', { name: 'My Key' }).first()
  await Promise.all([page.waitForResponse(/\/my-key-screen[^/]*\.js$/).then((file) => file.finished()), link.hover()])
  await context.setOffline(true)
  await link.click()
  await expect(page.getByText('Reconnecting…')).toBeVisible()
  // Its tries are used up, or wait for longer than a second
  await page.waitForTimeout(4_000)
  await context.setOffline(false)
  await expect(page.getByText('Reconnecting…')).toBeHidden({ timeout: 1_000 })
  await expect(page.getByRole('heading', { level: 1, name: 'My Key' })).toBeVisible()
  await expect(page.getByText('No keys yet')).toBeVisible({ timeout: 1_000 })
})

interface Manifest {
  start_url: string
  display: string
  icons: { src: string; sizes: string; purpose?: string }[]
}

test('the store can be installed: with icons of every size, or with the logo, each as large as it says', async ({
  people,
  shop,
}) => {
  const { page } = await people.visitor()
  await page.goto('/')
  const iconsOf = async () => {
    const manifest = (await (await page.request.get('/manifest.webmanifest')).json()) as Manifest
    expect(manifest).toMatchObject({ start_url: '/', display: 'standalone' })
    for (const { src, sizes } of manifest.icons) {
      const size = await sizeOf(page, src)
      if (sizes !== 'any') expect(size, src).toBe(sizes)
    }
    return manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)
  }
  const { logo } = await shop.owner.settings.site({})
  const data = (await (await page.request.get(String(logo))).body()).toString('base64')
  expect(await iconsOf()).toEqual(['512x512 any'])

  await shop.owner.pictures.removeOfStore({ place: 'logo' })
  try {
    expect(await iconsOf()).toEqual(expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']))
  } finally {
    await shop.owner.pictures.saveOfStore({ place: 'logo', data })
  }
})

/** Of a picture as the browser draws it. */
function sizeOf(page: Page, src: string): Promise<string> {
  return page.evaluate(async (address) => {
    const picture = new Image()
    picture.src = address
    await picture.decode()
    return `${picture.naturalWidth}x${picture.naturalHeight}`
  }, src)
}

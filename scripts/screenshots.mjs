/**
 * `npm run screenshots`: the pictures of the README and of docs/bank.md, into docs/pictures, from a demo store on a
 * free port. `-- panel stock` takes only these two again.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { logInToDemo, startDemoStore } from './demo-store.ts'
import { findBrowser } from './find-browser.ts'

const FOLDER = path.resolve(import.meta.dirname, '../docs/pictures')
const BYTES_MAX = 60_000
/** The first that makes a picture small enough. */
const WEBP_QUALITIES = [0.85, 0.75, 0.65, 0.55]
const PHONE = { width: 390, height: 844, density: 1.5 }
const DESK = { width: 1280, height: 960, density: 1 }
const CODE = 'Zk3vQ0mYt8s1pR6aLw9xBg'
/** The demo has no HTTPS, which phones are connected over. */
const STUBS = {
  '**/api/bank/devices/pair': {
    device: { _id: '01900000-0000-7000-8000-000000000001', name: 'Counter' },
    token: 'made-up-for-this-picture',
    url: 'https://shop.example/api/bank/alerts',
  },
  '**/api/bank/devices': {
    code: CODE,
    url: `https://shop.example/phone#${CODE}`,
    expiresAt: new Date(Date.now() + 10 * 60_000).toISOString(),
  },
}
const press = (page, name) => page.getByRole('button', { name }).last().click()

const PICTURES = [
  { file: 'buyer.webp', as: 'buyer', page: '/buy?product=Paper+Kingdoms', ...PHONE },
  { file: 'keys.webp', as: 'buyer', page: '/my-key', ...PHONE, scheme: 'light' },
  { file: 'hindi.webp', as: 'buyer', page: '/add-balance', ...PHONE, scheme: 'light', language: 'hi' },
  { file: 'queue.webp', as: 'admin', page: '/admin/payment-manager', ...PHONE },
  { file: 'panel.webp', as: 'admin', page: '/admin', ...DESK },
  { file: 'payments.webp', as: 'admin', page: '/admin/payment-manager', ...DESK, scheme: 'light' },
  { file: 'stock.webp', as: 'admin', page: '/admin/key-manager', ...DESK },
  { file: 'store.webp', as: 'buyer', page: '/', ...DESK, scheme: 'light' },
  {
    file: 'phone-code.webp',
    as: 'admin',
    page: '/admin/settings/bank',
    ...PHONE,
    async act(page) {
      await press(page, 'Connect a phone')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill('Counter')
      for (const box of await dialog.getByRole('checkbox').all()) await box.check()
      await press(page, 'Show the code')
      await dialog.getByRole('img', { name: 'QR code that opens the phone’s page' }).waitFor()
    },
  },
  // Nobody is logged in on the phone
  { file: 'phone-connect.webp', page: `/phone#${CODE}`, ...PHONE },
  {
    file: 'phone-values.webp',
    page: `/phone#${CODE}`,
    ...PHONE,
    async act(page) {
      await press(page, 'Connect')
      await page.getByText('Counter is connected').waitFor()
    },
  },
]

const wanted = process.argv.slice(2)
const isWanted = ({ file }) => wanted.length === 0 || wanted.includes(path.parse(file).name)
/** One session for all pictures of a person, because a buyer has one device. */
const logins = {}
mkdirSync(FOLDER, { recursive: true })
const store = await startDemoStore()
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ['--no-sandbox', '--font-render-hinting=none'],
})
try {
  for (const picture of PICTURES) if (isWanted(picture)) await takePicture(browser, store.url, picture)
} finally {
  await browser.close()
  await store.stop()
}

async function takePicture(
  browser,
  url,
  { file, as, page: where, width, height, density, scheme = 'dark', language = 'en', act },
) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    deviceScaleFactor: density,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    timezoneId: 'Asia/Kolkata',
  })
  const cookies = (as ? (await (logins[as] ??= logInToDemo(url, as))).split('; ') : []).map((pair) => pair.split('='))
  const kept = { theme: scheme, chaabi_language: language, chaabi_panel_language: language }
  await context.addCookies(Object.entries(kept).map(([name, value]) => ({ name, value, url })))
  await context.addCookies(cookies.map(([name, value]) => ({ name, value, url })))
  const page = await context.newPage()
  for (const [url, json] of Object.entries(STUBS))
    await page.route(url, (route) => (route.request().method() === 'POST' ? route.fulfill({ json }) : route.fallback()))
  await page.route('**/api/bank/devices', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...(await response.json()), hasHttps: true } })
  })
  await page.goto(where, { waitUntil: 'networkidle' })
  await page.locator('.skeleton').last().waitFor({ state: 'detached' })
  await act?.(page)
  await page.evaluate(() => document.fonts.ready)
  const webp = await toWebp(context, await page.screenshot({ animations: 'disabled' }))
  if (webp.length > BYTES_MAX) throw new Error(`${file} has ${webp.length} bytes, more than ${BYTES_MAX}`)
  writeFileSync(path.join(FOLDER, file), webp)
  console.log(`${path.join(FOLDER, file)} (${Math.round(webp.length / 1_000)} kB)`)
  await context.close()
}

/** The browser encodes WebP, which its screenshots do not. */
async function toWebp(context, png) {
  const page = await context.newPage()
  const encoded = await page.evaluate(
    async ([source, qualities, bytesMax]) => {
      const image = await createImageBitmap(await (await fetch(source)).blob())
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: image.width, height: image.height })
      canvas.getContext('2d').drawImage(image, 0, 0)
      const urls = qualities.map((quality) => canvas.toDataURL('image/webp', quality))
      // In base64 four letters are three bytes
      return urls.find((each) => each.length * 0.75 <= bytesMax) ?? urls.at(-1)
    },
    [`data:image/png;base64,${png.toString('base64')}`, WEBP_QUALITIES, BYTES_MAX],
  )
  return Buffer.from(encoded.slice(encoded.indexOf(',') + 1), 'base64')
}

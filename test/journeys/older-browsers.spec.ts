/** Phones of some years ago: the whole path of a buyer without what they lack, all at once and each in turn. */
import type { ElementHandle, Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { buyerPath } from './engine-paths.ts'
import { callsOf, expect, gotoDrawn, LONG, PHONE, test, type People } from './people.ts'
import { findInPage, type Tab } from './tab.ts'

test.use({ viewport: PHONE })
test.setTimeout(240_000)

/** Newer than the oldest browser that is served (docs/browsers.md), or close to it. The last are missing in some. */
const MISSING = [
  'AbortSignal.any',
  'AbortSignal.timeout',
  'URL.canParse',
  'URL.parse',
  'Promise.withResolvers',
  'Promise.try',
  'Array.fromAsync',
  'Array.prototype.toReversed',
  'Array.prototype.toSorted',
  'Array.prototype.toSpliced',
  'Array.prototype.with',
  'Object.groupBy',
  'Map.groupBy',
  'Iterator',
  'Set.prototype.union',
  'Set.prototype.difference',
  'String.prototype.isWellFormed',
  'Error.captureStackTrace',
  'Intl.DurationFormat',
  'Intl.Segmenter',
  'scheduler',
  'requestIdleCallback',
  'CompressionStream',
  'DecompressionStream',
  'Notification',
  'PushManager',
  'trustedTypes',
  'navigation',
  'Document.prototype.startViewTransition',
  'HTMLElement.prototype.showPopover',
  'HTMLElement.prototype.hidePopover',
  'HTMLElement.prototype.popover',
  'HTMLElement.prototype.inert',
  'HTMLDialogElement.prototype.requestClose',
  'Navigator.prototype.share',
  'Navigator.prototype.canShare',
  'Navigator.prototype.setAppBadge',
  'Navigator.prototype.clearAppBadge',
  'Navigator.prototype.connection',
  'Navigator.prototype.clipboard',
  'Navigator.prototype.serviceWorker',
  'Navigator.prototype.vibrate',
  'selectors',
] as const

/** Takes them away before any script of the page runs. */
function takeAway(names: readonly string[]): void {
  for (const name of names) {
    if (name === 'selectors') {
      for (const holder of [Document.prototype, Element.prototype])
        for (const call of ['querySelector', 'querySelectorAll', 'matches', 'closest']) {
          const own = Reflect.get(holder, call) as ((selector: string) => unknown) | undefined
          if (!own) continue
          Reflect.set(holder, call, function (this: unknown, selector: string) {
            if (/:(modal|has|open|popover-open|user-invalid)\b/.test(selector))
              throw new DOMException(selector, 'SyntaxError')
            return own.call(this, selector)
          })
        }
      continue
    }
    const way = name.split('.')
    const last = way.pop() ?? ''
    const holder = way.reduce<object | undefined>((at, part) => Reflect.get(at ?? {}, part) as object, globalThis)
    if (holder) Reflect.deleteProperty(holder, last)
  }
}

const tabOf = (page: Page): Tab => ({
  goto: async (url) => void (await page.goto(url)),
  run: (work, ...args) => page.evaluate(`(${String(work)})(...${JSON.stringify(args)})`),
  async find(...wanted) {
    const found = await page.evaluateHandle(`(${String(findInPage)})(...${JSON.stringify(wanted)})`)
    const element = found.asElement() as ElementHandle<HTMLElement> | null
    return (
      (element && {
        press: () => element.click({ timeout: 3_000 }),
        fill: (text: string) => element.fill(text, { timeout: 3_000 }),
      }) ??
      undefined
    )
  },
  key: (name) => page.keyboard.press(name),
  picture: () => page.screenshot(),
})

/** Draws a page as an engine does that knows neither layers nor our scripts. */
async function openUnlayered(people: People, path: string): Promise<Page> {
  const { page, context } = await people.buyer({ balance: 500, javaScriptEnabled: false, viewport: PHONE })
  const calls = callsOf(context.request)
  const product = (await calls.catalogue.list({})).find(({ name }) => name === 'Skyforge Season Pass')
  await calls.orders.place(
    { productId: product?._id ?? '', duration: '10 Days', quantity: 1 },
    { idempotencyKey: randomUUID() },
  )
  await page.route('**/*.css', (route) => route.abort())
  await page.route(`**${path}`, async (route) => {
    const answer = await route.fetch()
    const headers = { ...answer.headers(), 'content-security-policy': '' }
    await route.fulfill({ headers, body: (await answer.text()).replaceAll('@layer', '@unknown') })
  })
  await gotoDrawn(page, path)
  return page
}

test('an engine that is too old says so in both languages, and shows the keys', async ({ people }) => {
  const page = await openUnlayered(people, '/my-key')
  await expect(page.getByText('This browser is too old for this store.')).toBeVisible()
  await expect(page.getByText('यह ब्राउज़र इस स्टोर के लिए बहुत पुराना है।')).toBeVisible()
  await expect(page.getByText('Skyforge Season Pass').first()).toBeVisible()
  await expect(page.locator('code').first()).toHaveText(/\w{4}-\w{4}/)
})

test('a newer one says nothing of it', async ({ people }) => {
  const { page } = await people.visitor({ viewport: PHONE })
  for (const path of ['/', '/login', '/nowhere']) {
    await page.goto(path)
    await expect(page.getByText('This browser is too old')).toBeHidden()
  }
})

async function openWithout(people: People, names: readonly string[]): Promise<Page> {
  const { page } = await people.visitor({ viewport: PHONE })
  await page.addInitScript(takeAway, names)
  await page.context().grantPermissions(['clipboard-write'])
  return page
}

test('a buyer signs up, pays, buys and finds the key where all of it is missing', async ({ people, shop }) => {
  const page = await openWithout(people, MISSING)
  const blamed: string[] = []
  page.on('response', (answer) => answer.status() >= 500 && blamed.push(answer.url()))
  await buyerPath(tabOf(page), shop)
  await expect(page.getByText('Reconnecting')).toHaveCount(0)
  expect(blamed).toEqual([])
})

for (const name of MISSING)
  test(`a buyer’s whole path holds without ${name}`, LONG, async ({ people, shop }) => {
    await buyerPath(tabOf(await openWithout(people, [name])), shop)
  })

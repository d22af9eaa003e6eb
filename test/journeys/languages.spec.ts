/**
 * The store in Hindi: chosen by a plain link, drawn by the server, and kept on the account. In a made-up language every
 * text is marked, so that one that nobody could translate stands out; each is a third longer, too.
 */
import type { BrowserContext, Page } from '@playwright/test'
import { AxeBuilder } from '@axe-core/playwright'
import { drawnFor, screensOf } from '../screens.ts'
import { guardDialogs, panelDialogs, storeDialogs } from './engine-dialogs.ts'
import { sideways } from './fit.ts'
import { CODE, collectData, NAME, speakMarked, tabOf, unmarked, untilFilled, untilMarked } from './marked-words.ts'
import {
  callsOf,
  DEMO_PASSWORD,
  expect,
  gotoDrawn,
  LONG,
  PASSWORD,
  PHONE,
  stopTransitions,
  test,
  type Person,
  type Shop,
} from './people.ts'
import { waitUntilAlive } from './store.ts'
import { ADMIN, BUYER, NEWCOMER, VISITOR, type View } from './views.ts'

test('of 1,000 interleaved requests in both languages none is answered in the other', async ({ shop }) => {
  const wanted = { en: 'Login', [CODE]: 'लॉगिन' }
  const ask = async (at: number) => {
    const language = at % 2 === 0 ? 'en' : CODE
    const path = ['/', '/login', '/signup', '/terms-policy'][(at % 7) % 4] ?? '/'
    const answer = await fetch(shop.url + path, {
      headers: { cookie: `chaabi_language=${language}`, 'accept-encoding': at % 3 === 0 ? 'gzip' : 'br' },
    })
    const html = await answer.text()
    const drawn = /<div id="root">(.*)<\/div>\s*<script type="application/s.exec(html)?.[1] ?? ''
    expect(html).toContain(`<html lang="${language}"`)
    // Beyond its share of time the store leaves drawing to the browser
    if (drawn !== '') {
      const other = language === 'en' ? CODE : 'en'
      expect(drawn).toContain(wanted[language as 'en'])
      expect(drawn).not.toContain(`>${wanted[other as 'en']}<`)
    }
    return drawn !== ''
  }
  let drawn = 0
  for (let at = 0; at < 1_000; at += 20)
    drawn += (await Promise.all(Array.from({ length: 20 }, (_, each) => ask(at + each)))).filter(Boolean).length
  expect(drawn).toBeGreaterThan(900)
})

/** Opens a page, and collects what its console has to say. */
function watched(page: Page): string[] {
  const faults: string[] = []
  page.on('console', (said) => said.type() === 'error' && faults.push(said.text()))
  page.on('pageerror', (error) => faults.push(String(error)))
  return faults
}

test('a plain link in the footer turns the page into Hindi and back, also without scripts', async ({
  browser,
  shop,
}) => {
  const context = await browser.newContext({ baseURL: shop.url, viewport: PHONE, javaScriptEnabled: false })
  const page = await context.newPage()
  await gotoDrawn(page, '/login?next=%2Fbuy')
  await page.getByRole('link', { name: NAME }).click()
  expect(new URL(page.url()).search).toBe('?next=%2Fbuy')
  await expect(page.locator('html')).toHaveAttribute('lang', CODE)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('लॉगिन करें')
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('lang', CODE)
  await page.getByRole('contentinfo').getByRole('link', { name: 'English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await context.close()
})

test('every page that is drawn in Hindi comes alive without a fault', async ({ people, shop, browser }) => {
  const look = async (page: Page, paths: readonly string[]) => {
    const faults = watched(page)
    for (const path of paths) {
      await page.goto(path)
      await expect(page.locator('html')).toHaveAttribute('lang', CODE)
      await expect(page.locator('#root')).toContainText(/\p{Script=Devanagari}/u)
    }
    expect(faults).toEqual([])
  }
  const { page, context } = await people.visitor({ viewport: PHONE })
  await page.goto(`/?language=${CODE}`)
  await look(page, drawnFor('visitor'))
  await callsOf(context.request).sessions.login({ username: 'diya', password: DEMO_PASSWORD })
  await look(page, [...drawnFor('buyer'), '/buy?product=Hexfall+Tactics', '/wallet-history#requests', '/account'])
  await callsOf(context.request).sessions.logout({})

  const storageState = await shop.ownerRequest.storageState()
  const owner = await browser.newContext({ baseURL: shop.url, storageState, viewport: PHONE })
  await owner.addCookies([{ name: 'chaabi_panel_language', value: CODE, url: shop.url }])
  const panel = await owner.newPage()
  waitUntilAlive(panel)
  await look(panel, drawnFor('admin'))
  await owner.close()
})

test('a message and its button are read out as two sentences, ended as in Hindi', async ({ people, shop }) => {
  const { page, context, calls } = await people.buyer({ balance: 500 })
  const [product] = (await calls.catalogue.list({})).filter(({ available }) => available > 0)
  const duration = product?.prices.find(({ available }) => available > 0)?.duration ?? ''
  await calls.orders.place({ productId: product?._id ?? '', duration, quantity: 1 })
  await speakHindi(context, shop)
  await page.route(/assets\/report-dialog/, (route) => route.abort())
  await page.goto('/my-key')
  await page.getByRole('button', { name: 'इस key में दिक्कत?' }).click()
  await expect(page.locator('#root > [role=status]')).toHaveText(/। फिर कोशिश करें$/)
})

test('the choice goes to the account at login, and follows it to another browser', async ({ people }) => {
  const { username } = await people.account()
  const logIn = async (page: Page, [name, password, button]: readonly [string, string, string]) => {
    await page.getByLabel(name).fill(username)
    await page.getByLabel(password, { exact: true }).fill(PASSWORD)
    await page.locator('form').getByRole('button', { name: button, exact: true }).click()
  }
  const first = await people.visitor({ viewport: PHONE })
  await first.page.goto(`/login?language=${CODE}`)
  await first.page.locator('form').getByRole('button', { name: 'लॉगिन करें' }).waitFor()
  await logIn(first.page, ['यूज़रनेम', 'पासवर्ड', 'लॉगिन करें'])
  await first.page.waitForURL('/')
  expect(await callsOf(first.context.request).sessions.me({})).toMatchObject({ language: CODE })
  await callsOf(first.context.request).sessions.logout({})

  const other = await people.visitor({ viewport: PHONE })
  await other.page.goto('/login')
  await logIn(other.page, ['Username', 'Password', 'Login'])
  await expect(other.page.locator('html')).toHaveAttribute('lang', CODE)
  await expect(other.page.getByRole('heading', { level: 1 })).toHaveText(/\p{Script=Devanagari}/u)
})

const FEW = ['visitor dashboard', 'login', 'dashboard', 'buy', 'add money', 'account, waiting']
/** A phone of 320 px, whose pages come from the store. */
const NARROW = {
  viewport: { width: 320, height: 640 },
  reducedMotion: 'reduce',
  serviceWorkers: 'block',
} as const

const speakHindi = (context: BrowserContext, { url }: Shop) =>
  context.addCookies(['chaabi_language', 'chaabi_panel_language'].map((name) => ({ name, value: CODE, url })))

/** Opens each view in the made-up language. */
async function lookAtAll(context: BrowserContext, views: readonly View[]): Promise<void> {
  for (const { name, path, prepare } of views)
    await test.step(name, async () => {
      const page = await context.newPage()
      await speakMarked(page)
      const data = collectData(page)
      await page.goto(path)
      await untilMarked(page)
      // One state that can't be reached is no reason to look at no other
      await prepare?.(page).catch((error: unknown) => expect.soft(error, name).toBeUndefined())
      if (!name.endsWith('loading')) await untilFilled(page)
      expect.soft(await unmarked(tabOf(page), data), name).toEqual([])
      expect.soft(await sideways(page), name).toEqual([])
      await page.close()
    })
}

for (const [which, tag] of [
  ['a few screens', {}],
  ['every screen', LONG],
] as const) {
  const chosen = (views: readonly View[]) => (tag === LONG ? views : views.filter(({ name }) => FEW.includes(name)))

  test(
    `in a made-up language ${which} of buyers: every text is marked, and none is wider than 320 px`,
    tag,
    async ({ people, shop }) => {
      test.setTimeout(tag === LONG ? 600_000 : 90_000)
      const visitor = await people.visitor(NARROW)
      const buyer = await people.visitor(NARROW)
      await callsOf(buyer.context.request).sessions.login({ username: 'aarav', password: DEMO_PASSWORD })
      const newcomer = await people.buyer({ ...NARROW, balance: 50 })
      for (const [{ context }, views] of [
        [visitor, VISITOR],
        [buyer, BUYER],
        [newcomer, NEWCOMER],
      ] as const) {
        await speakHindi(context, shop)
        await lookAtAll(context, chosen(views))
      }
      await callsOf(buyer.context.request).sessions.logout({})
    },
  )
}

/** A page in the made-up language, in which dialogs are opened one after the other. */
async function openMarked({ page, context }: Person, shop: Shop) {
  await speakHindi(context, shop)
  await speakMarked(page)
  const data = collectData(page)
  // What the walk itself types, and the phone that it makes up
  for (const word of ['Counter', ...PASSWORD.split(' ')]) data.words.add(word)
  const tab = tabOf(page)
  const look = async () => [...(await unmarked(tab, data)), ...(await sideways(page))]
  return { tab, look }
}

test('in a made-up language every dialog of buyers is marked and in reach', LONG, async ({ people, shop }) => {
  test.setTimeout(300_000)
  const { tab, look } = await openMarked(await people.visitor(NARROW), shop)
  await storeDialogs(tab, { shop, people, look })
})

test(
  'in a made-up language every screen of the panel is marked, whatever the store’s is',
  LONG,
  async ({ browser, shop }) => {
    test.setTimeout(600_000)
    const storageState = await shop.ownerRequest.storageState()
    const owner = await browser.newContext({ baseURL: shop.url, storageState, ...NARROW })
    await owner.addCookies([{ name: 'chaabi_panel_language', value: CODE, url: shop.url }])
    await lookAtAll(owner, ADMIN)
    const page = await owner.newPage()
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await owner.close()
  },
)

test('in a made-up language every dialog of the panel is marked and in reach', LONG, async ({ people, shop }) => {
  test.setTimeout(600_000)
  try {
    const owner = await openMarked(await people.visitor(NARROW), shop)
    await panelDialogs(owner.tab, { shop, people, look: owner.look })
    const guarded = await openMarked(await people.visitor(NARROW), shop)
    await guardDialogs(guarded.tab, { shop, people, look: guarded.look })
  } finally {
    await shop.ownerRequest.get('/admin?language=en')
  }
})

for (const theme of ['dark', 'light'] as const)
  test(
    `axe finds nothing on buyers’ screens in Hindi, ${theme}, and none is wider than 320 px`,
    LONG,
    async ({ people, shop }) => {
      test.setTimeout(300_000)
      const { page, context } = await people.visitor({ viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' })
      await context.addCookies([
        { name: 'chaabi_language', value: CODE, url: shop.url },
        { name: 'theme', value: theme, url: shop.url },
      ])
      const look = async (path: string) => {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 }).first()).toHaveText(/\p{Script=Devanagari}/u)
        await page.evaluate(stopTransitions)
        const { violations } = await new AxeBuilder({ page }).analyze()
        expect
          .soft(
            violations.map(({ id, nodes }) => [id, nodes[0]?.html]),
            path,
          )
          .toEqual([])
        expect.soft(await sideways(page), path).toEqual([])
      }
      for (const path of screensOf('anyone')) if (path !== '/admin-login') await look(path)
      await callsOf(context.request).sessions.login({ username: 'kabir', password: DEMO_PASSWORD })
      for (const path of ['/' as const, ...screensOf('buyer')]) await look(path)
      await callsOf(context.request).sessions.logout({})
    },
  )

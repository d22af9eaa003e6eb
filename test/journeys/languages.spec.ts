/**
 * The store in Hindi: chosen by a plain link, drawn by the server, and kept on the account. In a made-up language every
 * text is marked, so that one that nobody could translate stands out; each is a third longer, too.
 */
import type { Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { LANGUAGES } from '../../contract/languages.ts'
import { AxeBuilder } from '@axe-core/playwright'
import { screensOf } from '../screens.ts'
import { sideways } from './fit.ts'
import { callsOf, DEMO_PASSWORD, expect, LONG, PASSWORD, PHONE, stopTransitions, test } from './people.ts'
import { ADMIN, BUYER, NEWCOMER, VISITOR, type View } from './views.ts'

const [, [CODE, NAME]] = Object.entries(LANGUAGES) as [string, string][] & [unknown, [string, string]]

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
  await page.goto('/login?next=%2Fbuy')
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

test('pages in Hindi are alive without a fault, and lead on in Hindi', async ({ people }) => {
  const { page, context } = await people.visitor({ viewport: PHONE })
  const faults = watched(page)
  await page.goto(`/?language=${CODE}`)
  for (const path of ['/', '/login', '/signup', '/terms-policy']) {
    await page.goto(path)
    await expect(page.locator('html')).toHaveAttribute('lang', CODE)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/\p{Script=Devanagari}/u)
  }
  await callsOf(context.request).sessions.login({ username: 'diya', password: DEMO_PASSWORD })
  for (const path of ['/', '/buy', '/my-key', '/wallet-history', '/add-balance', '/account']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/\p{Script=Devanagari}/u)
  }
  await callsOf(context.request).sessions.logout({})
  expect(faults).toEqual([])
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

const MARKED = Object.keys(
  Object.assign({}, ...['', '-terms', '-panel'].map((part) => catalogue(part))) as Record<string, string>,
).map((id) => [id, `⟦${id.split('¦')[0]} ${'~'.repeat(Math.ceil(id.length * 0.3))}⟧`])

function catalogue(part: string): unknown {
  return JSON.parse(readFileSync(`web/words/${CODE}${part}.json`, 'utf8'))
}

/**
 * Answers with every text marked where the page asks for the words of its language. The server's drawing, which has no
 * marks, is left out.
 */
async function speakMarked(page: Page): Promise<void> {
  const body = `export default ${JSON.stringify(Object.fromEntries(MARKED))}`
  await page.route(new RegExp(`/assets/${CODE}(-[a-z]+)?-[^/]+\\.js$`), (route) =>
    route.fulfill({ contentType: 'text/javascript', body }),
  )
  await page.route(
    (url) => !/^\/(?:api|assets)\/|\.\w+$/.test(url.pathname),
    async (route) => {
      const response = await route.fetch({ maxRedirects: 0 })
      const html = await response.text()
      const undrawn = html
        .replace(/<template id="scripts">([^]*?)<\/template>/, '$1')
        .replace(/(<div id="root">)[^]*(<\/div>\s*<script type="application\/json" id="boot">)/, '$1$2')
        .replace(/<script>\s*\{\s*const start = [^]*?<\/script>/, '')
      await route.fulfill({ response, body: undrawn })
    },
  )
}

/** Words that are names everywhere, and the note of a payment, which banks read. */
const NAMES = [
  'Wallet',
  'Recharge',
  'IST',
  'Chaabi',
  'English',
  'UPI',
  'UTR',
  'QR',
  'Days',
  'Day',
  'Month',
  'Months',
  'Year',
  'Years',
  'Week',
  'GMT',
]

/** Collects each word of what the store answers and the page begins with. Those are people's and products'. */
function collectData(page: Page): { words: Set<string> } {
  const words = new Set(NAMES)
  const add = (text: string) => {
    for (const word of text.match(/[A-Za-z]{2,}/g) ?? []) words.add(word)
  }
  page.on('response', async (response) => {
    if (/\/api\//.test(response.url())) add(await response.text().catch(() => ''))
    else if (response.request().isNavigationRequest()) {
      const html = await response.text().catch(() => '')
      add(/id="boot">(.*?)<\/script>/s.exec(html)?.[1] ?? '')
    }
  })
  return { words }
}

/** @returns words on the page, and in what it says to screen readers, that are in no mark and in no data */
async function unmarked(page: Page, { words }: { words: Set<string> }): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = []
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const { parentElement: parent } = node
      // What stands in a field was typed, and what is quoted is another program's
      if (!parent || parent.closest('script, style, noscript, template, textarea, [translate=no], [lang=en]')) continue
      if (parent.checkVisibility()) found.push(node.nodeValue ?? '')
    }
    for (const each of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        const text = each.getAttribute(name)
        if (text) found.push(text)
      }
    return [...new Set(found)]
  })
  return texts.flatMap((text) => {
    let bare = text
    for (let before = ''; before !== bare;) [before, bare] = [bare, bare.replaceAll(/⟦[^⟦⟧]*⟧/g, ' ')]
    // Of a text with a link in it, each piece has one end of the mark
    bare = bare.replace(/⟦[^⟦⟧]*$|^[^⟦⟧]*⟧/g, ' ')
    const left = (bare.match(/[A-Za-z]{3,}/g) ?? []).filter((word) => !words.has(word) && !/^https?$/.test(word))
    return left.length > 0 ? [`${left.join(' ')} in “${text.slice(0, 120)}”`] : []
  })
}

const FEW = ['visitor dashboard', 'login', 'dashboard', 'buy', 'add money', 'account']

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
      const options = { viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' } as const
      const visitor = await people.visitor(options)
      const buyer = await people.visitor(options)
      await callsOf(buyer.context.request).sessions.login({ username: 'kabir', password: DEMO_PASSWORD })
      const newcomer = await people.buyer({ ...options, balance: 50 })
      for (const [{ context }, views] of [
        [visitor, VISITOR],
        [buyer, BUYER],
        [newcomer, NEWCOMER],
      ] as const) {
        await context.addCookies([{ name: 'chaabi_language', value: CODE, url: shop.url }])
        for (const { name, path, prepare } of chosen(views)) {
          const page = await context.newPage()
          await speakMarked(page)
          const data = collectData(page)
          await page.goto(path)
          await expect(page.getByText('⟦').first()).toBeAttached()
          // Some of the ways read whole texts, which the marks change. Their screens are looked at without them.
          await prepare?.(page).catch(() => undefined)
          expect.soft(await unmarked(page, data), name).toEqual([])
          expect.soft(await sideways(page), name).toEqual([])
          await page.close()
        }
      }
      await callsOf(buyer.context.request).sessions.logout({})
    },
  )
}

test('the panel in Hindi is in the admin’s language, whatever the store’s is', LONG, async ({ shop, browser }) => {
  test.setTimeout(600_000)
  const storageState = await shop.ownerRequest.storageState()
  const owner = await browser.newContext({ baseURL: shop.url, storageState, viewport: PHONE })
  await owner.addCookies([{ name: 'chaabi_panel_language', value: CODE, url: shop.url }])
  for (const { name, path } of ADMIN) {
    const page = await owner.newPage()
    await speakMarked(page)
    const data = collectData(page)
    await page.goto(path)
    await expect(page.getByText('⟦').first()).toBeAttached()
    await page.waitForLoadState('networkidle')
    expect.soft(await unmarked(page, data), name).toEqual([])
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await page.close()
  }
  await owner.close()
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

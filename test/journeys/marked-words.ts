/**
 * A made-up language: English in which every text is marked, so that one that nobody could translate stands out, and a
 * third longer. The marks can't be seen, and names are found as in English: Playwright and tab.ts leave them out.
 * Or the language itself, in which every text carries its English unseen, so that a walk finds names as in English.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { LANGUAGES } from '../../contract/languages.ts'
import { findInPage, type Tab } from './tab.ts'

/** The language that is replaced by the marked words. */
export const [, [CODE, NAME]] = Object.entries(LANGUAGES) as [string, string][] & [unknown, [string, string]]

const [BEGINS, ENDS] = ['\u200b', '\u00ad']

function catalogue(part: string): Record<string, string> {
  return JSON.parse(readFileSync(`web/words/${CODE}${part}.json`, 'utf8')) as Record<string, string>
}

const PARTS = ['', '-terms', '-panel', '-renewals', '-invites', '-fetch']
const ENTRIES = PARTS.flatMap((part) => Object.entries(catalogue(part))).map(
  ([id, said]) => [id, id.split('¦')[0] ?? '', said] as const,
)
const MARKED = ENTRIES.map(([id, text]) => [
  id,
  `${BEGINS}${text} ${'\u00a0 '.repeat(Math.ceil(text.length * 0.3))}${ENDS}`,
])
/** Signs without a shape: before the text, before its English, and after it. */
const [SAID, ENGLISH, OVER] = ['\u2061', '\u2062', '\u2063']
const CARRYING = ENTRIES.map(([id, text, said]) => [id, SAID + said + ENGLISH + unseen(text) + OVER])

/** In tags, which have no shape, but for what values are put into. */
function unseen(text: string): string {
  let depth = 0
  return Array.from(text)
    .map((letter) => {
      if (letter === '{') depth += 1
      if (letter === '}') depth -= 1
      if ('{}#'.includes(letter) || depth % 2 === 1) return letter
      return encodeURIComponent(letter).replaceAll(/./g, (each) => String.fromCodePoint(0xe_00_00 + each.charCodeAt(0)))
    })
    .join('')
}

/** Runs in the page, before its scripts: texts and names are read in the English that they carry. */
function readEnglish(): void {
  const carried = /\u2061[^\u2061-\u2063]*\u2062([^\u2061-\u2063]*)\u2063/g
  const englishOf = (text: string | null): string | null => {
    let bare = text
    for (let before: typeof text = null; bare && before !== bare;) [before, bare] = [bare, bare.replace(carried, '$1')]
    return (
      bare &&
      bare.replaceAll(/[\u{E0021}-\u{E007E}]+/gu, (tags) =>
        decodeURIComponent(
          Array.from(tags, (each) => String.fromCharCode((each.codePointAt(0) ?? 0) - 0xe_00_00)).join(''),
        ),
      )
    )
  }
  const content = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent')
  Object.defineProperty(Node.prototype, 'textContent', {
    ...content,
    get(this: Node) {
      return englishOf(content?.get?.call(this) as string | null)
    },
  })
  const read = Element.prototype.getAttribute
  Element.prototype.getAttribute = function getAttribute(name) {
    return englishOf(read.call(this, name))
  }
}

/**
 * Answers with every text marked where the page asks for the words of its language. The server's drawing, which has no
 * marks, is left out. The service worker would ask for pages itself: block it in the page's context.
 */
export const speakMarked = (page: Page): Promise<void> => speak(page, MARKED)

/** The same in the language itself. */
export async function speakCarrying(page: Page): Promise<void> {
  await page.addInitScript(readEnglish)
  await speak(page, CARRYING)
}

async function speak(page: Page, words: (readonly string[])[]): Promise<void> {
  const body = `export default ${JSON.stringify(Object.fromEntries(words))}`
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

/** Waits until the page shows a marked text. */
export const untilMarked = (page: Page) =>
  page.waitForFunction((mark) => document.getElementById('root')?.textContent.includes(mark), BEGINS)

/** Waits until every part of the page has its data. */
export const untilFilled = (page: Page) =>
  page.waitForFunction(() => [...document.querySelectorAll('.skeleton')].every((each) => !each.checkVisibility()))

/** Words that are names everywhere, and the note of a payment, which banks read. */
const NAMES = ['Wallet', 'Recharge', 'IST', 'Chaabi', 'English', 'UPI', 'UTR', 'QR', 'GMT']
/** What the store says in sentences, which screens must not show as they come. */
const SENTENCES = new Set(['message', 'warnings', 'broken', 'says', 'error'])

export interface Data {
  /** Each word of people's and products' texts. */
  words: Set<string>
}

/** Collects each word of what the store answers and the page begins with. */
export function collectData(page: Page): Data {
  const words = new Set(NAMES)
  const add = (value: unknown): void => {
    if (typeof value === 'string') for (const word of value.match(/[A-Za-z]{2,}/g) ?? []) words.add(word)
    if (typeof value !== 'object' || value === null) return
    for (const [key, each] of Object.entries(value)) if (!SENTENCES.has(key)) add(each)
  }
  page.on('response', async (response) => {
    const type = response.headers()['content-type'] ?? ''
    const isPage = response.request().isNavigationRequest()
    if (!isPage && !(response.url().includes('/api/') && type.includes('json'))) return
    // The page may be gone by then
    const text = await response.text().catch(() => '')
    const json = isPage ? /id="boot">(.*?)<\/script>/s.exec(text)?.[1] : text
    if (json) add(JSON.parse(json))
  })
  return { words }
}

const TRIES = 10
const PAUSE_MS = 200

/** @returns texts on the page, and in what it says to screen readers, with words that are in no mark and in no data */
export async function unmarked(tab: Pick<Tab, 'run'>, data: Data): Promise<string[]> {
  for (let tries = 1; ; tries++) {
    const found = unmarkedIn(await tab.run(textsInPage), data)
    // The page may show an answer before it is read here
    if (found.length === 0 || tries === TRIES) return found
    await sleep(PAUSE_MS)
  }
}

function unmarkedIn(texts: string[], { words }: Data): string[] {
  return texts.flatMap((text) => {
    let bare = text
    for (let before = ''; before !== bare;)
      [before, bare] = [bare, bare.replaceAll(/\u200b[^\u200b\u00ad]*\u00ad/g, ' ')]
    // Of a text with a link in it, each piece has one end of the mark
    bare = bare.replace(/\u200b[^\u200b\u00ad]*$|^[^\u200b\u00ad]*\u00ad/g, ' ')
    bare = bare.replaceAll(/https?:\/\/\S*|…[\da-f]{8}\b/g, ' ')
    const left = (bare.match(/[A-Za-z]{3,}/g) ?? []).filter((word) => !words.has(word))
    left.push(...(bare.match(/\b\d+ (?:Hour|Day|Week|Month|Year)s?\b/g) ?? []))
    // A sentence ends with its own stop: that of Hindi is another
    if (/(?<!\S)\.(?!\S)/.test(bare)) left.push('a stop')
    return left.length > 0 ? [`${left.join(' ')} in “${text.slice(0, 120)}”`] : []
  })
}

function textsInPage(): string[] {
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
}

/** The page as the list of dialogs is walked in it. */
export function tabOf(page: Page): Tab {
  const call = (work: (...given: never[]) => unknown, given: readonly unknown[]) =>
    `(${work.toString()})(${given.map((each) => JSON.stringify(each) ?? 'undefined').join(', ')})`
  return {
    goto: async (url) => void (await page.goto(url)),
    run: (work, ...given) => page.evaluate<never>(call(work, given)),
    async find(...wanted) {
      const element = (await page.evaluateHandle<HTMLElement | null>(call(findInPage, wanted))).asElement()
      return element
        ? { press: () => element.click({ timeout: 2_000 }), fill: (text) => element.fill(text) }
        : undefined
    },
    key: (name) => page.keyboard.press(name),
    picture: () => page.screenshot(),
  }
}

/**
 * Uses a control of a drawn page twice, after its scripts have come and before, and compares what comes of it. No write
 * reaches the store, so both begin alike.
 */
import type { BrowserContext, Page, Request } from '@playwright/test'
import { gotoDrawn, holdScripts } from './people.ts'

/** All that takes a press or text. A link leads on without a script, unless it is held for one. */
const CONTROLS = 'button, summary, input, select, textarea, a[data-held]'
/** What people may take for a control. */
const LIKE_CONTROLS = '[role=button], [role=switch], [role=tab], [role=menuitem], [role=option], [draggable=true]'
const REST_MS = 500
const PATIENCE_MS = 10_000
const LATER_MS = 2_000
/** What is typed, by the field's type. */
const TYPED: Record<string, string> = {
  number: '3',
  date: '2026-01-05',
  time: '09:30',
  email: 'early@example.com',
}

export interface Control {
  /** Tells it from the others of its page. */
  what: string
  /** Its place among controls of that name. The place changes as the page comes alive. */
  nth: number
  /** True for a control of the frame, which is the same around every screen. */
  isOfFrame: boolean
}

/** The outcome of a press: what a person sees, and what the store was asked to do. */
interface Outcome {
  shown: string
  done: string[]
}

export interface EarlyWalk {
  /** The controls of a page that can be used as it is drawn: of rows that are alike, those of one. */
  controls(path: string): Promise<Control[]>
  /** @returns what is wrong with it, if anything */
  faults(path: string, control: Control): Promise<string[]>
}

/** Each page begins with the same cookies, and with nothing kept in the browser. */
export async function earlyWalk(context: BrowserContext): Promise<EarlyWalk> {
  const cookies = await context.cookies()
  const open = async () => {
    await context.clearCookies()
    await context.addCookies(cookies)
    const page = await context.newPage()
    return { page, done: await noteAll(page) }
  }

  /** @returns undefined if nothing came of it */
  const useLate = async (path: string, control: Control): Promise<Outcome | undefined> => {
    const { page, done } = await open()
    const asked = countAsked(page)
    await page.goto(path)
    await page.waitForFunction(isAlive)
    const before = await atRest(page, asked)
    await use(page, control)
    const shown = await atRest(page, asked)
    await close(page)
    return shown === before && done.length === 0 ? undefined : { shown, done }
  }

  /** @returns what came of it, as soon as that is what is expected */
  const useEarly = async (path: string, control: Control, expected: Outcome): Promise<Outcome> => {
    const { page, done } = await open()
    const release = await holdScripts(page)
    await gotoDrawn(page, path)
    await use(page, control)
    release()
    await page.waitForFunction(isAlive)
    const end = Date.now() + PATIENCE_MS
    let shown = await shownBy(page)
    while (!isSame({ shown, done }, expected) && Date.now() < end) {
      await page.waitForTimeout(50)
      shown = await shownBy(page)
    }
    // Nor is it done again
    await page.waitForTimeout(REST_MS)
    await close(page)
    return { shown, done }
  }

  return {
    async controls(path) {
      const { page } = await open()
      await holdScripts(page)
      await gotoDrawn(page, path)
      const controls = await controlsIn(page)
      await close(page)
      return controls
    },
    async faults(path, control) {
      const late = await useLate(path, control)
      if (!late) return [`${control.what} does nothing`]
      const early = await useEarly(path, control, late)
      return isSame(early, late) ? [] : [`${control.what}\n${difference(early, late)}`]
    },
  }
}

/** @returns what looks like a control, although index.html does not hear it */
export const strangeControls = (page: Page): Promise<string[]> =>
  page.evaluate(
    ([known = '', alike = '']) =>
      [...document.querySelectorAll(alike)]
        .filter((each) => !each.matches(`${known}, a[href]`) && each.checkVisibility())
        .map((each) => each.outerHTML.slice(0, 120)),
    [CONTROLS, LIKE_CONTROLS],
  )

/**
 * Keeps writes from the store, and files that leave an entry in the audit log. Keeps a page from what it does later or
 * when it is left.
 *
 * @returns the writes and the like, in any order
 */
async function noteAll(page: Page): Promise<string[]> {
  const done: string[] = []
  await page.addInitScript((late) => {
    const wait = window.setTimeout.bind(window)
    const hold = (work: () => void, ms = 0) => (ms >= late ? 0 : wait(work, ms))
    Object.assign(window, { setTimeout: hold })
    for (const leaving of ['pagehide', 'visibilitychange'])
      window.addEventListener(leaving, (event) => event.stopImmediatePropagation(), true)
  }, LATER_MS)
  page.on('download', () => done.push('a file'))
  page.on('filechooser', () => done.push('a choice of files'))
  page.on('popup', (tab) => {
    done.push('a new tab')
    void tab.close()
  })
  await page.route('**/api/**', (route) => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    if (request.method() === 'GET' && !pathname.endsWith('/export')) return route.fallback()
    done.push(`${request.method()} ${pathname}`)
    return route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'Not in this test.' } })
  })
  return done
}

const controlsIn = (page: Page): Promise<Control[]> => page.locator(CONTROLS).evaluateAll(namedControls)

async function close(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.clear()).catch(() => undefined)
  await page.close()
}

async function use(page: Page, { what }: Control): Promise<void> {
  const found = (await controlsIn(page)).find((each) => each.what === what)
  if (!found) throw new Error(`${what} is gone`)
  // Held fast, because the others change as text is typed
  const control = await page.locator(CONTROLS).nth(found.nth).elementHandle()
  if (!control) throw new Error(`${what} is gone`)
  const kind = await control.evaluate((each) => (each instanceof HTMLInputElement ? each.type : each.localName))
  if (kind === 'select') {
    await control.selectOption({ index: await control.evaluate((each) => +!(each as HTMLSelectElement).selectedIndex) })
  } else if (/^(button|summary|a|checkbox|radio|file|submit)$/.test(kind)) await control.click()
  else {
    await control.fill(TYPED[kind] ?? 'Typed early')
    if (kind !== 'textarea') await control.press('Enter')
  }
}

const isAlive = (): boolean => !('noteEarly' in window)

/** Counts what the page asks for and still waits for. The stream of events stays open. */
function countAsked(page: Page): () => number {
  const asked = new Set<Request>()
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/events')) asked.add(request)
  })
  const drop = (request: Request) => asked.delete(request)
  page.on('requestfinished', drop).on('requestfailed', drop)
  return () => asked.size
}

/** @returns what is shown when it has not changed for twice that time, and nothing is on its way */
async function atRest(page: Page, asked: () => number): Promise<string> {
  const seen = [await shownBy(page)]
  while (asked() > 0 || seen.at(-3) !== seen.at(-1) || seen.at(-2) !== seen.at(-1)) {
    await page.waitForTimeout(REST_MS)
    seen.push(await shownBy(page))
  }
  return seen.at(-1) ?? ''
}

/** Nothing while a page leads to another one. */
const shownBy = (page: Page): Promise<string> => page.evaluate(readPage).catch(() => '')

/** Runs in the page. Numbers count up, such as the minutes since something. So do the ids that React gives. */
function readPage(): string {
  const STATES = ['aria-expanded', 'aria-pressed', 'aria-selected', 'aria-current', 'aria-invalid', 'open']
  const fields = [...document.querySelectorAll<HTMLInputElement>('input, select, textarea')].map(
    ({ name, type, value, checked, ariaLabel }) =>
      `${name.replace(/^_r_\w+_/, '') || ariaLabel} ${type} ${value} ${checked}`,
  )
  const states = STATES.flatMap((state) =>
    [...document.querySelectorAll(`[${state}]`)].map((each) =>
      `${state} ${each.getAttribute(state)} ${each.textContent.slice(0, 20)}`.replaceAll(/\d+/g, '#'),
    ),
  )
  // Not by innerText, which leaves out what has not been scrolled to
  const lines: string[] = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { textContent, parentElement } = texts.currentNode
    const text = (textContent ?? '')
      .replaceAll(/\d+/g, '#')
      .replace(/#\s\w+\sago|just\snow/i, 'ago')
      .trim()
    if (text !== '' && !parentElement?.closest('script, style, template') && parentElement?.checkVisibility())
      lines.push(text)
  }
  return [location.href, document.documentElement.dataset['theme'], ...lines, ...fields, ...states].join('\n')
}

const isSame = (some: Outcome, other: Outcome): boolean =>
  some.shown === other.shown && some.done.toSorted().join() === other.done.toSorted().join()

/** The lines of either that are not in the other. */
function difference(early: Outcome, late: Outcome): string {
  const without = (some: Outcome, other: Outcome) => {
    const rest = [...other.shown.split('\n'), ...other.done]
    return [...some.shown.split('\n'), ...some.done].filter((line) => {
      const at = rest.indexOf(line)
      if (at >= 0) rest.splice(at, 1)
      return at < 0
    })
  }
  const lines = [
    ...without(early, late).map((line) => `  early: ${line}`),
    ...without(late, early).map((line) => `  late:  ${line}`),
  ]
  return lines.slice(0, 12).join('\n')
}

/** Runs in the page. */
function namedControls(all: Element[]): Control[] {
  const found = new Map<string, Control>()
  for (const [nth, each] of all.entries()) {
    const isOff = each.closest(':disabled, [aria-disabled=true], [inert]') !== null
    // Nothing comes of a second press on it
    const isChosen = each.matches('[type=radio]:checked, fieldset > [aria-pressed=true]')
    if (isOff || isChosen || !each.checkVisibility() || each.getClientRects().length === 0) continue
    const labels = each instanceof HTMLInputElement ? [...(each.labels ?? [])] : []
    const words = each.ariaLabel ?? ((labels[0] ?? each).textContent.trim() || each.getAttribute('name') || '')
    // A row's controls are called after what is in it
    const name = each.closest('[data-row], main li') ? `${words.split(' ')[0]} … in a row` : words.slice(0, 60)
    const what = `${each.localName} ${each.getAttribute('type') ?? ''} ${name}`.replaceAll(/\d+/g, '#')
    if (!found.has(what)) found.set(what, { nth, what, isOfFrame: each.closest('main') === null })
  }
  return [...found.values()]
}

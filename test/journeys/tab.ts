/**
 * A page of a browser that Playwright can't drive, in words that every engine has: a person's press and typing, and
 * functions that run in the page.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { cutOffInPage } from './dialog-room.ts'

/** The engine's name for one element of the page. */
export interface Spot {
  press(): Promise<void>
  /** Replaces what is in the field. */
  fill(text: string): Promise<void>
}

/** A value that JSON can carry to the page and back. */
export type Plain = string | number | boolean | null | undefined | Plain[] | { [key: string]: Plain }

export interface Tab {
  goto(url: string): Promise<void>
  /** Runs `work` in the page: it sees its arguments and the page, and nothing else. */
  run<T, A extends Plain[]>(work: (...args: A) => T | Promise<T>, ...args: A): Promise<T>
  /** @returns undefined while there is none */
  find(kind: Kind, name: string, isStart: boolean): Promise<Spot | undefined>
  key(name: 'Escape' | 'Enter'): Promise<void>
  picture(): Promise<Buffer>
}

/** One browser, and the one page that it shows. */
export interface EngineTab {
  tab: Tab
  stop(): Promise<void>
}

export type Kind = 'button' | 'link' | 'field' | 'text'

/** Runs in the page. What lies over the page is all that a person can reach. */
export function findInPage(kind: Kind, name: string, isStart: boolean): HTMLElement | null {
  const SELECTORS = {
    button: 'button, summary, [role=button], [role=option]',
    link: 'a[href]',
    field: 'input, textarea, select',
    text: 'h1, h2, h3, p, span, strong, code, output, td, li, a, dd, div',
  }
  // Without the marks of the made-up language
  const tidy = (text: string | null | undefined) =>
    (text ?? '')
      .replaceAll(/\u200b| (?:\u00a0 )*\u00ad/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
  // As a screen reader says it: a button may keep the room of words that it will say later
  const spoken = (each: HTMLElement): string => {
    const copy = each.cloneNode(true) as HTMLElement
    for (const unsaid of copy.querySelectorAll('[aria-hidden=true]')) unsaid.remove()
    return tidy(copy.textContent)
  }
  const nameOf = (each: HTMLElement): string => {
    if (kind === 'text') return tidy(each.textContent)
    const labelled = (each.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id))
    const labels = each instanceof HTMLInputElement || each instanceof HTMLTextAreaElement ? each.labels : null
    const words = [...labelled, ...(labels ?? [])].map((label) => tidy(label?.textContent)).join(' ')
    return tidy(each.getAttribute('aria-label')) || words.trim() || spoken(each)
  }
  const room = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
  const found = [...room.querySelectorAll<HTMLElement>(SELECTORS[kind])].filter((each) => {
    const its = nameOf(each)
    return (isStart ? its.startsWith(name) : its === name) && each.checkVisibility() && each.getClientRects().length > 0
  })
  // Of texts the innermost
  const spot = found.find((each) => !found.some((other) => other !== each && each.contains(other))) ?? null
  // Not yet: one that rests after it moved under the pointer, or that will be pushed away by what still loads
  const isLoading = [...room.querySelectorAll('.skeleton')].some((each) => each.checkVisibility())
  if (!spot || isLoading || spot.closest('[aria-disabled=true], :disabled')) return null
  // Engines scroll no further than they must, which may be under the tabs
  spot.scrollIntoView({ block: 'center' })
  Object.assign(globalThis, { isPressed: false })
  const labels = spot instanceof HTMLInputElement ? [...(spot.labels ?? [])] : []
  // Not by its `pointerdown`: the page takes no tap for what has just come under the finger
  for (const each of [spot, ...labels])
    each.addEventListener('click', () => Object.assign(globalThis, { isPressed: true }), { capture: true })
  return spot
}

/** Runs in the page that was pressed. Another page knows nothing of it. */
const isMissed = (): boolean => Reflect.get(globalThis, 'isPressed') === false

const PATIENCE_MS = 15_000

/** Tries until it comes. @throws Error saying what did not */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const end = Date.now() + patienceMs
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > end) throw new Error(`Not there: ${what}`)
    await sleep(50)
  }
}

/** Presses the first of this name, or, with … at its end, whose name begins like that. */
export function press(tab: Tab, kind: Kind, name: string): Promise<void> {
  return act(tab, kind, name, async (spot) => {
    await spot.press()
    // Engines aim first and press then, and may tell of a press before the page hears of it
    const hasMissed = () => tab.run(isMissed).catch(() => false)
    if ((await hasMissed()) && (await sleep(200, true)) && (await hasMissed()))
      throw new Error('it moved away from under the press, or came too soon')
  })
}

export function fill(tab: Tab, label: string, text: string): Promise<void> {
  return act(tab, 'field', label, (spot) => spot.fill(text))
}

/** Waits until it can be reached, and tries again what missed it. @throws Error that says why it could not */
async function act(tab: Tab, kind: Kind, name: string, work: (spot: Spot) => Promise<void>): Promise<void> {
  let why: unknown = 'not there'
  const isDone = async () => {
    try {
      const spot = await tab.find(kind, name.replace(/…$/, ''), name.endsWith('…'))
      if (!spot) return false
      await work(spot)
      return true
    } catch (error) {
      why = error
      return false
    }
  }
  await until(`${kind} ${name}`, isDone).catch((error: Error) => {
    throw new Error(`${error.message}: ${String(why)}`)
  })
}

/** Waits until the page shows these words. */
export async function see(tab: Tab, words: string, patienceMs?: number): Promise<void> {
  await until(words, () => tab.run(isShown, words), patienceMs)
}

/** Chooses a file in the field of the topmost dialog, as the system's own picker would. */
export async function chooseFile(tab: Tab, name: string, content: Buffer): Promise<void> {
  await until('a field for files', () => tab.run(setFile, name, content.toString('base64')))
}

/** Runs in the page. */
function setFile(name: string, base64: string): boolean {
  const field = [...document.querySelectorAll<HTMLInputElement>('dialog[open] input[type=file]')].at(-1)
  if (!field) return false
  const given = new DataTransfer()
  given.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name))
  field.files = given.files
  field.dispatchEvent(new Event('change', { bubbles: true }))
  return true
}

/** Runs in the page. Not by `innerText`: WebKit leaves out of it what has to be scrolled to. */
function isShown(words: string): boolean {
  const found = [...document.querySelectorAll('body *:not(script)')].filter((each) => each.textContent?.includes(words))
  const isSeen = (each: Element) => each.checkVisibility({ visibilityProperty: true })
  return found.some((each) => isSeen(each) && !found.some((other) => other !== each && each.contains(other)))
}

/** Waits until what lies on top of the page has come to rest, and looks whether all of it can be reached. */
export async function cutOff(tab: Tab): Promise<string[]> {
  await until('a layer at rest', () => tab.run(isAtRest))
  return tab.run(cutOffInPage)
}

function isAtRest(): boolean {
  const layers = [...document.querySelectorAll('dialog[open], [popover][data-open]')]
  return (
    layers.length > 0 && layers.every((each) => each.getAnimations().length === 0 && !each.querySelector('.skeleton'))
  )
}

/** Returns the name of the topmost dialog or list. */
export const topName = (tab: Tab): Promise<string> =>
  tab.run(() => {
    const popover = document.querySelector('[popover][data-open] [aria-label]')
    const top = popover ?? [...document.querySelectorAll('dialog[open]')].at(-1)
    const heading = document.getElementById(top?.getAttribute('aria-labelledby') ?? '')
    const name = top?.getAttribute('aria-label') ?? heading?.textContent ?? ''
    return name
      .replaceAll(/\u200b| (?:\u00a0 )*\u00ad/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
  })

const ESCAPES_MAX = 3

/** Closes what lies over the page. @returns false where it asks to stay */
export async function leaveLayers(tab: Tab): Promise<boolean> {
  for (let escapes = 0; escapes < ESCAPES_MAX; escapes++) {
    await tab.key('Escape')
    if (await tab.run(isUncovered)) {
      // A load before the history has gone back would be cut off
      await until('the page', () => tab.run(() => history.state?.isLayer !== true))
      return true
    }
  }
  return false
}

function isUncovered(): boolean {
  return document.querySelector('dialog[open], [popover][data-open]') === null
}

/** A drawn page is loaded before its scripts are. WebKit on a slow machine stands still in the middle of a movement. */
export async function goto(tab: Tab, url: string): Promise<void> {
  // A dialog that has closed takes its entry of the history back a moment later, which would cut off the load
  await until('the page', () =>
    tab.run(() => history.state?.isLayer !== true || !!document.querySelector('dialog[open]')),
  )
  await tab.goto(url)
  await until(`scripts of ${url}`, () => tab.run(() => !('noteEarly' in globalThis)))
  await tab.run(stopMovements)
}

function stopMovements(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*, ::before, ::after, ::backdrop { transition: none !important; animation: none !important }')
  document.adoptedStyleSheets.push(sheet)
}

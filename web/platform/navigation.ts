/**
 * Where the person is in the store: the address, the screen that belongs to it, and going from one to another.
 *
 * A router of our own: 2 kB in place of TanStack Router's 24, which was a fifth of all that a phone has to fetch
 * before the first price shows. It knows what this store needs and no more: flat paths, search parameters, a guard
 * and a lazy screen for each. The names of its functions are TanStack's.
 */
import type { ComponentType, ReactNode } from 'react'
import { isOnLayer, isStepWithinPage, leavingLayer, settleLayers } from './layers.ts'
import { keepScroll, placeScroll, restoreScrolls, saveScrolls, type Arrival } from './scroll-positions.ts'
import { createStore } from './store.ts'

/**
 * Path → its search parameters. routes.tsx fills it in (`declare module`), so that a link to a path that does not
 * exist, or with a parameter that it does not take, does not compile.
 */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface Paths {}
export type Path = keyof Paths

type Load<T> = () => Promise<T>

export interface Screen {
  path: string
  /** Read from the address; what it leaves out is not there. */
  search?: (raw: Record<string, string>) => object
  /** The screen itself, or how to fetch it. */
  component?: ComponentType
  load?: Load<ComponentType>
  /** What is drawn around it; stays while screens with the same one follow each other. */
  layout?: ComponentType<{ children: ReactNode }>
  loadLayout?: Load<ComponentType<{ children: ReactNode }>>
  /** False once the person is no longer the one it is for: it is not drawn then, while the way out is found. */
  isAllowed?: () => boolean
  /** @returns where to go instead, or undefined to go on. */
  guard?: (location: Location) => Target | undefined | Promise<Target | undefined>
}

export interface Location {
  pathname: string
  /** With its question mark, or empty. */
  searchText: string
  hash: string
  /** All of it from the first slash. */
  href: string
  /** Unlike any other entry of this tab's history. */
  key: string
}

interface Shown {
  screen: Screen | undefined
  Component: ComponentType | undefined
  Layout: ComponentType<{ children: ReactNode }> | undefined
  location: Location
  /** It could not be fetched, or its guard could not ask. */
  error?: unknown
}

export type SearchOf<P> = P extends keyof Paths ? Paths[P] : Record<string, string | number | undefined>

export interface Target<P extends string = string> {
  /** The path; where left out, the present one. */
  to?: P
  /** The whole search, or a change of the present one. Undefined members leave the address. */
  search?: SearchOf<P> | ((present: SearchOf<P>) => SearchOf<P>)
  hash?: string
  /** Path, search and hash in one text, such as the `next` of a login. */
  href?: string
  /** Takes the place of the present entry in the history. */
  replace?: boolean
}

/** A screen that takes longer shows that it is coming. */
const PENDING_AFTER_MS = 200
const LAYERS_BACK_MS = 1_000
const RELOAD_KEY = 'reloaded-for'

export const shown = createStore<Shown | null>(null)
export const pending = createStore(false)

let screens: readonly Screen[] = []
let latest = 0
let pendingTimer: ReturnType<typeof setTimeout> | undefined
const components = new Map<Screen, ComponentType>()
const layouts = new Map<Load<unknown>, ComponentType<{ children: ReactNode }>>()

/** Begins with the address of the page. Resolves once its screen is there, or what is shown in its place. */
export async function startNavigation(all: readonly Screen[]): Promise<void> {
  screens = all
  history.scrollRestoration = 'manual'
  // An entry without a state is then always a `#part` of the page, also while the next screen is on its way
  if (history.state === null) history.replaceState({ key: 'first' }, '')
  restoreScrolls()
  addEventListener('popstate', () => {
    if (isStepWithinPage(shown.get()?.location.key) || isJumpWithinPage()) return
    keepScroll(shown.get()?.location)
    void arrive(readLocation(), 'back')
  })
  addEventListener('pagehide', () => {
    keepScroll(shown.get()?.location)
    saveScrolls()
  })
  // Dialogs that open again after a reload take over the entry that was theirs; else it goes.
  setTimeout(settleLayers, LAYERS_BACK_MS)
  await arrive(readLocation(), 'first')
}

/** For drawing on the server: fetches the screens of these paths, so that `placeAt` finds them. */
export async function fetchScreens(all: readonly Screen[], paths: readonly string[]): Promise<void> {
  screens = all
  await Promise.all(all.filter(({ path }) => paths.includes(path)).map(fetchScreen))
}

/** For drawing on the server, which has no address bar: shows the screen of this address, without its guard. */
export function placeAt(pathname: string, searchText: string): void {
  const screen = screenAt(pathname)
  const ready = screen && readyScreen(screen)
  if (!ready) throw new Error(`The screen of ${pathname} has not been fetched`)
  shown.set({
    screen,
    location: { pathname, searchText, hash: '', href: pathname + searchText, key: 'first' },
    ...ready,
  })
}

export async function navigate(target: Target): Promise<void> {
  const href = hrefOf(target)
  if (!href.startsWith('/') || href.startsWith('//')) throw new Error(`Not a path of this site: ${href}`)
  const leaving = leavingLayer()
  if (leaving) await leaving
  keepScroll(shown.get()?.location)
  const state = { key: newKey() }
  const same = href === readLocation().href
  if (target.replace || same || isOnLayer()) history.replaceState(state, '', href)
  else history.pushState(state, '', href)
  settleLayers()
  await arrive(readLocation(), 'forward')
}

/** Asks for the present screen again, after it could not be had. */
export async function reloadScreen(): Promise<void> {
  await arrive(readLocation(), 'back')
}

/** The address of a target, for `<a href>`. */
export function hrefOf({ to, search, hash, href }: Target): string {
  if (href !== undefined) return href
  const present = shown.get()?.location
  const given = typeof search === 'function' ? search(present ? searchOf(present) : {}) : search
  const path = to ?? present?.pathname ?? '/'
  return `${path}${searchTextOf(given ?? {})}${hash ? `#${hash}` : ''}`
}

/** Fetches a screen ahead of a click. */
export function preload(href: string): void {
  const screen = screenAt(href.split(/[?#]/)[0] ?? '/')
  if (screen) void fetchScreen(screen).catch(() => undefined)
}

/** The search parameters of an address, as its screen reads them. */
export function searchOf(location: Location): Record<string, string | number | undefined> {
  const raw = Object.fromEntries(new URLSearchParams(location.searchText))
  return { ...(screenAt(location.pathname)?.search?.(raw) ?? raw) }
}

function searchTextOf(search: object): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search) as [string, unknown][]) {
    if (typeof value === 'string' || typeof value === 'number') params.set(name, String(value))
  }
  const text = params.toString()
  return text && `?${text}`
}

function readLocation(): Location {
  const { pathname, search, hash } = window.location
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname
  const state = history.state as { key?: string } | null
  return { pathname: path, searchText: search, hash, href: path + search + hash, key: state?.key ?? 'first' }
}

function screenAt(pathname: string): Screen | undefined {
  return screens.find((screen) => screen.path === pathname)
}

/** A plain `#part` link: the browser has moved there by itself, and only the entry in the history needs its key. */
function isJumpWithinPage(): boolean {
  const current = shown.get()
  const { pathname, searchText, href } = readLocation()
  if (!current || history.state !== null || pathname !== current.location.pathname) return false
  if (searchText !== current.location.searchText) return false
  history.replaceState({ key: newKey() }, '', href)
  shown.set({ ...current, location: readLocation() })
  return true
}

function newKey(): string {
  return Math.random().toString(36).slice(2)
}

async function arrive(location: Location, arrival: Arrival): Promise<void> {
  const turn = ++latest
  const screen = screenAt(location.pathname)
  const before = shown.get()
  const show = (part: Omit<Shown, 'location' | 'screen'>) => {
    if (turn !== latest) return
    clearTimeout(pendingTimer)
    pending.set(false)
    shown.set({ screen, location, ...part })
    placeScroll(location, arrival, before?.location)
  }

  clearTimeout(pendingTimer)
  pendingTimer = setTimeout(() => pending.set(true), PENDING_AFTER_MS)
  // While the guard asks the server, the code can already come; for those whom the screen is for.
  if (screen?.guard && screen.isAllowed?.()) void fetchScreen(screen).catch(() => undefined)
  try {
    const instead = screen?.guard?.(location)
    const target = instead instanceof Promise ? await instead : instead
    if (turn !== latest) return
    if (target) {
      await navigate({ ...target, replace: true })
      return
    }
    if (!screen) {
      show({ Component: undefined, Layout: undefined })
      return
    }
    const ready = readyScreen(screen)
    if (ready) {
      show(ready)
      return
    }
    // On the first page the frame is drawn at once, and the screen comes into it.
    if (!before && screen.layout) shown.set({ screen, location, Component: undefined, Layout: screen.layout })
    show(await fetchScreen(screen))
  } catch (error) {
    if (isStaleBuild(error, location)) return
    show({ Component: undefined, Layout: screen?.layout, error })
  }
}

function readyScreen(screen: Screen): Pick<Shown, 'Component' | 'Layout'> | undefined {
  const Component = screen.component ?? components.get(screen)
  const Layout = screen.layout ?? (screen.loadLayout && layouts.get(screen.loadLayout))
  if (!Component || (screen.loadLayout && !Layout)) return undefined
  return { Component, Layout }
}

async function fetchScreen(screen: Screen): Promise<Pick<Shown, 'Component' | 'Layout'>> {
  const [Component, Layout] = await Promise.all([
    screen.component ?? components.get(screen) ?? screen.load?.(),
    screen.layout ?? (screen.loadLayout && (layouts.get(screen.loadLayout) ?? screen.loadLayout())),
  ])
  if (Component) components.set(screen, Component)
  if (Layout && screen.loadLayout) layouts.set(screen.loadLayout, Layout)
  return { Component, Layout }
}

/** A part of the page could not be fetched: there is no network, or no such file any more. */
export function isFetchFailure(error: unknown): boolean {
  return error instanceof TypeError && /import|module|fetch/i.test(error.message)
}

/** The store was updated while this page was open, and the old page's files are gone: load the new page, once. */
function isStaleBuild(error: unknown, location: Location): boolean {
  try {
    if (!isFetchFailure(error) || !navigator.onLine || sessionStorage.getItem(RELOAD_KEY) === location.href)
      return false
    sessionStorage.setItem(RELOAD_KEY, location.href)
  } catch {
    return false
  }
  window.location.assign(location.href)
  return true
}

/**
 * Knows the address and its screen, and moves from one to another.
 *
 * A router of our own: 2 kB instead of TanStack Router's 24, a fifth of all that a phone fetches before the first price
 * shows. It has only what this store needs: flat paths, search parameters, a guard and a lazy screen for each. Its
 * functions have TanStack's names.
 */
import { afterPaint } from './after-paint.ts'
import type { ComponentType, ReactNode } from 'react'
import { isOnLayer, isStepWithinPage, leavingLayer, noteLeftOver, noteTaken, settleLayers } from './layers.ts'
import { keepScroll, placeScroll, restoreScrolls, saveScrolls, type Arrival } from './scroll-positions.ts'
import { createStore } from '../store.ts'

/**
 * Path → its search parameters. routes.tsx fills it in (`declare module`), so that a link to an unknown path, or with
 * an unknown parameter, does not compile.
 */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface Paths {}
export type Path = keyof Paths

type Load<T> = () => Promise<T>

export interface Screen {
  path: string
  /** Reads parameters from the address. Missing ones stay undefined. */
  search?: (raw: Record<string, string>) => object
  /** The screen itself, or a function that fetches it. */
  component?: ComponentType
  load?: Load<ComponentType>
  /** Frame around the screen. It stays between screens that share it. */
  layout?: ComponentType<{ children: ReactNode }>
  loadLayout?: Load<ComponentType<{ children: ReactNode }>>
  /** False if the screen is not for this person. It is then not drawn while the guard finds another. */
  isAllowed?: () => boolean
  /** @returns the target to go to instead, or undefined to go on. */
  guard?: (location: Location) => Target | undefined | Promise<Target | undefined>
}

export interface Location {
  pathname: string
  /** Includes its question mark, or is empty. */
  searchText: string
  hash: string
  /** Everything from the first slash. */
  href: string
  /** Unique among the entries of this tab's history. */
  key: string
}

interface Shown {
  screen: Screen | undefined
  Component: ComponentType | undefined
  Layout: ComponentType<{ children: ReactNode }> | undefined
  location: Location
  /** Set if it could not be fetched, or its guard got no answer. */
  error?: unknown
}

export type SearchOf<P> = P extends keyof Paths ? Paths[P] : Record<string, string | number | undefined>

export interface Target<P extends string = string> {
  /** The path. Defaults to the current one. */
  to?: P
  /** The whole search, or a change of the current one. Undefined members leave the address. */
  search?: SearchOf<P> | ((present: SearchOf<P>) => SearchOf<P>)
  hash?: string
  /** Path, search and hash in one string, such as the `next` of a login. */
  href?: string
  /** Replaces the current entry in the history. */
  replace?: boolean
}

/** A screen that takes longer shows a loading line. */
const PENDING_AFTER_MS = 200
const RELOAD_KEY = 'reloaded-for'

export const shown = createStore<Shown | null>(null)
export const pending = createStore(false)
/** The path of the link that was tapped, until its screen is there: its link looks chosen at once. */
export const going = createStore<string | undefined>(undefined)

let screens: readonly Screen[] = []
let latest = 0
let pendingTimer: ReturnType<typeof setTimeout> | undefined
const components = new Map<Screen, ComponentType>()
const layouts = new Map<Load<unknown>, ComponentType<{ children: ReactNode }>>()

/** Starts with the page's address. Resolves once its screen, or its substitute, shows. */
export async function startNavigation(all: readonly Screen[]): Promise<void> {
  screens = all
  history.scrollRestoration = 'manual'
  // An entry without a state then always means a `#part` of the page, also while the next screen loads.
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
  noteLeftOver()
  await arrive(readLocation(), 'first')
}

/** Fetches the screens of these paths for drawing on the server, so that `placeAt` finds them. */
export async function fetchScreens(all: readonly Screen[], paths: readonly string[]): Promise<void> {
  screens = all
  await Promise.all(all.filter(({ path }) => paths.includes(path)).map(fetchScreen))
}

/** Shows an address's screen for drawing on the server, which has no address bar. Skips the guard. */
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
  // Not a path of this site
  if (!href.startsWith('/') || href.startsWith('//')) throw new Error(href)
  const leaving = leavingLayer()
  if (leaving) await leaving
  keepScroll(shown.get()?.location)
  const state = { key: newKey() }
  const same = href === readLocation().href
  if (target.replace || same || isOnLayer()) history.replaceState(state, '', href)
  else history.pushState(state, '', href)
  noteTaken()
  settleLayers()
  await arrive(readLocation(), 'forward')
}

/**
 * Follows a link. The tap shows first, because a slow phone works on the screen for half a second. Another tap, or
 * Back, takes its place.
 */
export async function follow(target: Target): Promise<void> {
  // A layer that closes takes its entry of the history along, so the page must come before that
  if (!isOnLayer()) {
    const turn = ++latest
    going.set(target.to)
    await new Promise<void>(afterPaint)
    if (turn !== latest) return
  }
  await navigate(target)
}

/** Fetches the current screen again after a failure. */
export async function reloadScreen(): Promise<void> {
  await arrive(readLocation(), 'back')
}

/** Returns the address of a target, for `<a href>`. */
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

/** Returns the search parameters of an address, as its screen reads them. */
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

/** Handles a plain `#part` link. The browser has moved there already, and only the history's entry needs a key. */
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
    going.set(undefined)
    shown.set({ screen, location, ...part })
    placeScroll(location, arrival, before?.location)
  }

  clearTimeout(pendingTimer)
  pendingTimer = setTimeout(() => pending.set(true), PENDING_AFTER_MS)
  // Fetches the code while the guard asks the server, but only for people the screen is for.
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
    // The first page draws the frame at once. The screen follows.
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

/** What Chromium, Firefox and WebKit say of a call, or of a part of the page, that they could not fetch. */
const UNFETCHED =
  /^(Failed to fetch|NetworkError when|Load failed|error loading dynamically|Importing a module script failed)/i

/** True if a part of the page could not be fetched: no network, or the file is gone. */
export function isFetchFailure(error: unknown): boolean {
  return error instanceof TypeError && UNFETCHED.test(error.message)
}

/** Reloads once after an update of the store, because the old page's files are gone. */
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

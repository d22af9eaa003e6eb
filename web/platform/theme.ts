import { keepCookie, readCookies } from './tab-storage.ts'
import { createStore, useStore } from './store.ts'

export type Theme = 'dark' | 'light'

const YEAR_S = 31_536_000
const GROUND = { dark: '#07090d', light: '#f9fafc' } as const

const current = createStore<Theme>('dark')

export const useTheme = (): Theme => useStore(current)

export const getTheme = current.get

/** Kept in a cookie, so that the server draws the next page in this theme. */
export function setTheme(theme: Theme): void {
  current.set(theme)
  document.documentElement.dataset['theme'] = theme
  keepCookie('theme', theme, YEAR_S)
  paintBrowser(theme)
}

/** Gives the browser's bar the colour of the page. */
function paintBrowser(theme: Theme): void {
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', GROUND[theme])
}

/** Takes the theme that the server drew the page in. */
export function restoreTheme(): void {
  if (document.documentElement.dataset['theme'] === 'light') current.set('light')
  paintBrowser(current.get())
}

/** Takes the cookie's theme, now and whenever the tab is looked at: another tab may have changed it. */
export function followTheme(): void {
  const follow = () => {
    const theme = themeOfCookie()
    if (theme && theme !== current.get()) setTheme(theme)
  }
  follow()
  addEventListener('focus', follow)
}

function themeOfCookie(): Theme | undefined {
  return /(?:^|; )theme=(light|dark)(?:;|$)/.exec(readCookies())?.[1] as Theme | undefined
}

/** Sets the theme for drawing on the server, which reads the cookie from the request. */
export const drawInTheme = current.set

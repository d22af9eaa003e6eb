import { createStore, useStore } from './store.ts'

export type Theme = 'dark' | 'light'

const YEAR_S = 31_536_000
const GROUND = { dark: '#07090d', light: '#f9fafc' } as const

const current = createStore<Theme>(document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark')

export function useTheme(): Theme {
  return useStore(current)
}

export function getTheme(): Theme {
  return current.get()
}

/** Remembered in a cookie, so that the server draws the next page in this theme from the first byte. */
export function setTheme(theme: Theme): void {
  current.set(theme)
  document.documentElement.dataset['theme'] = theme
  document.cookie = `theme=${theme}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`
  paintBrowser(theme)
}

/** The browser's own bar takes the colour of the page. */
function paintBrowser(theme: Theme): void {
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', GROUND[theme])
}

/** Where no server has put the theme into the page (the dev server), the cookie is read here. */
export function restoreTheme(): void {
  if (/(?:^|; )theme=light(?:;|$)/.test(document.cookie)) setTheme('light')
  else paintBrowser(current.get())
}

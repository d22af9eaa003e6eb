import { createStore, useStore } from './store.ts'

export type Theme = 'dark' | 'light'

const YEAR_S = 31_536_000
const GROUND = { dark: '#07090d', light: '#f9fafc' } as const

const current = createStore<Theme>('dark')

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

/** The theme that the server has put into the page; the cookie's, where no server has done so (the dev server). */
export function restoreTheme(): void {
  const isLight = document.documentElement.dataset['theme'] === 'light'
  if (isLight || themeOfCookie() === 'light') setTheme('light')
  else paintBrowser('dark')
  // In another tab it may have been changed.
  addEventListener('focus', () => {
    const theme = themeOfCookie()
    if (theme && theme !== current.get()) setTheme(theme)
  })
}

function themeOfCookie(): Theme | undefined {
  return /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1] as Theme | undefined
}

/** For drawing on the server, which has the cookie from the request. */
export function drawInTheme(theme: Theme): void {
  current.set(theme)
}

/**
 * Draws the pages of visitors on the server (docs/decisions/0011): the same components, with the data that the page is
 * delivered with. Built into dist/render and loaded by the server by path, so that neither imports the other.
 *
 * A drawing is one synchronous turn from the data to the text, so what the modules hold meanwhile is never another's;
 * and only what everybody may see is ever drawn here.
 */
import { QueryClient } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { fillQueries, setBoot, type Boot } from './platform/boot.ts'
import { setServerTime } from './platform/clock.ts'
import { fetchScreens, placeAt } from './platform/navigation.ts'
import { drawInTheme, type Theme } from './platform/theme.ts'
import { screens } from './routes.tsx'
import { StoreApp } from './shell/store-app.tsx'

/** The pages that are drawn here, for people who are not signed in. */
export const drawn: readonly string[] = ['/', '/login', '/signup', '/terms-policy']

/** All addresses that lead somewhere. */
export const known: readonly string[] = screens.map(({ path }) => path)

await fetchScreens(screens, drawn)

/**
 * @param search the query of the address with its question mark, or empty
 * @returns what belongs into #root
 */
export function draw(path: string, search: string, theme: Theme, boot: Boot): string {
  if (boot.user || boot.admin) throw new Error('Only pages of visitors are drawn on the server')
  const queries = new QueryClient()
  setBoot(boot)
  setServerTime(boot.now)
  drawInTheme(theme)
  fillQueries(queries, boot)
  placeAt(path, search)
  return renderToString(<StoreApp queries={queries} />)
}

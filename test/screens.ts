/** Every screen of the store and whose it is, for tests that visit them all. */
import { readFileSync } from 'node:fs'
import { DRAWN_PANEL_PAGES, panelPages } from '../contract/panel-pages.ts'
import type { Path } from '../web/platform/navigation/navigation.ts'

type Whose = 'anyone' | 'buyer' | 'admin'

/** The table of screens is read as text: its module runs in a built page alone. */
function readScreens(): [Path, Whose][] {
  const routes = readFileSync('web/routes.tsx', 'utf8')
  const table = routes.slice(routes.indexOf('export const screens'))
  const lines = table.slice(table.indexOf('\n') + 1, table.indexOf('\n]')).split('\n')
  const own = lines.filter((line) => !line.includes('__PANEL_PATHS__'))
  return own.map((line) => {
    const [, path, whose = 'anyone'] = /^ +\{ path: '(.+?)',.*?(buyer|admin)? \},$/.exec(line) ?? []
    if (path === undefined) throw new Error(`A screen in web/routes.tsx was not read: ${line}`)
    return [path as Path, whose as Whose]
  })
}

const screens = [...readScreens(), ...Object.keys(panelPages).map((path) => [path as Path, 'admin'] as const)]
export const ALL_SCREENS = screens.map(([path]) => path)

/** The screens that these kinds of people can open. */
export const screensOf = (...whose: Whose[]): Path[] =>
  screens.flatMap(([path, each]) => (whose.includes(each) ? [path] : []))

/** The screens that the server draws for them: the pages that can be used before their scripts come. */
export function drawnFor(whose: 'visitor' | 'buyer' | 'admin'): readonly string[] {
  if (whose === 'admin') return DRAWN_PANEL_PAGES
  const list = new RegExp(`const ${whose.toUpperCase()} = \\[(.*)\\]`).exec(readFileSync('web/server.tsx', 'utf8'))?.[1]
  if (list === undefined) throw new Error(`web/server.tsx does not say what is drawn for a ${whose}`)
  return list.split(', ').map((path) => path.slice(1, -1))
}

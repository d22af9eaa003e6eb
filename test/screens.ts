/** Every screen of the store and whose it is, for tests that visit them all. */
import { readFileSync } from 'node:fs'
import type { Path } from '../web/platform/navigation.ts'

type Whose = 'anyone' | 'buyer' | 'admin'

/** The table of screens is read as text: its module runs in a built page alone. */
function readScreens(): [Path, Whose][] {
  const routes = readFileSync('web/routes.tsx', 'utf8')
  const found = [...routes.matchAll(/^ +\{ path: '(.+?)',.*?(buyer|admin)? \},$/gm)]
  if (found.length !== routes.split('{ path:').length - 1) throw new Error('A screen in web/routes.tsx was not read')
  return found.map(([, path, whose = 'anyone']) => [path as Path, whose as Whose])
}

const screens = readScreens()
export const ALL_SCREENS = screens.map(([path]) => path)

/** The screens that somebody can open who is this. */
export const screensOf = (...whose: Whose[]): Path[] =>
  screens.flatMap(([path, each]) => (whose.includes(each) ? [path] : []))

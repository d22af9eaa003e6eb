/**
 * The browser for tests: CHROME_PATH, an installed Chrome or Chromium, Playwright's own, Debian's. Of Chromium the
 * build without windows comes first: it draws the same pages in three quarters of the time.
 */
import { accessSync, constants, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'

const NAMES = [
  'chromium-headless-shell',
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'chrome',
]

const FOR_TESTING = 'Google Chrome for Testing'
/** Where Playwright's downloads keep the program, in new and old versions. */
const WITHIN_DOWNLOADED = [
  ...['linux64', 'linux-arm64', 'mac-arm64', 'mac-x64'].map((platform) => [
    `chrome-headless-shell-${platform}`,
    'chrome-headless-shell',
  ]),
  ['chrome-linux', 'headless_shell'],
  ...['chrome-linux64', 'chrome-linux-arm64', 'chrome-linux'].map((directory) => [directory, 'chrome']),
  ...['arm64', 'x64'].map((cpu) => [`chrome-mac-${cpu}`, `${FOR_TESTING}.app`, 'Contents', 'MacOS', FOR_TESTING]),
]

const runs = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function* candidates(): Generator<string> {
  if (process.env.CHROME_PATH) yield process.env.CHROME_PATH
  for (const directory of (process.env.PATH ?? '').split(path.delimiter))
    for (const name of NAMES) yield path.join(directory, name)
  const own = process.env.PLAYWRIGHT_BROWSERS_PATH ?? path.join(homedir(), '.cache', 'ms-playwright')
  let downloaded: string[] = []
  try {
    downloaded = readdirSync(own).toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  } catch {
    // Playwright has downloaded none
  }
  for (const name of downloaded) for (const within of WITHIN_DOWNLOADED) yield path.join(own, name, ...within)
  yield '/usr/bin/chromium'
  yield '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
}

/** Finds a browser that shows notifications, which the build without windows does not. */
export function findWholeBrowser(): string | undefined {
  for (const file of candidates()) if (runs(file) && !/headless[-_]shell$/.test(file)) return file
  return undefined
}

const inPath = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find(runs)

/** FIREFOX_PATH, or Debian's. */
export function findFirefox(): string | undefined {
  return [process.env.FIREFOX_PATH ?? ''].find(runs) ?? inPath('firefox-esr')
}

export interface WebKit {
  /** Speaks WebDriver. */
  driver: string
  /** The browser that it starts. */
  browser: string
  /** The virtual screen that it draws on. */
  display: string
}

/** Where Debian and Ubuntu keep it, on any processor. */
const MINI_BROWSER = ['webkit2gtk-4.1', 'webkitgtk-6.0', 'webkit2gtk-4.0'].map((name) => path.join(name, 'MiniBrowser'))

/** The engine of Safari, from webkit2gtk-driver and xvfb. */
export function findWebKit(): WebKit | undefined {
  const [driver, display] = [inPath('WebKitWebDriver'), inPath('Xvfb')]
  const folders = ['x86_64-linux-gnu', 'aarch64-linux-gnu', ''].map((name) => path.join('/usr/lib', name))
  const browser = folders.flatMap((folder) => MINI_BROWSER.map((name) => path.join(folder, name))).find(runs)
  return driver && display && browser ? { driver, browser, display } : undefined
}

/** @throws when there is none, saying how to get one */
export function findBrowser(): string {
  for (const file of candidates()) if (runs(file)) return file
  throw new Error(
    'No browser found for the tests. Install one: `apt-get install -y chromium` (or chromium-headless-shell; ' +
      'Debian, Ubuntu) or `npx playwright install chromium`, or point CHROME_PATH at a Chrome or Chromium.',
  )
}

/** The oldest browsers that are served: what the docs say, and what the build checks. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newerInScript, newerInStyles } from '../scripts/check-browsers.mjs'
import { OLDEST_SERVED } from '../scripts/served-browsers.mjs'

test('the docs name the versions that the build is made for', () => {
  const page = readFileSync('docs/browsers.md', 'utf8')
  const said = Object.fromEntries(
    [...page.matchAll(/^\| (\w[^|]*\w)\s*\| (?:iOS )?([\d.]+)/gm)].map(([, name, version]) => [name, version]),
  )
  expect(said).toEqual({
    'Chrome, Edge and others like it': OLDEST_SERVED['chrome_android'],
    'Android WebView, in other apps': OLDEST_SERVED['webview_android'],
    'Samsung Internet': OLDEST_SERVED['samsunginternet_android'],
    'All browsers of iPhones and iPads': OLDEST_SERVED['safari_ios'],
    Firefox: OLDEST_SERVED['firefox'],
  })
})

test.each([
  ['AbortSignal.any([a, b])', 'AbortSignal.any'],
  ['AbortSignal.timeout(9)', 'AbortSignal.timeout'],
  ['URL.canParse(x)', 'URL.canParse'],
  ['Promise.withResolvers()', 'Promise.withResolvers'],
  ['Array.fromAsync(x)', 'Array.fromAsync'],
  ['Object.groupBy(x, f)', 'Object.groupBy'],
  ['list.toSpliced(1, 1)', 'toSpliced'],
  ['list?.toReversed?.()', 'toReversed'],
  ['text.isWellFormed()', 'isWellFormed'],
  ['new CompressionStream("gzip")', 'new CompressionStream'],
  ['dialog.requestClose()', 'requestClose'],
  ['list.showPopover()', 'showPopover'],
  ['navigator.setAppBadge(1)', 'navigator.setAppBadge'],
  ['/(?<=a)b/.test(x)', 'look-behind'],
  ['RegExp("(?<!a)b").test(x)', 'look-behind'],
  ['/[a--b]/v.test(x)', 'flag v'],
  ['document.querySelector("dialog:modal")', ':modal in a script'],
  ['x.closest(`html:has(dialog)`)', ':has in a script'],
])('a script with %s is found out', (code, name) => {
  expect([...newerInScript(code).keys()]).toContain(name)
})

test.each([
  ['.a{color:oklch(1 0 0)}', 'oklch()'],
  ['.a{color:color-mix(in oklab,red 1%,blue)}', 'color-mix()'],
  ['.a{height:100dvh}', 'dvh'],
  ['html:has(dialog){color:red}', ':has'],
  ['.a{translate:1px}', 'translate'],
  ['.a{text-wrap:balance}', 'text-wrap'],
  ['@container (width>1px){.a{color:red}}', '@container'],
  ['@media (width>=40rem){.a{color:red}}', '@media with < or >'],
  ['.a{color:red;& .b{color:blue}}', 'nested rules'],
])('styles with %s are found out', (css, name) => {
  expect([...newerInStyles(css).keys()]).toContain(name)
})

test('what all of them have passes, and what is asked for first', () => {
  const code =
    'structuredClone(a.at(-1)); a.findLast(f); Object.hasOwn(a, b); "x".replaceAll("a", ""); crypto.randomUUID()'
  expect([...newerInScript(code).keys()]).toEqual([])
  const css =
    '@supports (color:oklch(0 0 0)){.a{color:oklch(1 0 0)}@media print{.b{height:9dvh}}}.c:focus-visible{inset:0}'
  expect([...newerInStyles(css).keys()]).toEqual([])
})

// Holds the scripts and styles of a build against what the oldest browsers served can do (served-browsers.mjs), by
// MDN's compatibility data. The build runs it on what it has made; `node scripts/check-browsers.mjs DIRECTORY`
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vite'
import { OLDEST_SERVED } from './served-browsers.mjs'

const data = createRequire(import.meta.url)('@mdn/browser-compat-data')

/** PDF.js comes as its `legacy` build, which adds what a browser lacks. */
const WITH_OWN_ADDITIONS = /^pdf(\.worker\.min)?-/

/** What may be newer, and why nobody misses it. A name that no file uses any more is a fault, too. */
const MAY_BE_NEWER = {
  'web/older-browsers.ts adds it': ['toReversed', 'toSorted'],
  'asked for before it is called': [
    'Error.captureStackTrace',
    'Notification.permission',
    'Notification.requestPermission',
    'document.adoptedStyleSheets',
    'hidePopover',
    'navigator.clearAppBadge',
    'navigator.connection',
    'navigator.cookieEnabled',
    'navigator.setAppBadge',
    'navigator.share',
    'new DecompressionStream',
    'showPopover',
    'startViewTransition',
  ],
  'not the browser’s: a function of React, Zod or ours by the same name': ['error', 'when'],
  'an ornament: the page is whole without it': [
    '-webkit-tap-highlight-color',
    ':-webkit-inner-spin-button',
    ':selection',
    '@page',
    '@starting-style',
    'contain-intrinsic-block-size',
    'contain-intrinsic-size',
    'content-visibility',
    'field-sizing',
    'outline',
    'overscroll-behavior',
    'resize',
    'rotate',
    'scale',
    'scrollbar-width',
    'text-size-adjust',
    'text-wrap',
    'translate',
  ],
  'with another rule for those without it': [':has', 'dvh', 'oklch()', 'mask-image', 'user-select'],
  'a size of letters, which is then that of the text around': ['@container', 'container-type'],
  'in a list that forgives it': [':open', ':popover-open'],
}

const parts = (version) => version.replace('≤', '').split('.').map(Number)
/** True if the first version came after the second. */
function isLater(version, other) {
  const [[major, minor = 0], [otherMajor, otherMinor = 0]] = [parts(version), parts(other)]
  return major === otherMajor ? minor > otherMinor : major > otherMajor
}

/** What no browser lacks. */
const NONE = { support: {} }

/** @returns the served browsers without this feature, such as `safari_ios 17.4`, which is the first that has it */
export function lackedBy(compat) {
  return Object.entries(OLDEST_SERVED).flatMap(([browser, oldest]) => {
    const support = compat.support[browser]
    if (support === undefined) return []
    const all = [support].flat()
    const has = ({ version_added: added, version_removed, flags, prefix, alternative_name: alias }) =>
      added && added !== 'preview' && !version_removed && !flags && !prefix && !alias && !isLater(added, oldest)
    return all.some(has) ? [] : [`${browser} ${all[0].version_added || 'none'}`]
  })
}

/** Objects whose members are read under another name than the interface has. */
const HOLDERS = { navigator: 'Navigator', document: 'Document', window: 'Window', globalThis: 'Window' }
for (const name of ['crypto', 'history', 'location', 'performance', 'screen'])
  HOLDERS[name] = `${name[0].toUpperCase()}${name.slice(1)}`

const membersOf = (name) => data.api[HOLDERS[name] ?? name] ?? data.javascript.builtins[name]

/** Every method of the language and of nodes of a page, by its name alone: `list.toSorted()` says no more. */
const byName = new Map()
const COMMON =
  /^(Event|EventTarget|Node|Element|HTMLElement|HTML(Dialog|Input|Form)Element|Blob|Request|Response|Headers)$/
for (const [from, names] of [
  [data.javascript.builtins, () => true],
  [data.api, (name) => COMMON.test(name)],
])
  for (const [holder, members] of Object.entries(from).filter(([name]) => names(name)))
    for (const [name, { __compat: compat }] of Object.entries(members))
      if (compat && !name.endsWith('_static') && !/^(Async)?(DisposableStack|Iterator)$|^Temporal/.test(holder))
        byName.set(name, [...(byName.get(name) ?? []), lackedBy(compat)])

/** @returns what a script calls, by its name, with the served browsers that lack it */
export function newerInScript(code) {
  const found = new Map()
  const note = (name, lacking) => lacking.length > 0 && found.set(name, lacking)
  const visit = (node) => {
    const { callee } = node
    if (node.type === 'CallExpression' && callee.type === 'MemberExpression') {
      callee.isCalled = true
      // One selector that a browser doesn't know, and the call throws
      if (/^(querySelector(All)?|matches|closest)$/.test(callee.property.name))
        for (const [, name] of code.slice(callee.end, node.end).matchAll(/::?([a-z-]+)/g))
          note(`:${name} in a script`, lackedBy(data.css.selectors[name]?.__compat ?? NONE))
    }
    if (node.type === 'MemberExpression' && !node.computed) {
      const name = node.property.name
      const object = node.object.type === 'Identifier' ? membersOf(node.object.name) : undefined
      const own = object?.[`${name}_static`] ?? object?.[name]
      if (own?.__compat) note(`${node.object.name}.${name}`, lackedBy(own.__compat))
      else if (!object && node.isCalled) {
        const all = byName.get(name) ?? []
        if (all.every((each) => each.length > 0)) note(name, all[0] ?? [])
      }
    } else if (node.type === 'NewExpression' && callee.type === 'Identifier') {
      const made = membersOf(callee.name)?.__compat
      if (made) note(`new ${callee.name}`, lackedBy(made))
    }
    const pattern = node.regex?.pattern ?? (typeof node.value === 'string' ? node.value : node.value?.raw)
    if (typeof pattern === 'string' && /\(\?<[=!]/.test(pattern))
      note('look-behind', lackedBy(data.javascript.regular_expressions.lookbehind_assertion.__compat))
    if (node.regex?.flags.includes('v')) note('flag v', lackedBy(data.javascript.builtins.RegExp.unicodeSets.__compat))
    for (const value of Object.values(node))
      for (const child of [value].flat()) if (child && typeof child.type === 'string') visit(child)
  }
  visit(parseAst(code))
  return found
}

/** Leaves out the blocks of `@supports`. */
function withoutAsked(css) {
  const at = css.indexOf('@supports')
  if (at < 0) return css
  let end = css.indexOf('{', at) + 1
  for (let depth = 1; depth > 0; end++) depth += { '{': 1, '}': -1 }[css[end]] ?? 0
  return css.slice(0, at) + withoutAsked(css.slice(end))
}

/** @returns what a style sheet uses that a served browser lacks. What stands behind `@supports` is asked for. */
export function newerInStyles(css) {
  const found = new Map()
  const note = (name, compat) => {
    const lacking = compat ? lackedBy(compat) : []
    if (lacking.length > 0) found.set(name, lacking)
  }
  const bare = withoutAsked(css).replaceAll(/"[^"]*"|url\([^)]*\)/g, '')
  const { properties, selectors, 'at-rules': rules, types } = data.css
  for (const [, name] of bare.matchAll(/@([a-z-]+)/g)) note(`@${name}`, rules[name]?.__compat)
  for (const [, name] of bare.matchAll(/(?<!\\)::?([a-z-]+)(?=[^{};]*\{)/g)) note(`:${name}`, selectors[name]?.__compat)
  for (const [, name, value] of bare.matchAll(/[{;]([a-z-]+):([^{};]*)(?=[;}])/g)) {
    note(name, properties[name]?.__compat)
    for (const [, call] of value.matchAll(/(?<![\w-])([a-z-]+)\(/g))
      note(`${call}()`, (types.color[call] ?? types[call])?.__compat)
    if (/\d[dsl]v[hw]\b/.test(value)) note('dvh', types.length.viewport_percentage_units_dynamic.__compat)
  }
  if (/@media[^{]*[<>]/.test(bare)) note('@media with < or >', rules.media.range_syntax.__compat)
  if (/[{;]\s*&/.test(bare)) note('nested rules', selectors.nesting.__compat)
  return found
}

/** @returns what the files of a build use too early, and exceptions that none of them needs */
export function faultsIn(directory) {
  const allowed = new Set(Object.values(MAY_BE_NEWER).flat())
  const unused = new Set(allowed)
  const faults = []
  for (const file of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const name = file.slice(file.lastIndexOf('/') + 1)
    if (!/\.(js|css)$/.test(name) || WITH_OWN_ADDITIONS.test(name)) continue
    const code = readFileSync(`${directory}/${file}`, 'utf8')
    for (const [used, lacking] of name.endsWith('.js') ? newerInScript(code) : newerInStyles(code)) {
      unused.delete(used)
      if (!allowed.has(used)) faults.push(`${name} uses ${used}: ${lacking.join(', ')}`)
    }
  }
  for (const name of unused) faults.push(`MAY_BE_NEWER names ${name}, which no file uses`)
  return faults
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = faultsIn(process.argv[2] ?? fileURLToPath(new URL('../dist/web', import.meta.url)))
  if (faults.length > 0) {
    console.error(`Newer than a browser that is served (docs/browsers.md):\n  ${faults.join('\n  ')}`)
    process.exit(1)
  }
}

/**
 * Finds every text that the store says, and holds the catalogues of other languages against them (web/words). Fails on
 * a text without a translation, a translation without a text, one that lost a value, and a text in the code that no
 * catalogue could translate. `npm run words` runs it; `npm run words -- --table hi` writes a table for a translator.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript-5'

const ROOT = path.resolve(import.meta.dirname, '..')
const WORDS = path.join(ROOT, 'web/words')
/** The letters of each language. Texts that stay as they are in it are in `same`. */
const SCRIPTS = { hi: /\p{Script=Devanagari}/u }
/** What says a text, and at which place it gets it. */
const SAID = { t: 0, textWith: 0, found: 1, how: 0 }
const SPOKEN_ATTRIBUTES = new Set(['aria-label', 'title', 'placeholder', 'alt', 'label'])
/** A word, but not the beginning of a link. */
const LETTERS = /^(?!https?:\/\/$).*\p{L}{2}/su
/** Their texts reach a screen by their names. Those begin with a capital. */
const LABELS = /^contract\/(audit|message-kinds|review-requests)\.ts$/
/**
 * What nobody can use on a phone: commands, settings of the server and names of its files. They stand behind “How?”:
 * in `how(…)` on the server, in `<How>` in the browser. Docs have them, too.
 */
const SHELL = new RegExp(
  String.raw`npm run|\bsudo\b|systemctl|\{command\}|\b[A-Z]{2,}_[A-Z_]{2,}\b|secret\.key|PostgreSQL|` +
    String.raw`\b(grant|alter) \w+|\.wal\b|the store’s log`,
)
/**
 * Names, and what apps of banks call a number. Both are the same in every language. A text that begins like a sentence
 * and is no name is said by `t`, also in a table of the code: a constant outside `t` stays English on every screen.
 */
const APPS = ['Google Pay', 'MacroDroid', 'Paytm', 'PhonePe', 'SmsForwarder']
const DEVICES = ['Android', 'Chrome', 'ChromeOS', 'Edge', 'Firefox', 'Linux', 'Mac', 'Opera', 'Safari', 'Windows']
const NAMES = new Set([...APPS, ...DEVICES, 'Authorization', 'English', 'Reference number', 'Samsung Internet'])
/** How a text on a screen begins. */
const LIKE_A_SENTENCE = /^\p{Lu}[\p{Ll}’]+(?:[ .:…]|$)/u
/** They read files and pages of others, whose words are theirs. */
const OF_OTHERS = /^web\/bank\/admin\/(files|pdf)\//
/** What is written of a store that never started: its address and name come from the server. */
const BEFORE_BOOT = /^web\/platform\/calls\/boot\.ts$/
/** Zod's own text for what no schema expects. */
const OF_LIBRARIES = ['Invalid input']
/** Reasons in old rows of messages. */
const OF_EARLIER_VERSIONS = [
  'The address is not proven',
  'The email is not confirmed',
  'This version knows no such message',
]
/** Durations are texts of owners, and ids by their unit (contract/duration-words.ts). */
const DURATIONS = ['Hour', 'Day', 'Week', 'Month', 'Year'].flatMap((unit) => [`{count} ${unit}`, `{count} ${unit}s`])

const byName = (one, other) => one.localeCompare(other)

/** Returns the texts that an expression may be: one, those of its branches, or none that can be read here. */
function textsOf(node) {
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression)
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text]
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)]
  if (ts.isTemplateExpression(node))
    return [[node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('\0')]
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return []
  return textsOf(node.left).flatMap((left) => textsOf(node.right).map((right) => left + right))
}

/** Returns "¦verb" for `{ context: 'verb' }`. */
function contextIn(values) {
  const given = values?.properties?.find((each) => each.name?.getText() === 'context')
  return given ? `¦${given.initializer.text}` : ''
}

/**
 * Returns what one file says.
 * @param {string} file its path from the root
 * @param {string} source
 * @returns {{ ids: { id: string, at: string }[], others: string[], bare: { text: string, at: string }[] }} `ids` are
 *   said by `t` or sent to it; `others` are all other texts, with \0 for values; `bare` are on a screen without `t`
 */
export function saidIn(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const found = { ids: [], others: [], bare: [] }
  const at = (node) => `${file}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
  const say = (node, values) =>
    textsOf(node).forEach((id) =>
      found.ids.push({ id: id + contextIn(values), at: at(node), isHow: isBehindHow(node) }),
    )
  const isInTable = (node) =>
    ts.isStringLiteralLike(node) &&
    LIKE_A_SENTENCE.test(node.text) &&
    !NAMES.has(node.text) &&
    !OF_OTHERS.test(file) &&
    !BEFORE_BOOT.test(file) &&
    isValue(node)
  const isLabel = (node) => LABELS.test(file) && ts.isStringLiteral(node) && /^[A-Z]/.test(node.text)
  // What has no id of its own is in the audit log by a text of the store
  const isSaid = (node, name = node.name?.getText()) =>
    (name === 'message' && file === 'contract/errors.ts') ||
    (name === 'subject' && file.startsWith('server/') && !node.initializer.getText().includes('`'))
  function visit(node) {
    if (ts.isImportDeclaration(node) || isQuote(node)) return
    const place = ts.isCallExpression(node) ? SAID[node.expression.getText()] : undefined
    if (node.arguments?.[place]) say(...node.arguments.slice(place))
    else if (
      ts.isPropertyAssignment(node) &&
      node.name.getText() === 'say' &&
      ts.isArrayLiteralExpression(node.initializer)
    )
      say(...node.initializer.elements)
    else if (node.initializer && isSaid(node)) say(node.initializer)
    else if (isLabel(node)) say(node)
    else if (ts.isJsxText(node) && LETTERS.test(node.text)) found.bare.push({ text: node.text.trim(), at: at(node) })
    else if (ts.isJsxAttribute(node) && SPOKEN_ATTRIBUTES.has(node.name.getText()) && node.initializer)
      textsOf(ts.isJsxExpression(node.initializer) ? node.initializer.expression : node.initializer)
        .filter((text) => LETTERS.test(text))
        .forEach((text) => found.bare.push({ text, at: at(node) }))
    else if (isInTable(node) && file.startsWith('web/')) found.bare.push({ text: node.text, at: at(node) })
    else found.others.push(...textsOf(node))
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** True for the value of a property or a variable, an item of a list, and what a short function returns. */
function isValue(node) {
  const { parent } = node
  if (ts.isConditionalExpression(parent)) return parent.condition !== node && isValue(parent)
  if (ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent)) return isValue(parent)
  return (
    ts.isArrayLiteralExpression(parent) ||
    ((ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent)) && parent.initializer === node) ||
    (ts.isArrowFunction(parent) && parent.body === node) ||
    ts.isReturnStatement(parent)
  )
}

/** True for an element that says what another program says (`translate="no"`). */
const isQuote = (node) => ts.isJsxElement(node) && /\btranslate="no"/.test(node.openingElement.attributes.getText())

/** True for a text that a reader unfolds to learn what is done on the server. */
function isBehindHow({ parent }) {
  if (parent === undefined) return false
  if (ts.isCallExpression(parent) && parent.expression.getText() === 'how') return true
  return (ts.isJsxElement(parent) && parent.openingElement.tagName.getText() === 'How') || isBehindHow(parent)
}

/** Returns the texts for a terminal that somebody with a phone would read. */
export const shellFaults = (said) =>
  said
    .filter(({ id, isHow }) => !isHow && SHELL.test(id))
    .map(({ id, at }) => `${at} is for a terminal, and not behind “How?”: ${id}`)

/** Returns the part of the store that a file belongs to: its catalogue, after the language. */
export function partOf(file) {
  if (file.startsWith('web/settings/terms')) return '-terms'
  if (/^web\/waiting\/fetch|\/fetch-words\./.test(file)) return '-fetch'
  if (file.startsWith('web/renewals/')) return '-renewals'
  if (/^web\/supply\/|\/supplier-report\.|\/supply-words\./.test(file)) return '-supply'
  if (file.startsWith('web/wallet/admin/')) return '-codes'
  if (file.startsWith('web/groups/')) return '-groups'
  if (file.startsWith('web/referrals/admin/invites/')) return '-inviters'
  if (file.startsWith('web/referrals/invite')) return '-invites'
  return /^web\/[a-z]+\/admin\/|^web\/sessions\/admin-|^server\/messages\/words\/admin\//.test(file) ? '-panel' : ''
}

/** Returns the values, plurals and tags of a text in one line, to compare two languages by. */
export function shapeOf(text) {
  const found = new Set(text.match(/<\/?\w+>/g) ?? [])
  const faults = []
  let at = 0
  const until = (ends) => {
    const start = at
    while (at < text.length && !ends.includes(text[at])) at++
    return text.slice(start, at).trim()
  }
  function whole() {
    for (until('{}'); text[at] === '{'; until('{}')) value()
  }
  function value() {
    at++
    const name = until(',}')
    if (text[at++] === '}') {
      found.add(`{${name}}`)
      return
    }
    const kind = until(',')
    at++
    const cases = []
    for (let key = until('{}'); text[at] === '{'; key = until('{}')) {
      cases.push(key)
      at++
      whole()
      at++
    }
    at++
    if (kind === 'plural' && !['one', 'other'].every((key) => cases.includes(key)))
      faults.push('a plural without one and other')
    // A plural may say its number as # or by name
    found.add(kind === 'plural' ? `{${name}}` : `{${name}: ${cases.toSorted(byName).join(' ')}}`)
  }
  whole()
  if (at < text.length) faults.push('a } too many')
  return { shape: [...found].toSorted(byName).join(' '), faults }
}

/**
 * Holds one language against what the store says.
 * @param {{ id: string, part: string, at: string }[]} said
 * @param {(text: string) => boolean} isKnown true for a text of contract or server
 * @param {Record<string, Record<string, string>>} parts catalogue of each part: '', '-terms', '-panel'
 * @param {{ letters?: RegExp, same?: readonly string[] }} language
 */
export function faultsOf(said, isKnown, parts, { letters, same = [] } = {}) {
  const faults = []
  const missing = said.filter(({ id, part }) => !(id in (parts[''] ?? {})) && !(id in (parts[part] ?? {})))
  for (const { id, at } of missing) faults.push(`${at} is not translated: ${id}`)
  const ids = new Set(said.map(({ id }) => id))
  for (const [part, words] of Object.entries(parts)) {
    const keys = Object.keys(words)
    if (keys.join('\n') !== keys.toSorted().join('\n')) faults.push(`the catalogue “${part}” is not sorted`)
    for (const [id, text] of Object.entries(words)) {
      const [english = ''] = id.split('¦')
      const fault = (what) => faults.push(`${what}: ${id} → ${text}`)
      if (!ids.has(id) && !isKnown(id)) fault('nothing says this')
      if (part !== '' && id in (parts[''] ?? {})) fault('is in two catalogues')
      const [own, other] = [shapeOf(english), shapeOf(text)]
      for (const each of other.faults) fault(each)
      if (own.shape !== other.shape) fault(`has other values (${own.shape} and ${other.shape})`)
      if (letters && !letters.test(text) && !same.includes(id)) fault('is not in the letters of the language')
    }
  }
  return faults
}

function readSources() {
  const said = DURATIONS.map((id) => ({ id, part: '', at: 'contract/duration-words.ts' }))
  const others = []
  const bare = []
  for (const folder of ['web', 'contract', 'server']) {
    for (const name of readdirSync(path.join(ROOT, folder), { recursive: true })) {
      const file = `${folder}/${String(name).split(path.sep).join('/')}`
      if (!/\.tsx?$/.test(file) || /\.test\./.test(file)) continue
      const found = saidIn(file, readFileSync(path.join(ROOT, file), 'utf8'))
      // Whether buyers can provoke it, test/contract/said.ts knows
      const part = folder === 'web' || file.startsWith('server/messages/words') ? partOf(file) : '-any'
      said.push(...found.ids.map((each) => ({ ...each, part })))
      if (folder !== 'web') others.push(...found.others)
      bare.push(...found.bare)
    }
  }
  return { said: joined(said), isKnown: matcherOf([...others, ...OF_LIBRARIES, ...OF_EARLIER_VERSIONS]), bare }
}

/** A screen of the panel reads the panel's words, too. */
const bothRead = (...parts) =>
  parts.every((part) => ['-panel', '-supply', '-codes', '-groups', '-inviters'].includes(part)) ? '-panel' : ''

/** Makes one of each text. One that buyers read is theirs. */
function joined(said) {
  const all = new Map()
  for (const { id, part, at, isHow } of said) {
    const known = all.get(id)
    if (known)
      Object.assign(known, {
        part:
          known.part === '-any'
            ? part
            : part === '-any' || part === known.part
              ? known.part
              : bothRead(part, known.part),
        at: `${known.at} ${at}`,
        isHow: known.isHow && isHow,
      })
    else all.set(id, { id, part, at, isHow })
  }
  return [...all.values()].map((each) => (each.part === '-any' ? { ...each, part: '-panel' } : each))
}

/** Returns a check for texts as the server writes them, with any values. */
function matcherOf(others) {
  const plain = new Set(others)
  const escape = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const patterns = [...plain].filter((text) => text.includes('\0') && /\p{L}{3}/u.test(text))
  const all = patterns.map((text) => new RegExp(`^${text.split('\0').map(escape).join('.*')}$`))
  return (text) => plain.has(text) || all.some((each) => each.test(text))
}

/** Reads the catalogues of each language, by part, and the list of what stays English in it. */
function readCatalogues() {
  const languages = {}
  for (const name of readdirSync(WORDS)) {
    const [, language, part] = /^([a-z]{2})(-[a-z]+)?\.json$/.exec(name) ?? []
    if (!language) throw new Error(`web/words/${name} is no catalogue`)
    ;(languages[language] ??= {})[part ?? ''] = JSON.parse(readFileSync(path.join(WORDS, name), 'utf8'))
  }
  return languages
}

function main() {
  const { said, isKnown, bare } = readSources()
  const languages = readCatalogues()
  const [option, wanted] = process.argv.slice(2)
  if (option === '--table') {
    const parts = languages[wanted] ?? {}
    const cell = (text) => text.replaceAll(/\s+/g, ' ')
    for (const { id, part, at } of said.toSorted((one, other) => (one.at < other.at ? -1 : 1)))
      console.log([id, parts[''][id] ?? parts[part]?.[id] ?? '', at].map(cell).join('\t'))
    return
  }
  for (const { text, at } of bare) console.error(`${at} is not said by t: ${text}`)
  const shell = shellFaults(said)
  for (const each of shell) console.error(each)
  let count = bare.length + shell.length
  for (const [language, parts] of Object.entries(languages)) {
    const faults = faultsOf(said, isKnown, parts, { letters: SCRIPTS[language], same: SAME[language] })
    for (const each of faults) console.error(`${language}: ${each}`)
    count += faults.length
    console.log(`${said.length} texts in ${language}, ${faults.length} faults`)
  }
  process.exitCode = count > 0 ? 1 : 0
}

/** Texts that stay English in a language. */
const SAME = JSON.parse(readFileSync(path.join(ROOT, 'scripts/same-words.json'), 'utf8'))

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()

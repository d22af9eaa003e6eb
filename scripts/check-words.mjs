/**
 * Fails on words that this product does not use (banned-words.mjs), in every text that a person sees: `t(…)` and
 * `textWith(…)` in web/, the pages in web/, and messages in contract/, server/ and scripts/. It reads the comments of
 * all code, too. A hint that is a sentence ends with a full stop, and a fragment has none. `npm run check` runs it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript-5'
import { findBannedWords } from './banned-words.mjs'

const ROOT = path.resolve(import.meta.dirname, '..')
const FOLDERS = ['web', 'contract', 'server', 'scripts']
/** Only their comments are read. */
const OTHER_FOLDERS = ['test', 'bench', 'drills']
const READ = /\.(tsx?|m?js|html|css)$/
/** These quote banks, whose words the store does not choose. */
const SKIPPED = /\.test\.|(?:alerts\/form-of)\.ts$/
/** They hold the banned words. */
const OF_WORDS = /banned-words\.mjs$|^test\/words\.test\.ts$/
/** Texts of these reach a screen as they are. */
const SCREEN = /^web\/|^contract\/(audit|errors|fields|message-kinds)\.ts$/
/** A word alone is a label here. */
const LABELS = /^contract\/(audit|message-kinds)\.ts$/
/** The name of a value in a text is code. */
const VALUE = /\{\w+(?=[,}])/g
const TAG = /<[^>]*>/g
/** A comment, on a line of its own or behind code. */
const COMMENT = /(?:^\s*(?:\{?\/\*+|\*)|(?:^|\s)\/\/)\s(.*)/
/** Names in a comment are code. */
const NAME = /`[^`]*`|@param \S+/g
/** Calls whose first argument is a text on a screen. */
const TEXT_CALLS = new Set(['t', 'textWith'])
/** Tags of template strings that are code, not text. */
const CODE_TAGS = new Set(['sql'])

/**
 * Returns the banned words in one file's texts, each with its line.
 * @param {string} file its path from the root, with slashes
 * @param {string} source
 * @returns {{ file: string, line: number, text: string, found: string, use: string }[]}
 */
export function faultsIn(file, source) {
  const place = SCREEN.test(file) ? 'screen' : 'server'
  return textsIn(file, source).flatMap(({ line, text }) =>
    findBannedWords(text.replaceAll(VALUE, '{'), place).map(({ found, use }) => ({ file, line, text, found, use })),
  )
}

/**
 * Returns the banned words in one file's comments, each with its line.
 * @param {string} file
 * @param {string} source
 */
export function faultsOfComments(file, source) {
  return source.split('\n').flatMap((line, at) => {
    const text = COMMENT.exec(line)?.[1]?.replaceAll(NAME, '') ?? ''
    return findBannedWords(text, 'comment').map(({ found, use }) => ({ file, line: at + 1, text, found, use }))
  })
}

/**
 * Returns the texts that a person sees, each with its line.
 * @param {string} file
 * @param {string} source
 * @returns {{ line: number, text: string }[]}
 */
export function textsIn(file, source) {
  if (file.endsWith('.html'))
    return source.split('\n').map((text, at) => ({ line: at + 1, text: text.replaceAll(TAG, ' ') }))
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const texts = []
  const add = (node, text) => texts.push({ line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1, text })
  const onlyCalls = file.startsWith('web/')

  function visit(node, isText) {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isTaggedTemplateExpression(node) && CODE_TAGS.has(/^\w+/.exec(node.tag.getText())?.[0])) return
    const text = isText ? textOf(node) : undefined
    if (text !== undefined) add(node, text.replaceAll(TAG, ' '))
    if (text !== undefined && ts.isBinaryExpression(node)) return visitValues(node, isText)
    if (onlyCalls && ts.isCallExpression(node) && TEXT_CALLS.has(node.expression.getText())) {
      for (const [at, argument] of node.arguments.entries()) visit(argument, at === 0)
    } else {
      ts.forEachChild(node, (child) => visit(child, isText))
    }
  }

  /** Looks only into the values of a text that is put together, because its parts are counted as one text. */
  function visitValues(node, isText) {
    if (ts.isTemplateExpression(node)) for (const { expression } of node.templateSpans) visit(expression, isText)
    else if (ts.isBinaryExpression(node)) for (const side of [node.left, node.right]) visitValues(side, isText)
  }
  visit(tree, !onlyCalls)
  // A word alone is more often a name in code than a message.
  return onlyCalls || LABELS.test(file) ? texts : texts.filter(({ text }) => /\s/.test(text))
}

/** The text of a string or of several that are joined, with {} for its values. Undefined for other code. */
function textOf(node) {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const parts = [textOf(node.left), textOf(node.right)]
    return parts.some((part) => part === undefined) ? undefined : parts.join('')
  }
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('{}')
}

/** Their texts stand under a label or a title. */
const HINTS = new Set(['hint', 'description'])
/** Begins a hint that is no sentence. After a comma a main clause may follow: “For each key, enter a price.” */
const FRAGMENT = /^(What|Where)\b|^(At|For|Usually)\b[^,]*$/
/** What a sentence of a hint has. A new verb is added here. */
const VERBS = [
  'is|are|was|were|has|have|had|can|can’t|may|must|will|won’t|don’t|doesn’t|didn’t|isn’t|aren’t',
  '\\w+’(re|ll|s (sent|free|ignored))|buyers \\w+',
  'add|appears|approve|ask|changes|choose|come|copy|create|download|enter|fill|find|gets?|give|help|keep|leaves?|logs?',
  'make|match|needs?|opens?|paste|pays?|press|protects|read|saving|says|sees?|send|set|shows?|starts?|stays?|take|tap',
  'turn|upload|use|works',
].join('|')
const VERB = new RegExp(`(?<![\\p{L}’-])(${VERBS})(?![\\p{L}’-])`, 'iu')

/** Returns the hints of one file that break the rule of full stops. */
export function faultsOfStops(file, source) {
  if (!file.startsWith('web/')) return []
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const faults = []
  const read = (node) => {
    if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].forEach(read)
    const text = textOf(node)
    const says = text && stopFault(text)
    if (says) faults.push({ file, line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1, text, says })
  }
  function visit(node, isHint) {
    if (isHint && ts.isCallExpression(node) && TEXT_CALLS.has(node.expression.getText())) return read(node.arguments[0])
    const starts = (ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)) && HINTS.has(node.name.getText())
    const ends = ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node)
    ts.forEachChild(node, (child) => visit(child, (isHint && !ends) || starts))
  }
  visit(tree, false)
  return faults
}

/** A value says nothing about the rule: “{email}” is neither. */
function stopFault(text) {
  const words = text.replaceAll(/\{[^{}]*\}/g, 'it').trim()
  const isSentence = VERB.test(words) && !FRAGMENT.test(words)
  if (/[.!?]$/.test(words)) return isSentence ? undefined : 'is no sentence, so it has no full stop'
  return isSentence && !words.endsWith('…') ? 'is a sentence, so it ends with a full stop' : undefined
}

/** Looks through all files, and ends with 1 where a text has a banned word. */
function main() {
  const faults = []
  const stops = []
  let texts = 0
  for (const folder of [...FOLDERS, ...OTHER_FOLDERS]) {
    for (const name of readdirSync(path.join(ROOT, folder), { recursive: true })) {
      const file = `${folder}/${String(name).split(path.sep).join('/')}`
      if (!READ.test(file) || OF_WORDS.test(file)) continue
      const source = readFileSync(path.join(ROOT, file), 'utf8')
      faults.push(...faultsOfComments(file, source))
      if (OTHER_FOLDERS.includes(folder) || SKIPPED.test(file) || file.endsWith('.css')) continue
      texts += textsIn(file, source).length
      faults.push(...faultsIn(file, source))
      stops.push(...faultsOfStops(file, source))
    }
  }
  for (const { file, line, text, says } of stops) console.error(`${file}:${line} ${says}:\n    ${text}`)
  for (const { file, line, text, found, use } of faults)
    console.error(`${file}:${line} says “${found}”. Use: ${use}.\n    ${text}`)
  console.log(`${texts} texts, ${faults.length} banned words, ${stops.length} wrong stops`)
  process.exitCode = faults.length + stops.length > 0 ? 1 : 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()

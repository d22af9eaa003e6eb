/**
 * Checks the Markdown pages, as a step of `npm run check`: short sentences, short lines, the glossary's words, and no
 * link, anchor, path or quoted message that is not there. `node scripts/check-docs.mjs FILE…` checks those files alone.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { findBannedWords } from './banned-words.mjs'
import { textsIn } from './check-words.mjs'

const WORDS_MAX = 30
const LINE_MAX = 120
/** Cannot be broken into lines. */
const ONLY_LINK = /^\s*(?:[-*] )?!?\[[^\]]*\]\([^)]*\)[.,]?$/
const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g
const PICTURE = /<img [^>]*src="([^"]+)"/g
/** A file of the project named in code style, such as `server/main.ts`. */
const NAMED_FILE = /`((?:contract|server|web|test|bench|drills|scripts|docs)\/[\w./-]+\.\w+)`/g
const NEW_BLOCK = /^\s*(?:[-*] |\d+\. |#|\||>)/
/** In bold, as a page about trouble quotes it; … stands for a value. */
const MESSAGE = /\*\*`([^`]+)`/g
/** A place in the panel is written like **Settings > Messages**. */
const PLACE = /\b[A-Z]\w+ (?:>|→|›) [A-Z]\w+/
const BOLD_OR_CODE = /\*\*[^*]+\*\*|`[^`]*`/g
/** The system says it before the program can. */
const FROM_SYSTEM = ['EADDRINUSE']

const tracked = (...patterns) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(file))

let literals
/** Returns every text that the program can say, with {} for its values. A line of SQL or of a shell is one text. */
const readLiterals = () =>
  tracked('server/*.ts', 'server/*.sql', 'scripts/*.mjs', 'contract/*.ts', 'deploy/*.sh', ':!*.test.ts')
    .map((file) => [file, readFileSync(file, 'utf8')])
    .flatMap(([file, source]) =>
      /\.(ts|mjs)$/.test(file) ? textsIn(file, source).map(({ text }) => text) : source.split('\n'),
    )

/** True if one text has all parts of the message in their order. Halves of two texts are no message. */
function isSaid(message) {
  const parts = message.split('…').map((part) => part.trim().replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
  const pattern = new RegExp(parts.join('.*'), 's')
  // Takes seconds, and few pages quote messages
  literals ??= readLiterals()
  return FROM_SYSTEM.includes(message) || literals.some((text) => pattern.test(text))
}

/** @returns the lines with their numbers, without code blocks */
function proseLines(text) {
  let fenced = false
  let wasBreak = true
  return text.split('\n').flatMap((line, index) => {
    const fence = /^\s*(```|~~~)/.test(line)
    if (fence) fenced = !fenced
    // Four spaces after an empty line or more code begin code, but for an item of a list
    const isCode = fence || fenced || (wasBreak && /^ {4}(?! *(?:[-*]|\d+\.) )/.test(line))
    wasBreak = isCode || line.trim() === ''
    return isCode ? [] : [{ line, number: index + 1 }]
  })
}

/** @returns paragraphs, list items and table cells, each as one text with the number of its first line */
function blocksOf(lines) {
  const blocks = []
  let open
  for (const { line, number } of lines) {
    if (line.trim().startsWith('|')) {
      blocks.push(...line.split('|').map((cell) => ({ text: cell.trim(), number })))
      open = undefined
    } else if (line.trim() === '') open = undefined
    else if (open && !NEW_BLOCK.test(line)) open.text += ` ${line.trim()}`
    else blocks.push((open = { text: line.trim().replace(/^(?:[-*>#]+|\d+\.) +/, ''), number }))
  }
  return blocks
}

/** Code counts as one word, and a link as its text. */
const plain = (text) =>
  text
    .replaceAll(/`[^`]*`/g, 'Code')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_]{1,2}([^*_]+)[*_]{1,2}/g, '$1')

function longSentences(text) {
  const sentences = plain(text).split(/(?<=[.!?:]["”)]?)\s+(?=["“(]?[A-Z0-9₹])/)
  return sentences.filter(
    (sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length > WORDS_MAX,
  )
}

/** As GitHub names the anchors of a page. */
const anchorsOf = (file) =>
  proseLines(readFileSync(file, 'utf8'))
    .filter(({ line }) => /^#+ /.test(line))
    .map(({ line }) => line.replace(/^#+ /, '').trim().toLowerCase())
    .map((heading) => heading.replaceAll(/[^\p{L}\d\s_-]/gu, '').replaceAll(' ', '-'))

function leadsNowhere(file, to) {
  if (/^[a-z]+:/.test(to)) return false
  const [page, anchor] = to.split('#')
  const target = page === '' ? file : path.join(path.dirname(file), page)
  return !existsSync(target) || (anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor))
}

const found = (line, pattern) => [...line.matchAll(pattern)].map(([, first]) => first)
const deadLinks = (file, line) => [
  ...[...found(line, LINK), ...found(line, PICTURE)].filter((to) => leadsNowhere(file, to)),
  ...found(line, NAMED_FILE).filter((name) => !existsSync(name)),
]

function faultsOf(file) {
  const lines = proseLines(readFileSync(file, 'utf8'))
  const at = (number, fault) => `${file}:${number} ${fault}`
  return [
    ...lines.flatMap(({ line, number }) => [
      ...(line.length > LINE_MAX && !ONLY_LINK.test(line) ? [at(number, `${line.length} characters in a line`)] : []),
      ...deadLinks(file, line).map((to) => at(number, `leads nowhere: ${to}`)),
      ...found(line, MESSAGE)
        .filter((said) => !isSaid(said))
        .map((said) => at(number, `is no message: ${said}`)),
    ]),
    ...blocksOf(lines).flatMap(({ text, number }) => [
      ...(PLACE.exec(text.replaceAll(BOLD_OR_CODE, '')) ?? []).map((place) => at(number, `is in bold: ${place}`)),
      ...longSentences(text).map((sentence) => at(number, `over ${WORDS_MAX} words: ${sentence}`)),
      ...findBannedWords(plain(text), 'docs').map(({ found, use }) => at(number, `“${found}” is banned: ${use}`)),
    ]),
  ]
}

const files = process.argv.length > 2 ? process.argv.slice(2) : tracked('*.md')
const faults = files.flatMap(faultsOf)
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1

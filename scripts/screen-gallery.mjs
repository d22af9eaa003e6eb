/**
 * `npm run screenshots -- all`: a picture of every screen and state, in ./screenshots (ignored) with an index.html.
 * `npm run screenshots -- buy`: only of those that have the word in their name. The others stay as they were.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '..')
const FOLDER = path.join(ROOT, 'screenshots')
const LOOKS = ['390-dark', '390-light', '1280-dark', '1280-light']

const [word] = process.argv.slice(2)
const only = word === 'all' ? '' : word
mkdirSync(FOLDER, { recursive: true })
if (!only) for (const file of readdirSync(FOLDER)) if (file.endsWith('.png')) rmSync(path.join(FOLDER, file))
const code = await new Promise((resolve) => {
  const args = ['node_modules/@playwright/test/cli.js', 'test', 'user-screens', '-g', 'every screen', '--reporter=list']
  spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, JOURNEYS: 'all', SCREENSHOTS: FOLDER, SCREENSHOTS_OF: only },
    stdio: 'inherit',
  }).once('exit', resolve)
})

const pictures = readdirSync(FOLDER).filter((file) => file.endsWith('.png'))
const names = [...new Set(pictures.map((file) => file.split('--')[0]))]
const cell = (file) =>
  pictures.includes(file) ? `<a href="${file}"><img loading="lazy" src="${file}" alt=""></a>` : ''
const rows = names.map((name) => {
  const cells = LOOKS.map((look) => `<td class="w${look.split('-')[0]}">${cell(`${name}--${look}.png`)}</td>`)
  return `<tr><th id="${name}">${name.replaceAll('-', ' ')}</th>${cells.join('')}</tr>`
})
writeFileSync(
  path.join(FOLDER, 'index.html'),
  `<!doctype html><meta charset="utf-8"><title>Screens</title>
<style>body{font:14px system-ui;margin:16px;background:#888}td,th{vertical-align:top;text-align:left;padding:8px}
.w390 img{width:240px}.w1280 img{width:640px}
img{display:block;max-height:900px;object-fit:cover;object-position:top}</style>
<table><tr><th></th>${LOOKS.map((look) => `<th>${look.replace('-', ' px, ')}</th>`).join('')}</tr>
${rows.join('\n')}</table>\n`,
)
console.log(`${pictures.length} pictures of ${names.length} screens and states: ${path.join(FOLDER, 'index.html')}`)
process.exitCode = code ?? 1

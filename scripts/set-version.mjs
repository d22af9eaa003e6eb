/** Makes the next version of what *Unreleased* says in the changelog. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const VERSION = /^\d+\.\d+\.\d+$/
/** The places that name the version of today. */
const FILES = ['package.json', 'package-lock.json', 'README.md', 'docs/install.md', 'docs/several-machines.md']

/** @returns {string} what is written under *Unreleased* */
export function unreleased(changelog) {
  return (/^## \[?Unreleased\]?\n([\s\S]*?)(?=^## )/m.exec(changelog)?.[1] ?? '').trim()
}

/** @throws Error in a sentence, before anything is written */
export function setVersion(root, next, today = new Date()) {
  const at = (file) => path.join(root, file)
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
  const parts = (text) => text.split('.').map((part) => part.padStart(9, '0'))
  if (!VERSION.test(next)) throw new Error(`${next} is no version like 0.2.0`)
  if (parts(next).join() <= parts(version).join())
    throw new Error(`${next} is not newer than ${version}. Nothing was changed.`)
  const changelog = readFileSync(at('CHANGELOG.md'), 'utf8')
  if (unreleased(changelog) === '')
    throw new Error('CHANGELOG.md says nothing under Unreleased, so there is nothing to release.')
  const day = today.toISOString().slice(0, 10)
  writeFileSync(at('CHANGELOG.md'), changelog.replace(/^## Unreleased\n/m, `## Unreleased\n\n## ${next} – ${day}\n`))
  for (const file of FILES) {
    const text = readFileSync(at(file), 'utf8')
    const named = file.endsWith('.json')
      ? text.replace(/("name": "chaabi",\s+"version": )"[^"]+"/g, `$1"${next}"`)
      : text.replaceAll(`chaabi_${version}_`, `chaabi_${next}_`).replaceAll(`\`v${version}\``, `\`v${next}\``)
    writeFileSync(at(file), named)
  }
}

/** Prints what the changelog says of the version in package.json, for the page of its release. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
const [, lines] = readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8').split(
  new RegExp(`^## ${version.replaceAll('.', '\\.')}.*$`, 'm'),
)
if (lines === undefined) {
  console.error(`CHANGELOG.md says nothing of ${version}.`)
  process.exit(1)
}
console.log(lines.split(/^## /m)[0].trim())

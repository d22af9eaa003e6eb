/**
 * `npm run licences`: every package of the lock file by its licence; those that the store runs with are counted apart.
 * Ends with 1 for a licence that nobody has looked at.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const LOCK = path.resolve(import.meta.dirname, '../package-lock.json')

/** All of them go with AGPL-3.0: they ask for a notice, or for the source of themselves. */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MIT OR CC0-1.0',
  'MIT OR EUPL-1.1+',
  'MPL-2.0',
  'OFL-1.1',
  'PSF-2.0',
]
/** Whose package.json names no licence in the way of today; read by hand in their LICENSE file. */
const READ_BY_HAND: Record<string, string> = { 'parse-cache-control@1.0.1': 'BSD-3-Clause' }

interface Package {
  name?: string
  version: string
  license?: string
  dev?: boolean
  devOptional?: boolean
}

/** What a licence is asked of: a package, and whether the store runs with it. */
interface Licensed {
  name: string
  licence: string
  isRunWith: boolean
}

/** @returns name@version → licence, for each package of the lock file, and whether the store runs with it */
export function readLicences(lockFile = LOCK): Licensed[] {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Record<string, Package> }
  return Object.entries(packages)
    .filter(([place]) => place !== '')
    .map(([place, entry]) => {
      const name = `${entry.name ?? place.split('node_modules/').at(-1)}@${entry.version}`
      const licence = (entry.license ?? READ_BY_HAND[name] ?? 'unknown').replaceAll(/^\(|\)$/g, '')
      return { name, licence, isRunWith: !entry.dev && !entry.devOptional }
    })
}

export const isAllowed = (licence: string): boolean => ALLOWED.includes(licence)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const byLicence = groupBy(readLicences())
  for (const [licence, packages] of [...byLicence].toSorted(([, a], [, b]) => b.length - a.length)) {
    const runWith = packages.filter((each) => each.isRunWith).length
    const names = packages.length > 5 ? '' : `: ${packages.map((each) => each.name).join(', ')}`
    console.log(
      `${isAllowed(licence) ? '   ' : 'NO '} ${licence}: ${packages.length}, ${runWith} of them at run time${names}`,
    )
    if (!isAllowed(licence)) process.exitCode = 1
  }
}

function groupBy(packages: readonly Licensed[]): Map<string, Licensed[]> {
  const groups = new Map<string, Licensed[]>()
  for (const each of packages) groups.set(each.licence, [...(groups.get(each.licence) ?? []), each])
  return groups
}

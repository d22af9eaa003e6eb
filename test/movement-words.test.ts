import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** What the ledger's callers write of a movement in words of the store. */
const WRITTEN = /\bdescription: '([A-Z][^']+)|\bdescribed\('([^']+)'\)/g
/** Their words are of other things. */
const OTHERS = /\/(api-docs|platform|demo)\/|referral-codes|\.test\./

test('every movement of a wallet is described in Hindi, too', () => {
  const hindi = JSON.parse(readFileSync('web/words/hi.json', 'utf8')) as Record<string, string>
  const written = readdirSync('server', { recursive: true, encoding: 'utf8' })
    .map((name) => `server/${name}`)
    .filter((file) => file.endsWith('.ts') && !OTHERS.test(file))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(WRITTEN)])
    .map(([, plain, described]) => plain ?? described ?? '')
  expect(written).toContain('Reward for inviting a friend')
  expect(written).toContain('Added by admin')
  // What stands behind a colon was written by an admin, unless the whole is known
  expect(written.filter((text) => !(text in hindi) && !((text.split(': ')[0] ?? '') in hindi))).toEqual([])
})

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { TERMS_CHANGED, TERMS_VERSION } from '../contract/limits.ts'

test('the words of a consent name the version that is recorded, wherever one is asked', () => {
  const said = new Date(`${TERMS_VERSION}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  expect(TERMS_CHANGED).toBe(said)
  const asking = readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => ({ file, source: readFileSync(path.join('web', file), 'utf8') }))
    .filter(({ source }) => /you agree to the|I agree to the/.test(source))
  expect(asking.map(({ file }) => file)).toHaveLength(2)
  for (const { file, source } of asking) {
    expect(source, file).toContain("t('terms (updated {date})', { date: t(TERMS_CHANGED) })")
    expect(source, file).not.toContain('TERMS_EFFECTIVE')
  }
})

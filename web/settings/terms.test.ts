import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { TERMS_VERSION } from '../../contract/limits.ts'
import { termsSections } from './terms.ts'

/** SHA-256 of each version's text as it stands: consents that are kept name a version, and mean this text. */
const TEXTS: Record<typeof TERMS_VERSION, string> = {
  '2025-07-19': '537faffd23e9f221cda79859d8be9e5c4269cbc1ea8d9d799c1c5d5d4591a4fe',
}

test('the text of a version of the terms stays as people agreed to it', () => {
  const text = JSON.stringify(termsSections('the store'))
  // After a change that means something: a new TERMS_VERSION, TERMS_EFFECTIVE and line here; the old line goes
  expect(createHash('sha256').update(text).digest('hex')).toBe(TEXTS[TERMS_VERSION])
})

import { expect, test } from 'vitest'
import { TERMS_VERSION } from '../../contract/limits.ts'
import { termsSections } from './terms.ts'

/** SHA-256 of each version's text. Stored consents name a version and mean this text. */
const TEXTS: Record<typeof TERMS_VERSION, string> = {
  '2025-07-19': '79f219a86cd52c1b2a638d55d13f16a2a9b93fa5cb1c718bfe351818124aac5b',
}

test('the terms promise no refund in full, no pace and no support that no setting of the store backs', () => {
  expect(JSON.stringify(termsSections('the store'))).not.toMatch(
    /in full|same day|within \d+ (?:minutes|days)|support/i,
  )
})

test('the text of a version of the terms stays as people agreed to it', async () => {
  const text = new TextEncoder().encode(JSON.stringify(termsSections('the store')))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  // A change of meaning needs a new TERMS_VERSION, TERMS_EFFECTIVE and line here. The old line then goes.
  expect([...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')).toBe(TEXTS[TERMS_VERSION])
})

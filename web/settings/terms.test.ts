import { expect, test } from 'vitest'
import { translator } from '../../contract/words.ts'
import { speak } from '../platform/i18n.ts'
import terms from '../words/hi-terms.json' with { type: 'json' }
import words from '../words/hi.json' with { type: 'json' }
import { TERMS_VERSION, type TERMS_VERSIONS } from '../../contract/limits.ts'
import { termsSections, USUAL_REFUNDS, type RefundTerms } from './terms.ts'

/** SHA-256 of each version's text. Stored consents name a version and mean this text. */
const TEXTS: Record<(typeof TERMS_VERSIONS)[number], string> = {
  '2026-11-30': 'fa4dac0c4c219c893fc746e32ed8691185320772cd5e842f06402d69cc1f829e',
  '2026-11-25': '00f3f53d6535352a3d28fa3b6279ee2fdc6e16875a245f67dba4f71d4f1d8db1',
  '2026-11-23': '6f2d48e426f46ceff5252544e6cdfc86864feab7bb5e6e926650c675d7b07514',
  '2025-07-19': '79f219a86cd52c1b2a638d55d13f16a2a9b93fa5cb1c718bfe351818124aac5b',
}

const IN_HINDI = '96cd5c819986de57c00450cb827b197fb41ca3684df7bb70c2a1371970859b86'

test('the terms promise no refund in full, no pace and no support that no setting of the store backs', () => {
  expect(JSON.stringify(termsSections('the store'))).not.toMatch(
    /in full|same day|within \d+ (?:minutes|days)|support/i,
  )
})

test('the terms are true with and without rules that approve, and name all whom the store gives data to', () => {
  const text = JSON.stringify(termsSections('the store'))
  expect(text).not.toMatch(/an admin compares|wrong amount|without delay/i)
  expect(text).toContain('the services that carry our messages (email, Telegram, push)')
})

test('the refund policy says the store’s own fee and rules', () => {
  const text = (terms: RefundTerms) => JSON.stringify(termsSections('the store', terms))
  expect(text(USUAL_REFUNDS)).toContain('It is now ₹20.')
  expect(text({ refundFee: 50, refundNote: 'No refunds on Diwali.' })).toMatch(
    /It is now ₹50\..*No refunds on Diwali\./,
  )
  expect(text({ refundFee: 0, refundNote: '' })).toContain('We deduct no service fee.')
})

async function hashNow(): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(termsSections('the store')))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text))
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

test('the text of a version of the terms stays as people agreed to it', async () => {
  // A change of meaning needs a new TERMS_VERSION, TERMS_CHANGED and line here. Old lines stay, as consents name them.
  expect(await hashNow()).toBe(TEXTS[TERMS_VERSION])
})

test('the Hindi text stays the one that was made for this version', async () => {
  speak('hi', translator('hi', new Map(Object.entries({ ...words, ...terms }))))
  try {
    // It helps to understand the English text, which applies. A better translation needs only a new hash here
    expect(await hashNow()).toBe(IN_HINDI)
  } finally {
    speak('en', translator('en'))
  }
})

import { afterEach, expect, test, vi } from 'vitest'
import { viewerZone } from './viewer-zone.ts'

afterEach(() => void vi.unstubAllGlobals())

test('A zone is one zone however it is spelled, and its browser gets it back as it was spelled', () => {
  expect(viewerZone('America/New_York')).toEqual({ spelled: 'America/New_York', own: 'America/New_York' })
  expect(viewerZone('aMERICA/nEW_yORK')).toEqual({ spelled: 'aMERICA/nEW_yORK', own: 'America/New_York' })
  expect(viewerZone('Asia/Kolkata').spelled).toBe('Asia/Kolkata')
})

test('The store’s own zone stands in for none, and for one that does not exist', () => {
  const home = { spelled: 'Asia/Kolkata', own: 'Asia/Kolkata' }
  for (const cookie of [undefined, '', 'Mars/Olympus', '<script>', 'x'.repeat(10_000)])
    expect(viewerZone(cookie)).toEqual(home)
})

test('A thousand spellings of a zone cost one format at most', () => {
  let made = 0
  class Counted extends Intl.DateTimeFormat {
    constructor(locale: string, options: Intl.DateTimeFormatOptions) {
      super(locale, options)
      made++
    }
  }
  vi.stubGlobal('Intl', { DateTimeFormat: Counted })
  const own = new Set<string>()
  for (let number = 0; number < 1_000; number++) {
    let letters = 0
    const spelling = 'europe/lisbon'.replaceAll(/[a-z]/g, (letter) =>
      (number >> letters++) & 1 ? letter.toUpperCase() : letter,
    )
    own.add(viewerZone(spelling).own)
  }
  expect(made).toBeLessThanOrEqual(1)
  expect([...own]).toEqual(['Europe/Lisbon'])
})

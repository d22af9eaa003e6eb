import { expect, test } from 'vitest'
import type { OwnedKey } from '../../contract/keys.ts'
import { DAY_MS } from '../../contract/time.ts'
import { translator } from '../../contract/words.ts'
import { filterProducts } from '../catalogue/filter-products.ts'
import { speak } from '../platform/i18n.ts'
import words from '../words/hi.json' with { type: 'json' }
import { filterKeys, ordersOf, soonestFirst } from './group-keys.ts'
import { nextToExpire } from './key-time.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')

function givenKey(key: string, leftMs: number, boughtDaysAgo = 3): OwnedKey {
  return {
    _id: key,
    key,
    productId: { _id: 'p1', name: 'Night Circuit VIP' },
    duration: '10 Days',
    assignedAt: new Date(NOW - boughtDaysAgo * DAY_MS).toISOString(),
    expiresAt: new Date(NOW + leftMs).toISOString(),
  }
}

const texts = (keys: readonly OwnedKey[]) => keys.map(({ key }) => key)

test('keys bought at one moment are one order', () => {
  const orders = ordersOf([givenKey('A', DAY_MS), givenKey('B', DAY_MS), givenKey('C', DAY_MS, 4)])

  expect(orders.map(({ keys }) => texts(keys))).toEqual([['A', 'B'], ['C']])
})

test('a new order comes first, then what expires next, and what is over at the end', () => {
  const orders = ordersOf([
    givenKey('new', 30 * DAY_MS, 0.5),
    givenKey('late', 9 * DAY_MS, 1.5),
    givenKey('over', -DAY_MS, 2),
    givenKey('soon', DAY_MS, 3),
    givenKey('long over', -2 * DAY_MS, 4),
  ])

  expect(soonestFirst(orders, NOW).map(({ id }) => id)).toEqual(['new', 'soon', 'late', 'over', 'long over'])
  const later = soonestFirst(orders, NOW + DAY_MS / 2)
  expect(
    later.map(({ id }) => id),
    'news for a day',
  ).toEqual(['soon', 'late', 'new', 'over', 'long over'])
})

test('a key is active, expiring within seven days, or expired, to the millisecond, soonest first', () => {
  const keys = [
    givenKey('over', 0),
    givenKey('last', 1),
    givenKey('week', 7 * DAY_MS),
    givenKey('soon', 7 * DAY_MS - 1),
  ]

  expect(texts(filterKeys(keys, 'active', '', NOW))).toEqual(['last', 'soon', 'week'])
  expect(texts(filterKeys(keys, 'expiring', '', NOW))).toEqual(['last', 'soon'])
  expect(texts(filterKeys(keys, 'expired', '', NOW))).toEqual(['over'])
  expect(nextToExpire(keys, NOW)?.key).toBe('last')
  expect(nextToExpire([givenKey('over', -1)], NOW)).toBeUndefined()
})

test('every word of a search is found somewhere in product, duration or key', () => {
  const keys = [givenKey('NCV1-8F2Q', DAY_MS), givenKey('NCV1-ZZ91', DAY_MS)]

  expect(texts(filterKeys(keys, 'all', 'circuit 8f2q', NOW))).toEqual(['NCV1-8F2Q'])
  expect(texts(filterKeys(keys, 'all', ' 10 days ', NOW))).toHaveLength(2)
  expect(texts(filterKeys(keys, 'all', 'drift', NOW))).toEqual([])
})

test('keys and products are found by a duration as its reader sees it', () => {
  speak('hi', translator('hi', new Map(Object.entries(words))))
  try {
    const keys = [givenKey('A', DAY_MS)]
    expect(texts(filterKeys(keys, 'all', '10 दिन', NOW))).toEqual(['A'])
    expect(texts(filterKeys(keys, 'all', '10 days', NOW))).toEqual(['A'])
    const product = { name: 'Night Circuit VIP', description: '', prices: [{ duration: '10 Days' }] }
    expect(filterProducts([product as never], 'all', '10 दिन')).toHaveLength(1)
  } finally {
    speak('en', translator('en'))
  }
})

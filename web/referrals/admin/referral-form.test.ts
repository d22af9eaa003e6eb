import { expect, test } from 'vitest'
import { draftOf, faultsOf, suggestCode, termsOf } from './referral-form.ts'
import { filterReferrals, usageText, usageTone, usedShare } from './usage.ts'

const draft = { ...draftOf(), code: ' diwali-26 ', description: ' Festival ' }

test('a code is sent in upper case, an empty max usage as unlimited, an empty reward as none', () => {
  expect(faultsOf(draft)).toEqual({})
  expect(termsOf({ ...draft, rewardAmount: '' })).toEqual({
    code: 'DIWALI-26',
    description: 'Festival',
    maxUsage: null,
    rewardAmount: 0,
    isActive: true,
    paysAfterTopUp: true,
    dayMax: null,
  })
})

test('a new code pays with the first top-up while it has no limit of uses, until the owner says otherwise', () => {
  const pays = (part: Partial<typeof draft>) => termsOf({ ...draft, ...part }).paysAfterTopUp
  expect([pays({}), pays({ maxUsage: '5' })]).toEqual([true, false])
  expect([pays({ paysAfterTopUp: false }), pays({ maxUsage: '5', paysAfterTopUp: true })]).toEqual([false, true])
})

test('code and description are required', () => {
  expect(faultsOf(draftOf())).toEqual({ code: 'Code is required', description: 'Description is required' })
})

test.each([
  ['maxUsage', '0'],
  ['maxUsage', '1.5'],
  ['maxUsage', '-1'],
  ['rewardAmount', '-0.01'],
  ['rewardAmount', '1.005'],
  ['code', 'AB'],
  ['code', 'A B C'],
])('%s cannot be %j', (field, written) => {
  expect(Object.keys(faultsOf({ ...draft, [field]: written }))).toEqual([field])
})

test('max usage cannot fall below what is used', () => {
  expect(faultsOf({ ...draft, maxUsage: '4' }, 5).maxUsage).toContain('Already used 5 times')
  expect(faultsOf({ ...draft, maxUsage: '5' }, 5)).toEqual({})
})

test('a suggested code is a valid one', () => {
  for (let turn = 0; turn < 50; turn++) expect(faultsOf({ ...draft, code: suggestCode() })).toEqual({})
})

test('usage is told in words, as a share and by tone', () => {
  expect(usageText({ usageCount: 1_234, maxUsage: null })).toBe('1,234 used · unlimited')
  expect(usageText({ usageCount: 3, maxUsage: 10 })).toBe('3 of 10 used')
  expect(usedShare({ usageCount: 12, maxUsage: 10 })).toBe(1)
  expect(usageTone({ usageCount: 8, maxUsage: 10 })).toBe('warn')
  expect(usageTone({ usageCount: 10, maxUsage: 10 })).toBe('bad')
})

test('the list is filtered by kind and by words of code and description', () => {
  const code = {
    _id: '1',
    code: 'WELCOME',
    description: 'Launch stream',
    maxUsage: 1,
    rewardAmount: 0,
    isActive: true,
    paysAfterTopUp: false,
    dayMax: null,
    given: 0,
    usageCount: 1,
    createdBy: { username: 'owner' },
    createdAt: '2026-11-20T00:00:00.000Z',
  }
  const other = { ...code, _id: '2', code: 'FRIENDS', maxUsage: null, isActive: false }
  expect(filterReferrals([code, other], 'used-up', '')).toEqual([code])
  expect(filterReferrals([code, other], 'inactive', 'stream fri')).toEqual([other])
})

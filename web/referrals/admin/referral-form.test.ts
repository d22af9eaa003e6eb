import { expect, test } from 'vitest'
import { referrals } from '../../../contract/referrals.ts'
import { draftOf, paysAfterTopUp, suggestCode } from './referral-form.ts'
import { filterReferrals, usageText, usageTone, usedShare } from './usage.ts'

test('a new code pays with the first top-up while it has no limit of uses, until the owner says otherwise', () => {
  const pays = (part: Partial<ReturnType<typeof draftOf>>) => paysAfterTopUp({ ...draftOf(), ...part })
  expect([pays({}), pays({ maxUsage: '5' })]).toEqual([true, false])
  expect([pays({ paysAfterTopUp: false }), pays({ maxUsage: '5', paysAfterTopUp: true })]).toEqual([false, true])
})

test('a suggested code is a valid one', () => {
  const { code } = referrals.create.input.shape
  for (let turn = 0; turn < 50; turn++) expect(code.safeParse(suggestCode()).success).toBe(true)
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

import { describe, expect, test } from 'vitest'
import { setServerTime } from '../../platform/clock.ts'
import { amountFault, changeOf, previewOf } from './wallet-change.ts'

const now = Date.parse('2026-11-21T06:00:00Z')
const deduct = { direction: 'deduct', amount: '250.50', days: 60 } as const

describe('a change of a wallet', () => {
  test('a deduction is sent with a minus, to the paisa', () => {
    expect(changeOf(deduct)).toBe(-250_50)
    expect(changeOf({ ...deduct, direction: 'add', amount: '1,000' })).toBe(1_000_00)
    expect(changeOf({ ...deduct, amount: '' })).toBe(0)
  })

  test('the result is shown before it is done', () => {
    expect(previewOf(deduct, 1_000.25, now)).toMatchObject({ before: 1_000.25, after: 749.75 })
  })

  test('what its end does is said in words', () => {
    setServerTime(new Date(now).toISOString())
    expect(previewOf(deduct, 1_000, now)?.end).toContain('₹250.50 returns to the wallet')
    expect(previewOf({ ...deduct, days: undefined }, 1_000, now)?.end).toContain('permanent')
    expect(previewOf({ ...deduct, direction: 'add' }, 0, now)?.end).toContain('20\u00A0Jan\u00A02027')
  })

  test('no more can be deducted than there is, and nothing that is no amount', () => {
    expect(amountFault(deduct, 100)).toBe('You can deduct up to ₹100. The balance can’t go below ₹0.')
    expect(amountFault({ ...deduct, amount: '-5' }, 100)).toContain('Enter an amount')
    expect(amountFault({ ...deduct, amount: '1.999' }, 100)).toContain('Enter an amount')
    expect(amountFault({ ...deduct, amount: '0' }, 100)).toContain('Enter an amount')
    expect(amountFault({ ...deduct, amount: '' }, 0)).toBeUndefined()
    expect(amountFault({ ...deduct, amount: '', reason: 'A gift' }, 0)).toContain('Enter an amount')
  })
})

import { describe, expect, test } from 'vitest'
import type { Payment } from '../../../../contract/payments.ts'
import type { PaymentSigns } from '../../../../contract/payment-signs.ts'
import { behind, steady } from './rows.ts'
import { isSuspicious } from '../../../../contract/review-requests.ts'
import { riskSignalsOf } from '../requests/risk-signals.ts'

const first = { order: 'newest', isFirstPage: true, pageSize: 3 } as const

/** A pending request; a later minute is a newer one. */
function given(minute: number, change: Partial<Payment> = {}): Payment {
  return {
    _id: `p${minute}`,
    userId: { _id: 'u1', username: 'aarav', email: 'aarav@example.in' },
    productId: null,
    type: 'add_money',
    status: 'pending',
    amount: 100,
    utr: `4026134530${minute}`,
    payerName: '9847351801',
    duration: '',
    createdAt: `2026-11-21T06:${minute}:00.000Z`,
    ...change,
  }
}

const ids = (payments: Iterable<{ _id: string }>) => Array.from(payments, (payment) => payment._id)

describe('rows that stay', () => {
  test('a newer request is counted and moves nothing', () => {
    const held = [given(30), given(20), given(10)]

    const { rows, arrivals, gone } = steady(held, [given(40), given(30), given(20)], first)

    expect(ids(rows)).toEqual(['p30', 'p20', 'p10'])
    expect(arrivals).toBe(1)
    expect(gone.size).toBe(0)
  })

  test('a request that another admin has decided is marked where it stands', () => {
    const { rows, gone } = steady([given(30), given(20), given(10)], [given(30), given(10)], first)

    expect(ids(rows)).toEqual(['p30', 'p20', 'p10'])
    expect([...gone]).toEqual(['p20'])
  })

  test('the last of a full page may have been pushed off, and is not marked', () => {
    expect(steady([given(30), given(20), given(10)], [given(50), given(40), given(30)], first).gone.size).toBe(0)
  })

  test('what has changed is shown as it is now', () => {
    const { rows } = steady([given(30)], [given(30, { status: 'approved' })], first)

    expect(rows[0]?.status).toBe('approved')
  })

  test('older pages have no arrivals', () => {
    const { arrivals, gone } = steady([given(20)], [given(30)], { ...first, isFirstPage: false })

    expect(arrivals).toBe(0)
    expect(gone.size).toBe(0)
  })
})

describe('the queue, oldest first', () => {
  const queue = { order: 'oldest', isFirstPage: true, pageSize: 3 } as const

  test('who comes later stands behind, and who was taken out stays out', () => {
    const held = [given(10), given(20)]
    const fresh = [given(10), given(20), given(30), given(40)]

    expect(ids(behind(held, fresh, new Set()))).toEqual(['p30', 'p40'])
    expect(ids(behind(held, fresh, new Set(['p30'])))).toEqual(['p40'])
    expect(steady(held, fresh, queue).arrivals).toBe(0)
  })

  test('whatever is missing has been decided, also at the end of a full page', () => {
    const { rows, gone } = steady([given(10), given(20), given(30)], [given(10), given(40), given(50)], queue)

    expect(ids(rows)).toEqual(['p10', 'p20', 'p30'])
    expect([...gone]).toEqual(['p20', 'p30'])
  })
})

describe('signs of trouble', () => {
  const none: PaymentSigns = { utrRejectedBefore: false, phoneUsedBy: [], requestOfDay: 1, isFirstTopUp: false }
  const at = Date.parse('2026-11-21T06:30:00.000Z')
  const texts = (signs: Partial<PaymentSigns>, now = at) =>
    riskSignalsOf(given(30, { signs: { ...none, ...signs } }), now).map((sign) => sign.text)

  test('are said in words, the worst first', () => {
    expect(texts({ isFirstTopUp: true, utrRejectedBefore: true, phoneUsedBy: ['diya', 'om'] })).toEqual([
      'This UTR was rejected before',
      'Phone number also used by diya, om',
      'First top-up',
    ])
    expect(texts({})).toEqual([])
    expect(riskSignalsOf(given(30), at)).toEqual([])
  })

  test('a third request of a day is said, by the Indian day', () => {
    expect(texts({ requestOfDay: 2 })).toEqual([])
    expect(texts({ requestOfDay: 3 })).toEqual(['Request #3 today'])
    expect(texts({ requestOfDay: 3 }, Date.parse('2026-11-21T18:29:00.000Z'))).toEqual(['Request #3 today'])
    expect(texts({ requestOfDay: 3 }, Date.parse('2026-11-21T18:30:00.000Z'))).toEqual(['Request #3 that day'])
  })

  test('an unusual UTR is said, and is a reason to look', () => {
    const payment = { ...given(30, { signs: none }), unusual: true }
    expect(riskSignalsOf(payment, at).map(({ text }) => text)).toEqual(['Unusual UTR. Check your bank statement.'])
    expect(isSuspicious(payment)).toBe(true)
  })

  test('a first top-up alone is no reason to be suspicious', () => {
    expect(isSuspicious({ signs: { ...none, isFirstTopUp: true } })).toBe(false)
    expect(isSuspicious({ signs: { ...none, phoneUsedBy: ['diya'] } })).toBe(true)
  })
})

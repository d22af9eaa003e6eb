import { describe, expect, test } from 'vitest'
import type { Payment } from '../../contract/payments.ts'
import { steady } from './payment-manager-rows.ts'
import { signsOf } from './payment-manager-signs.ts'

const first = { isFirstPage: true, pageSize: 3 }

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
    const { arrivals, gone } = steady([given(20)], [given(30)], { isFirstPage: false, pageSize: 3 })

    expect(arrivals).toBe(0)
    expect(gone.size).toBe(0)
  })
})

describe('signs of trouble', () => {
  const none = { sameUtr: [], samePhone: [], ofBuyer: [] }
  const texts = (payment: Payment, known: Partial<Parameters<typeof signsOf>[1]>) =>
    signsOf(payment, { ...none, ...known }).map((sign) => sign.text)

  test('the first top-up of a buyer is said to be one', () => {
    expect(texts(given(30), { ofBuyer: [given(30)] })).toEqual(['First top-up'])
    expect(texts(given(30), { ofBuyer: [given(30), given(10, { status: 'approved' })] })).toEqual([])
  })

  test('a UTR that was rejected before, and a phone of another account', () => {
    const other = { _id: 'u2', username: 'diya', email: 'diya@example.in' }
    const rejected = given(10, { status: 'rejected', utr: '402613453030' })
    const known = {
      sameUtr: [given(30), rejected],
      samePhone: [given(30), given(20, { userId: other })],
      ofBuyer: [given(10, { status: 'approved' })],
    }

    expect(texts(given(30), known)).toEqual(['This UTR was rejected before', 'Phone also used by diya'])
  })

  test('the third request of a day counts those before it, by the Indian day', () => {
    const ofBuyer = [given(30), given(20, { status: 'approved' }), given(10)]

    expect(texts(given(30), { ofBuyer })).toEqual(['Request no. 3 today'])
    expect(texts(given(20), { ofBuyer: [...ofBuyer, given(11, { status: 'approved' })] })).toEqual([
      'Request no. 3 today',
    ])
    const yesterday = given(12, { status: 'approved', createdAt: '2026-11-20T18:29:00.000Z' })
    expect(texts(given(30), { ofBuyer: [given(30), given(20), yesterday] })).toEqual([])
  })
})

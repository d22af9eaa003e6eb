import { expect, test } from 'vitest'
import type { Payment } from '../../../../contract/payments.ts'
import { isRequest, kindOf } from './words.ts'

const request = { type: 'add_money', utr: '412345678901', payerName: '9876543210' } as Payment

test.each([
  ['of a buyer', request, true, 'Top-up request'],
  ['whose phone is erased, or that an admin filed', { ...request, payerName: '' }, true, 'Top-up request'],
  ['without a transfer', { ...request, utr: '', payerName: '' }, false, 'Added by admin'],
])('an addition %s is called what it is', (_, payment, isOne, kind) => {
  expect(isRequest(payment)).toBe(isOne)
  expect(kindOf(payment)).toBe(kind)
})

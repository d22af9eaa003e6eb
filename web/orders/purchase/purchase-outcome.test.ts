import { describe, expect, test } from 'vitest'
import { ApiError } from '../../platform/calls/api-error.ts'
import { failureText, isRefused } from './purchase-outcome.ts'

const error = (status: number, code: ApiError['code'] = 'UNKNOWN', message = 'No.') =>
  new ApiError({ status, code, message })

describe('an answer', () => {
  test('that is a refusal of the store settles the order', () => {
    expect(isRefused(error(409, 'OUT_OF_STOCK'), false)).toBe(true)
    expect(isRefused(error(409, 'INSUFFICIENT_BALANCE'), true)).toBe(true)
    expect(isRefused(error(429, 'RATE_LIMITED'), false)).toBe(true)
    expect(isRefused(error(401, 'NO_SESSION'), false)).toBe(true)
  })

  test('that is lost, or a fault, leaves it open', () => {
    expect(isRefused(error(0, 'OFFLINE'), false)).toBe(false)
    expect(isRefused(error(500, 'INTERNAL'), false)).toBe(false)
    expect(isRefused(error(502, 'NOT_JSON'), false)).toBe(false)
    expect(isRefused(error(200, 'NOT_JSON'), false)).toBe(false)
    expect(isRefused(new TypeError('Failed to fetch'), false)).toBe(false)
  })

  test('about the question alone does not settle an order that is open', () => {
    expect(isRefused(error(429, 'RATE_LIMITED'), true)).toBe(false)
    expect(isRefused(error(401, 'NO_SESSION'), true)).toBe(false)
    expect(isRefused(error(403, 'NOT_JSON'), true)).toBe(false)
  })
})

test('a failure is told in the words of the specification', () => {
  expect(failureText(error(409, 'OUT_OF_STOCK', 'OUT OF STOCK'))).toBe('Failed to purchase key(s): OUT OF STOCK')
  expect(failureText(error(502, 'NOT_JSON', 'Busy.'))).toBe(
    'Failed to purchase key(s): Server error (status 502): Busy.',
  )
  const wordless = new ApiError({ status: 500, code: 'UNKNOWN', message: 'Something went wrong', isWordless: true })
  expect(failureText(wordless)).toBe('Failed to purchase key(s): Unknown error')
})

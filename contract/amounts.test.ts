import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { AMOUNT_MAX, rupeesBetween } from './amounts.ts'
import { paise } from './money.ts'

const TopUp = rupeesBetween(paise(1_00), AMOUNT_MAX, 'Minimum amount is ₹1')
const faultOf = (written: unknown) => z.safeParse(TopUp, written).error?.issues.map(({ message }) => message)

test.each([100.999, '100.999', '1,00,000.125', 0.001, -3.141])('%s is refused for its decimals', (written) => {
  expect(faultOf(written)).toEqual(['Enter an amount with at most 2 decimals'])
})

test.each([0.99, '0', '-5', 'ten', '', 1e12, null])('%s is refused by the message of its field', (written) => {
  expect(faultOf(written)).toEqual(['Minimum amount is ₹1'])
})

test.each([1, '1.5', '1,00,000.25', 499.99])('%s is taken', (written) => {
  expect(faultOf(written)).toBeUndefined()
})

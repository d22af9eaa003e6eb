import { expect, test } from 'vitest'
import { encode } from 'uqr'
import { upiLink } from '../../../contract/upi.ts'
import { qrCode } from './qr-code.ts'

const link = upiLink('store@okbank', 'Chaabi', '499.00', 'asha')

test('the path blackens exactly the modules of the code', () => {
  const { data } = encode(link, { ecc: 'H', border: 4 })

  const { size, path } = qrCode(link)

  const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let at = Number(x); at < Number(x) + Number(width); at++) drawn[Number(y)]![at] = true
  }
  expect(drawn).toEqual(data)
})

test('four modules around it stay white', () => {
  const { size, path } = qrCode(link)

  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    expect(Number(x)).toBeGreaterThanOrEqual(4)
    expect(Number(y)).toBeGreaterThanOrEqual(4)
    expect(Number(x) + Number(width)).toBeLessThanOrEqual(size - 4)
    expect(Number(y)).toBeLessThan(size - 4)
  }
})

test('the same text gives the same picture', () => {
  expect(qrCode(link)).toEqual(qrCode(link))
})

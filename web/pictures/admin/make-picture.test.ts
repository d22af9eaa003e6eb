import { expect, test } from 'vitest'
import { PICTURE_RULES, type PictureKind } from '../../../contract/pictures.ts'
import { SIZES } from './make-picture.ts'

test.each(Object.keys(SIZES) as PictureKind[])('the browser makes a %s as the server takes it', (kind) => {
  const { bytesMax, width, ratio } = PICTURE_RULES[kind]
  const made = SIZES[kind]
  expect(made.bytesMax).toBe(bytesMax)
  expect(made.width).toBeGreaterThanOrEqual(width[0])
  expect(made.width).toBeLessThanOrEqual(width[1])
  expect(made.height).toBe(made.width * ratio)
})

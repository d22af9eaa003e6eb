import { expect, test } from 'vitest'
import { looksCommon } from './length-check.tsx'

test('a password that everybody guesses is not praised for its length', () => {
  for (const password of ['password', 'Password1', 'p@ssword99', '12345678', 'qwertyuiop', 'aaaaaaaaaa', 'abcd1234'])
    expect(looksCommon(password), password).toBe(true)
  for (const password of ['a long buyer password', 'Tr0ub4dor&3', 'mango-lassi-42'])
    expect(looksCommon(password), password).toBe(false)
})

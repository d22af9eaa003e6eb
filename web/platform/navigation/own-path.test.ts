import { expect, test } from 'vitest'
import { ownPath } from './own-path.ts'

test('a path of this site is kept, with its search', () => {
  expect(ownPath('/buy?product=Orbit+Arena')).toBe('/buy?product=Orbit+Arena')
})

test.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/..//evil.example',
  '//',
  'javascript:alert(1)',
  '',
  undefined,
  7,
])('%j leads to the dashboard', (next) => {
  expect(ownPath(next)).toBe('/')
})

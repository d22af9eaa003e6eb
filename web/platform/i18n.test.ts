import { expect, test } from 'vitest'
import { t } from './i18n.ts'

test('text without values is itself', () => {
  expect(t('Login to see price')).toBe('Login to see price')
})

test('a value takes the place of its name', () => {
  expect(t('{count} left', { count: 7 })).toBe('7 left')
  expect(t('Delete {name}?', { name: 'Orbit {Arena}' })).toBe('Delete Orbit {Arena}?')
})

test('a plural chooses by the number and puts it in', () => {
  const keys = (count: number) =>
    t('{count, plural, =0 {No keys} one {# key} other {# keys of {name}}}', { count, name: 'X' })
  expect(keys(0)).toBe('No keys')
  expect(keys(1)).toBe('1 key')
  expect(keys(1200)).toBe('1,200 keys of X')
})

test('a select chooses by the word', () => {
  expect(t('{state, select, on {Payments are on} other {Payments are off}}', { state: 'on' })).toBe('Payments are on')
})

import { expect, test } from 'vitest'
import { afterQuiet } from './spread.ts'

test.each([
  ['21:59', undefined],
  ['22:00', '08:00'],
  ['03:30', '08:00'],
  ['07:59', '08:00'],
  ['08:00', undefined],
])('a quiet message of %s in India waits until %s', (at, until) => {
  const morning = afterQuiet(new Date(`2026-07-01T${at}:00+05:30`))
  const day = at > '20' ? '02' : '01'
  expect(morning).toEqual(until === undefined ? undefined : new Date(`2026-07-${day}T${until}:00+05:30`))
})

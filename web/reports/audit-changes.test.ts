import { expect, test } from 'vitest'
import { changesOf } from './audit-changes.ts'

test('only what differs is a change', () => {
  expect(changesOf({ status: 'pending', amount: 5 }, { status: 'approved', amount: 5, credited: 5 })).toEqual([
    { field: 'status', before: 'pending', after: 'approved' },
    { field: 'credited', before: undefined, after: '5' },
  ])
})

test('what was made or deleted has one side, and lists are compared as a whole', () => {
  expect(changesOf(null, { name: 'Orbit' })).toEqual([{ field: 'name', before: undefined, after: 'Orbit' }])
  expect(changesOf({ hidden: ['a'] }, { hidden: ['a'] })).toEqual([])
  expect(changesOf('old', 'new')).toEqual([{ field: 'value', before: 'old', after: 'new' }])
})

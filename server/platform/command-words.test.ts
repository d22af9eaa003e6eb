import { expect, test } from 'vitest'
import { withCommands } from './command-words.ts'

test('a package names its own commands, and a checkout those of npm', () => {
  const hint = 'Run npm run backup, then: npm run restore -- FILE --replace'
  expect(withCommands(hint, true)).toBe('Run sudo chaabi backup, then: sudo chaabi restore FILE --replace')
  expect(withCommands(hint, false)).toBe(hint)
})

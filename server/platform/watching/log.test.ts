import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLog, warnSparsely } from './log.ts'

test('a fault that meets every caller is told once a second, with how often it was met since', async () => {
  const lines: { msg: string; times?: number }[] = []
  const log = createLog('warn', { write: (line) => void lines.push(JSON.parse(line) as { msg: string }) })
  const warn = warnSparsely()
  for (let n = 0; n < 500; n++) warn(log, { n }, 'away')
  warn(log, {}, 'another')
  await sleep(1_100)
  warn(log, {}, 'away')
  await sleep(1_100)
  await sleep(1_100)
  warn(log, {}, 'away')

  expect(lines.map(({ msg, times }) => [msg, times])).toEqual([
    ['away', undefined],
    ['another', undefined],
    ['away', 499],
    ['away', 1],
    ['away', undefined],
  ])
})

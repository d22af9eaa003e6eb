import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLog, logPlain, warnSparsely } from './log.ts'

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

test('a plain line has the same members as another, in a fraction of the time, and none where others have none', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const fields = { reqId: 'a', route: '/api/products', status: 200 }
  log.info(fields, 'answered')
  logPlain(log.child({}), fields, 'answered')
  const [whole = {}, plain = {}] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  const { hostname: _, time, ...rest } = whole
  expect(plain).toEqual({ ...rest, time: expect.any(Number) as number })
  expect(Number(plain.time) - Number(time)).toBeLessThan(10_000)

  const cpuUsOf = (write: () => void) => {
    const before = process.cpuUsage()
    for (let n = 0; n < 5_000; n++) write()
    return process.cpuUsage(before).user
  }
  const wholeUs = cpuUsOf(() => log.info(fields, 'answered'))
  expect(cpuUsOf(() => logPlain(log, fields, 'answered')) * 3).toBeLessThan(wholeUs)

  const quiet = createLog('warn', { write: (line) => void lines.push(line) })
  lines.length = 0
  logPlain(quiet, fields, 'answered')
  expect(lines).toEqual([])
})

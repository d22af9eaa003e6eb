import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { gather } from './gather.ts'

test('questions that come while one is under way share the next, and each gets its own answer', async () => {
  const asked: number[][] = []
  const double = gather(async (keys: readonly number[]) => {
    asked.push([...keys])
    await sleep(5)
    return keys.map((key) => key * 2)
  })

  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6])
  expect(await double(4)).toBe(8)

  expect(asked).toEqual([[1], [2, 3], [4]])
})

test('a question that fails fails for those who shared it, and for nobody after them', async () => {
  let times = 0
  const ask = gather(async (keys: readonly string[]) => {
    await sleep(5)
    if (times++ === 1) throw new Error('away')
    return keys
  })

  const [first, ...shared] = await Promise.allSettled(['a', 'b', 'c'].map(ask))

  expect(first).toMatchObject({ value: 'a' })
  expect(shared).toMatchObject([{ reason: { message: 'away' } }, { reason: { message: 'away' } }])
  expect(await ask('d')).toBe('d')
})

test('no answer within three seconds is "busy"', async () => {
  const ask = gather(() => new Promise<string[]>(() => {}))
  const began = performance.now()

  expect(await Promise.allSettled([ask('a'), ask('b')])).toMatchObject([
    { reason: { code: 'SERVICE_UNAVAILABLE' } },
    { reason: { code: 'SERVICE_UNAVAILABLE' } },
  ])

  expect(performance.now() - began).toBeLessThan(5_000)
})

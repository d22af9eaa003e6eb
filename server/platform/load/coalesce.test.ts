import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'

test('questions of one turn share a query, later ones share the next, and each gets its own answer', async () => {
  const asked: number[][] = []
  const double = coalesce(async (keys: readonly number[]) => {
    asked.push([...keys])
    await sleep(5)
    return keys.map((key) => key * 2)
  })

  const together = [1, 2].map(double)
  await nextTurn()
  const meanwhile = [3, 4].map(double)
  expect(await Promise.all([...together, ...meanwhile])).toEqual([2, 4, 6, 8])
  expect(await double(5)).toBe(10)

  expect(asked).toEqual([[1, 2], [3, 4], [5]])
})

test('a question that fails fails for those who shared it, and for nobody after them', async () => {
  let times = 0
  const ask = coalesce(async (keys: readonly string[]) => {
    await sleep(5)
    if (times++ === 1) throw new Error('away')
    return keys
  })

  const alone = ask('a')
  await nextTurn()
  const [first, ...shared] = await Promise.allSettled([alone, ...['b', 'c'].map(ask)])

  expect(first).toMatchObject({ value: 'a' })
  expect(shared).toMatchObject([{ reason: { message: 'away' } }, { reason: { message: 'away' } }])
  expect(await ask('d')).toBe('d')
})

test('no answer within three seconds is "busy"', async () => {
  const ask = coalesce(() => new Promise<string[]>(() => {}))
  const began = performance.now()

  expect(await Promise.allSettled([ask('a'), ask('b')])).toMatchObject([
    { reason: { code: 'SERVICE_UNAVAILABLE' } },
    { reason: { code: 'SERVICE_UNAVAILABLE' } },
  ])

  expect(performance.now() - began).toBeLessThan(5_000)
})

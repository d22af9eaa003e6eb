import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('counters count by their labels, whose values are escaped', async () => {
  const metrics = createMetrics()
  const counter = metrics.counter('things_total', 'Things.\nAll of them')
  counter.add({ kind: 'a"b\\c\nd' })
  counter.add({ kind: 'a"b\\c\nd' }, 2)
  counter.add()
  expect(await metrics.write()).toBe(
    '# HELP things_total Things.\\nAll of them\n# TYPE things_total counter\nthings_total{kind="a\\"b\\\\c\\nd"} ' +
      '3\nthings_total 1\n',
  )
})

test('each bucket of a histogram holds the smaller ones too, and a bound belongs to its bucket', async () => {
  const metrics = createMetrics()
  const histogram = metrics.histogram('wait_seconds', 'Waits', [0.1, 1])
  for (const value of [0.05, 0.1, 0.5, 3]) histogram.observe(value, { route: '/x' })
  expect((await metrics.write()).split('\n').slice(2, -1)).toEqual([
    'wait_seconds_bucket{route="/x",le="0.1"} 2',
    'wait_seconds_bucket{route="/x",le="1"} 3',
    'wait_seconds_bucket{route="/x",le="+Inf"} 4',
    'wait_seconds_sum{route="/x"} 3.65',
    'wait_seconds_count{route="/x"} 4',
  ])
})

test('a gauge that cannot be read is left out, and the others are told', async () => {
  const metrics = createMetrics()
  metrics.gauge('broken', 'No figure', () => Promise.reject(new Error('away')))
  metrics.gauge('pool', 'By state', () => [{ labels: { state: 'idle' }, value: 3 }])
  metrics.gauge('memory', 'Bytes', () => 7)
  expect((await metrics.write()).split('\n').filter((line) => !line.startsWith('#'))).toEqual([
    'pool{state="idle"} 3',
    'memory 7',
    '',
  ])
})

test('no two figures share a name', () => {
  const metrics = createMetrics()
  metrics.counter('one', 'One')
  expect(() => metrics.gauge('one', 'Another', () => 1)).toThrow('one')
})

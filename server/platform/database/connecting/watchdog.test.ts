import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DatabaseTimeout, createWatchdog } from './watchdog.ts'

// Together, for all that they do is wait
test.concurrent('an answer that takes long is waited for, as long as somebody answers a probe', async () => {
  let probes = 0
  const watch = createWatchdog(async () => void probes++)
  await expect(watch.run(() => sleep(3_000, 'late'))).resolves.toBe('late')
  expect(probes).toBeGreaterThan(0)
  watch.close()
})

test.concurrent('silence ends all waits and refuses new queries, until the first answer comes', async () => {
  let open = () => {}
  const watch = createWatchdog(() => new Promise<void>((resolve) => (open = resolve)))
  const began = performance.now()
  await expect(watch.run(() => new Promise(() => {}))).rejects.toBeInstanceOf(DatabaseTimeout)
  expect(performance.now() - began).toBeLessThan(2_900)
  let asked = false
  await expect(
    watch.run(async () => {
      asked = true
    }),
  ).rejects.toBeInstanceOf(DatabaseTimeout)
  expect(asked).toBe(false)
  open()
  await sleep(0)
  await expect(watch.run(async () => 'here')).resolves.toBe('here')
  watch.close()
})

test.concurrent('nobody probes while answers come', async () => {
  let probes = 0
  const watch = createWatchdog(async () => void probes++)
  const slow = watch.run(() => sleep(2_000))
  for (let n = 0; n < 10; n++) await watch.run(() => sleep(200))
  await slow
  expect(probes).toBe(0)
  watch.close()
})

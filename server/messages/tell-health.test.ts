import { expect, test } from 'vitest'
import { send, withPush } from '../../test/worlds/push-shop.ts'
import { runDueJobs } from '../platform/jobs.ts'
import { healthJob, tellHealth } from './tell-health.ts'

test('owners hear once that the store has a problem, again after twelve hours, and once that it is well', () =>
  withPush(async ({ shop, push }) => {
    const { db, clock } = shop.store
    const after = async (hours: number, healthy: boolean) => {
      clock.advance(hours * 3_600_000)
      await tellHealth(db, healthy, clock.now())
      await send(shop.store)
    }
    await after(1, true)
    for (const hours of [1, 1, 10, 1]) await after(hours, false)
    await after(1, true)
    await after(1, true)
    expect(push.arrived.map(({ message }) => message['title'])).toEqual([
      'Your store has a problem',
      'Your store has a problem',
      'Your store is healthy again',
    ])
  }))

test('a warning is told when it appears, once a week while it lasts, and not each time that it flickers', () =>
  withPush(async ({ shop, push }) => {
    const { db, clock } = shop.store
    let warnings: string[] = []
    const job = healthJob(db, () => Promise.resolve({ ok: true, warnings }))
    const after = async (hours: number, found: string[]) => {
      clock.advance(hours * 3_600_000)
      warnings = found
      push.arrived.length = 0
      await runDueJobs(db, [job], clock)
      await send(shop.store)
      return push.arrived.map(({ message }) => message['title'])
    }
    const late = (hours: number) => [`Last backup: ${hours}.5 hours ago.`]
    const said = ['Your store has a warning']
    expect(await after(1, [])).toEqual([])
    expect([await after(1, late(30)), await after(1, late(31)), await after(24, late(55))]).toEqual([said, [], []])
    const both = [
      ...late(56),
      'All backups are on this machine. Download one in Settings, or have them copied elsewhere.',
    ]
    expect([await after(1, both), await after(0.1, late(1)), await after(0.1, both)]).toEqual([said, [], []])
    expect([await after(1, both), await after(1, both)]).toEqual([said, []])
    expect([await after(7 * 24 - 2, both), await after(1, both)]).toEqual([[], said])
  }))

import { expect, test } from 'vitest'
import { withDatabase } from '../../test/database.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { manualClock } from './clock.ts'
import { isStuck, readJobs, runDueJobs, type Job } from './jobs.ts'

const everyMinute = (run: Job['run']): Job => ({
  name: 'count',
  nextAfter: (now) => new Date(now.getTime() + 60_000),
  run,
})

test('a due job is done by one of many nodes that look at the same moment, and again when it is next due', () =>
  withDatabase(async (db) => {
    let done = 0
    const jobs = [everyMinute(async () => ({ done: ++done }))]
    const clock = manualClock(TEST_NOW)

    await Promise.all(Array.from({ length: 8 }, () => runDueJobs(db, jobs, clock)))
    expect(done).toBe(1)

    clock.advance(60_000)
    await runDueJobs(db, jobs, clock)
    expect(done).toBe(2)
    expect((await readJobs(db))[0]).toMatchObject({ name: 'count', failures: 0, error: null, result: { done: 2 } })
  }))

test('a job that fails says so, keeps its last good result, and is stuck when it fails again and again', () =>
  withDatabase(async (db) => {
    let fails = false
    const jobs = [
      everyMinute(async () => {
        if (fails) throw new Error('no luck')
        return { fine: true }
      }),
    ]
    const clock = manualClock(TEST_NOW)
    await runDueJobs(db, jobs, clock)

    fails = true
    for (let n = 0; n < 3; n++) {
      clock.advance(60_000)
      await runDueJobs(db, jobs, clock)
    }

    const [state] = await readJobs(db)
    expect(state).toMatchObject({ failures: 3, error: 'no luck', result: { fine: true } })
    expect(state && isStuck(state, clock.now())).toBe(true)
  }))

/** A store that was off over 03:00, as on a laptop: each morning all its jobs are hours late. */
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { withStore } from '../../test/store.ts'
import { TEST_NOW } from '../../test/worlds/constants.ts'
import { HOUR_MS, MINUTE_MS } from '../../contract/time.ts'
import { featureJobs } from '../features.ts'
import { healthJob } from '../messages/tell-health.ts'
import { awakeForMs, noticePauses } from '../platform/awake.ts'
import { manualClock } from '../platform/clock.ts'
import { sql, type Database } from '../platform/database/database.ts'
import { isStuck, runDueJobs } from '../platform/jobs.ts'
import { readHealthReport, type Examination } from '../reports/health-report.ts'
import { examineAtNight } from './doctor.ts'
import { storeJobs } from './jobs.ts'

const place = { migrations: path.resolve('server/migrations'), dataDir: tmpdir() }

/** The tests' own engine spares the disk, which is not looked at here. */
async function look(db: Database, now: Date): Promise<Examination> {
  const { broken, ...rest } = await examineAtNight(db, place, now)
  return { ...rest, broken: broken.filter((text) => !text.startsWith('A power cut')) }
}

test.each([9, 3 * 24])('comes back green after %d hours, whichever job is first, and tells nobody', (hours) =>
  withStore(async (store) => {
    const { db, clock } = store
    const { services } = store.app
    await db.run(
      sql`insert into channels (name, is_on) values ('push', true) on conflict (name) do update set is_on = true`,
    )
    const health = healthJob(db, async (now) => readHealthReport(db, now))
    const jobs = [health, ...storeJobs(db, (now) => look(db, now)), ...featureJobs(services)]
    await runDueJobs(db, jobs, clock)
    clock.advance(hours * HOUR_MS)
    const started = new AbortController()
    noticePauses(clock, started.signal)
    expect(await readHealthReport(db, clock.now())).toMatchObject({ ok: true })
    await runDueJobs(db, jobs, clock)
    expect(await readHealthReport(db, clock.now())).toMatchObject({ ok: true, broken: [] })
    expect(await db.count(sql`select count(*) from outbox_messages where kind = 'health.red'`)).toBe(0)
    started.abort()
  }),
)

test('a pause of the machine counts as a start, and a job that is late after that is told', () => {
  expect(awakeForMs()).toBe(Infinity)
  const clock = manualClock(TEST_NOW)
  const running = new AbortController()
  noticePauses(clock, running.signal)
  const wait = (ms: number) => {
    for (let waited = 0; waited < ms; waited += MINUTE_MS / 2) {
      clock.advance(MINUTE_MS / 2)
      awakeForMs()
    }
  }
  wait(20 * MINUTE_MS)
  expect(awakeForMs()).toBe(20 * MINUTE_MS)
  const late = { failures: 0, nextAt: clock.now() }
  clock.advance(8 * HOUR_MS)
  expect([awakeForMs(), isStuck(late, clock.now())]).toEqual([0, false])
  wait(16 * MINUTE_MS)
  expect([awakeForMs(), isStuck(late, clock.now())]).toEqual([16 * MINUTE_MS, true])
  running.abort()
})

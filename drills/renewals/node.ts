/**
 * A store whose clock a drill moves, to be killed at will. Its jobs look for work as soon as the clock has moved,
 * because hours pass in a second. Without cause they look rarely: each look asks for every job.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { createApp } from '../../server/app.ts'
import { featureJobs } from '../../server/features.ts'
import { storeJobs } from '../../server/operations/jobs.ts'
import { runDueJobs } from '../../server/platform/jobs.ts'
import { CHECK_JOB } from '../../server/reports/health-report.ts'
import { connect, type Engine } from '../../test/engine.ts'
import { TEST_SEALER } from '../../test/worlds/constants.ts'
import { movedClock } from './moved-clock.ts'

const WATCH_INTERVAL_MS = 20
const LOOK_INTERVAL_MS = 2_000

export interface NodeGiven {
  engine: Engine
  database: string
  clockFile: string
}

const { engine, database, clockFile } = JSON.parse(process.env.DRILL_NODE ?? '') as NodeGiven
const db = connect(engine, database)
const clock = movedClock(clockFile)
const app = await createApp({
  db,
  clock,
  sealer: TEST_SEALER,
  log: pino({ level: 'error' }, pino.destination(2)),
  rateLimitScale: 1_000_000,
  secure: false,
  publicOrigin: undefined,
  trustProxy: false,
  strict: true,
})
const jobs = [
  ...featureJobs(app.services),
  ...storeJobs(db, () => Promise.reject(new Error('The drill checks the books itself'))),
].filter(({ name }) => name !== CHECK_JOB)
await app.http.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
const say = (fault: unknown, job: string) => void process.stderr.write(`${job} failed: ${String(fault)}\n`)
for (let [ahead, lookedAt] = [-1, 0]; ; await sleep(WATCH_INTERVAL_MS)) {
  if (clock.aheadMs() === ahead && performance.now() - lookedAt < LOOK_INTERVAL_MS) continue
  ;[ahead, lookedAt] = [clock.aheadMs(), performance.now()]
  // The next look tries again
  await runDueJobs(db, jobs, clock, say).catch((fault: unknown) => say(fault, 'looking for jobs'))
}

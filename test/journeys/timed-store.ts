/** The built pages on a store whose clock stands where it is put. */
import path from 'node:path'
import { pino } from 'pino'
import { ensureFirstAdmin } from '../../server/admins/first-admin.ts'
import { createApp } from '../../server/app.ts'
import { manualClock } from '../../server/platform/clock.ts'
import { ensureSettings } from '../../server/settings/settings.ts'
import { connect, startEngine } from '../engine.ts'
import { TEST_SEALER } from '../worlds/constants.ts'

export const ADMIN = { username: 'owner', password: 'a long owner password' }
export const WEB = path.resolve('dist/web')

export async function openStore(start: Date) {
  const engine = await startEngine()
  const db = connect(engine, engine.template)
  const clock = manualClock(start)
  await ensureSettings(db)
  await ensureFirstAdmin(db, ADMIN, clock.now())
  const app = await createApp({
    db,
    clock,
    sealer: TEST_SEALER,
    log: pino({ level: 'silent' }),
    rateLimitScale: 1_000,
    secure: false,
    publicOrigin: undefined,
    trustProxy: false,
    strict: true,
    webDirectory: WEB,
  })
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' })
  return {
    url,
    clock,
    app,
    db,
    async stop() {
      await app.close()
      await db.close()
      await engine.stop()
    },
  }
}

/** The calls of payments alone, on real HTTP. */
import { pino } from 'pino'
import * as z from 'zod/mini'
import { api } from '../../contract/api.ts'
import { paymentRoutes } from '../../server/payments/routes.ts'
import { manualClock } from '../../server/platform/clock.ts'
import { sql, type Database } from '../../server/platform/database/database.ts'
import { createSnapshotCache } from '../../server/platform/database/snapshot-cache.ts'
import { createHttp } from '../../server/platform/http/http.ts'
import { newId } from '../../server/platform/ids.ts'
import { rateLimits } from '../../server/platform/rate-limits.ts'
import { createMetrics } from '../../server/platform/watching/metrics.ts'
import { ensureSettings } from '../../server/settings/settings.ts'
import { withDatabase } from '../database.ts'
import { OWNER_STANDING } from '../services.ts'
import { TEST_NOW, TEST_SEALER } from './constants.ts'

interface Answer {
  status: number
  body: any // oxlint-disable-line typescript/no-explicit-any -- a test looks at answers of every shape
}

interface Visitor {
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  put(path: string, body?: unknown): Promise<Answer>
  delete(path: string): Promise<Answer>
}

/** A visitor's cookie is their id. */
export async function withPayments(
  work: (world: { db: Database; as(userId: string): Visitor; admin: Visitor }) => Promise<void>,
): Promise<void> {
  await withDatabase(async (db) => {
    const clock = manualClock(TEST_NOW)
    const http = await createHttp({
      api: { payments: api.payments },
      handlers: {
        payments: paymentRoutes({
          db,
          clock,
          sealer: TEST_SEALER,
          events: { publish: () => {}, subscribe: () => () => {} },
          metrics: createMetrics(),
          limits: rateLimits(db, 1_000, clock),
          ended: new AbortController().signal,
        }),
      },
      clock,
      log: pino({ level: 'silent' }),
      cache: createSnapshotCache(db),
      async authenticate(cookies) {
        const session = { username: 'someone', sessionHash: Buffer.alloc(32) }
        const [user, admin] = [cookies.read('chaabi_session'), cookies.read('chaabi_admin')]
        return {
          user: user ? { id: user, ...session } : null,
          admin: admin ? { id: admin, ...session, ...OWNER_STANDING } : null,
        }
      },
      limit: async () => ({ settle: async () => {}, isKnown: false }),
      secure: false,
      trustProxy: false,
      strict: true,
    })
    const adminId = newId()
    await db.run(sql`
      insert into admins (id, username, password_hash, created_at)
      values (${adminId}, 'owner', 'none', ${new Date(TEST_NOW)})`)
    await ensureSettings(db)
    const url = await http.listen({ port: 0, host: '127.0.0.1' })
    const visitor = (cookie: string): Visitor => {
      const call = (method: string) => async (path: string, body?: unknown) => {
        const answer = await fetch(`${url}/api${path}`, {
          method,
          headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        return { status: answer.status, body: await answer.json() }
      }
      return { get: call('GET'), post: call('POST'), put: call('PUT'), delete: call('DELETE') }
    }
    try {
      await work({ db, as: (id) => visitor(`chaabi_session=${id}`), admin: visitor(`chaabi_admin=${adminId}`) })
    } finally {
      await http.close()
    }
  })
}

export function nameOf(db: Database, id: string) {
  return db.one(
    sql(z.object({ username: z.string(), email: z.string() }))`select username, email from users where id = ${id}`,
  )
}

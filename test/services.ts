/** The services of a use case, for tests that call it without HTTP. */
import * as z from 'zod/mini'
import { api } from '../contract/api.ts'
import { requestTopUp } from '../server/payments/request-top-up.ts'
import { manualClock } from '../server/platform/clock.ts'
import { sql, type Database } from '../server/platform/database/database.ts'
import type { StoreEvent } from '../server/platform/events.ts'
import type { Call } from '../server/platform/http/http.ts'
import { newId } from '../server/platform/ids.ts'
import { createMetrics } from '../server/platform/watching/metrics.ts'
import { rateLimits } from '../server/platform/rate-limits.ts'
import type { Services } from '../server/platform/services.ts'
import { TEST_NOW, TEST_SEALER, unique } from './worlds/constants.ts'

/** The rights of an admin's session, in tests that are not about it. */
export const OWNER_STANDING = {
  role: 'owner',
  hasSecondFactor: false,
  secondFactorRequired: false,
  canProve: false,
  provenAt: null,
  isReplaced: false,
} as const

/** Services on this database; what they publish is only remembered, in `told`. */
export function servicesOf(db: Database): Services & { told: StoreEvent[] } {
  const told: StoreEvent[] = []
  const clock = manualClock(TEST_NOW)
  return {
    db,
    clock,
    sealer: TEST_SEALER,
    events: { publish: (event) => void told.push(event), subscribe: () => () => {} },
    metrics: createMetrics(),
    limits: rateLimits(db, 1_000, clock),
    ended: new AbortController().signal,
    told,
  }
}

/** A call by an admin of this store. */
export async function givenAdminCall(
  db: Database,
): Promise<Pick<Call<'admin'>, 'admin' | 'now' | 'address' | 'userAgent' | 'isProven' | 'requireProof'>> {
  const admin = { id: newId(), username: unique('admin'), role: 'owner' as const, sessionHash: Buffer.alloc(32) }
  const now = new Date(TEST_NOW)
  await db.run(sql`
    insert into admins (id, username, password_hash, created_at)
    values (${admin.id}, ${admin.username}, 'none', ${now})`)
  return { admin, now, address: '127.0.0.1', userAgent: 'test', isProven: true, requireProof: () => {} }
}

/** Unlike that of another index. */
export const utrOf = (index: number): string => String(412_345_000_000 + index)

/** Reads a top-up request as the server would, then files it. */
export async function fileRequest(
  services: Services,
  userId: string,
  sent: {
    utr: string
    amount?: number
    expectedAmount?: number
    expectedCredit?: number
    meta?: Record<string, unknown>
    payTo?: string
  },
  now = new Date(TEST_NOW),
): ReturnType<typeof requestTopUp> {
  const input = z.parse(api.payments.addMoney.input, { amount: 100, payerName: '9876543210', ...sent })
  const user = { id: userId, username: 'buyer', sessionHash: Buffer.alloc(32) }
  return requestTopUp(services, input, { user, now, address: '203.0.113.7' })
}

/** @returns how many were done, and how many failed with each code */
export function tally(results: PromiseSettledResult<unknown>[]): Record<string, number> {
  const outcomes: Record<string, number> = {}
  for (const result of results) {
    const { code, message } =
      result.status === 'fulfilled' ? {} : (result.reason as { code?: string; message?: string })
    const outcome = result.status === 'fulfilled' ? 'done' : (code ?? message ?? 'failed')
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  return outcomes
}

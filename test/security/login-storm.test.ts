/** A storm of logins leaves turns to those who log in beside it (security.md: 2.4.1, 11.4.2). */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { sql } from '../../server/platform/database/database.ts'
import { openShop, OWNER, PASSWORD } from '../worlds/shop.ts'
import { withStore, type Answer, type TestStore } from '../store.ts'
import { unique } from '../worlds/constants.ts'

/** How many passwords of the storm were looked at before the answer to this call. */
async function lookedAtBefore(storm: readonly Promise<Answer>[], call: () => Promise<{ status: number }>) {
  let answered = 0
  for (const each of storm) void each.then(({ status }) => (answered += status === 503 ? 0 : 1))
  // The first answers come after the others' places in the queue, however slow the machine is
  await vi.waitFor(() => expect(answered).toBeGreaterThan(2), { timeout: 30_000 })
  const before = answered
  const { status } = await call()
  return { status, between: answered - before, left: storm.length - answered }
}

const madeUp = (store: TestStore, n: number) =>
  store
    .browser()
    .post(
      '/auth/login',
      { username: unique('nobody'), password: 'a wrong password' },
      { 'x-forwarded-for': `2001:db8:7:${n.toString(16)}::1` },
    )
const fromHome = { 'x-forwarded-for': '203.0.113.9' }

describe('an honest login', () => {
  test('is answered among ten accounts with twenty tries in flight each', () =>
    withStore(async (store) => {
      const shop = await openShop(store)
      const asha = await shop.buyer()
      const others = await Promise.all(Array.from({ length: 10 }, () => shop.buyer()))
      const login = ({ username }: { username: string }, password: string) =>
        store.browser().post('/auth/reset-device-lock', { username, password })
      const storm = others.flatMap((buyer) => Array.from({ length: 20 }, () => login(buyer, 'a wrong password')))

      const { status, between, left } = await lookedAtBefore(storm, () => login(asha, PASSWORD))

      expect(status, 'a right password').toBe(400)
      expect(left, 'the storm was not over').toBeGreaterThan(0)
      expect(between).toBeLessThan(40)
      const statuses = (await Promise.all(storm)).map((answer) => answer.status)
      expect(statuses.filter((each) => each !== 401 && each !== 503)).toEqual([])
    }))

  test('and an admin’s are answered among made-up names from many networks of one site', () =>
    withStore(
      async (store) => {
        const shop = await openShop(store)
        const { username } = await shop.buyer()
        const storm = Array.from({ length: 150 }, (_, n) => madeUp(store, n))

        const [buyer, owner] = await Promise.all([
          lookedAtBefore(storm, () =>
            store.browser().post('/auth/reset-device-lock', { username, password: PASSWORD }, fromHome),
          ),
          lookedAtBefore(storm, () => store.browser().post('/admin/login', OWNER, fromHome)),
        ])

        expect([buyer.status, owner.status], 'a right password').toEqual([400, 200])
        for (const { between, left } of [buyer, owner]) {
          expect(left, 'the storm was not over').toBeGreaterThan(0)
          expect(between).toBeLessThan(40)
        }
        const late = (await Promise.all(storm)).filter(({ status }) => status === 503)
        for (const { headers, body } of late) {
          expect(body).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: expect.any(String) as string })
          expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
        }
      },
      { trustProxy: ['127.0.0.1'] },
    ))

  test('in a new browser is answered among strangers of hundreds of networks who come again and again', () =>
    withStore(
      async (store) => {
        const shop = await openShop(store)
        const { username } = await shop.buyer()
        const over = new AbortController()
        const lookedAt = new Set<number>()
        const again = async (network: number) => {
          const from = { 'x-forwarded-for': `198.51.100.${network}` }
          const wrong = { password: 'a wrong password' }
          const guess = () => store.browser().post('/auth/login', { ...wrong, username: unique('nobody') }, from)
          while (!over.signal.aborted) if ((await guess()).status === 401) lookedAt.add(network)
        }
        const storm = Array.from({ length: 200 }, (_, network) => again(network))
        const statuses: number[] = []
        try {
          await vi.waitFor(() => expect(lookedAt.size).toBe(200), { timeout: 120_000 })
          for (let n = 0; n < 5; n++) {
            const login = { username, password: PASSWORD }
            const home = { 'x-forwarded-for': `203.0.113.${n}` }
            statuses.push((await store.browser().post('/auth/reset-device-lock', login, home)).status)
          }
        } finally {
          over.abort()
          await Promise.all(storm)
        }
        expect(statuses, 'a right password').toEqual(Array(5).fill(400))
      },
      { trustProxy: ['127.0.0.1'] },
    ))
})

test('nobody works on the passwords of callers who have hung up', () =>
  withStore(async (store) => {
    await openShop(store)
    const hangUp = new AbortController()
    const calls = Array.from({ length: 60 }, () =>
      fetch(`${store.url}/api/admin/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: OWNER.username, password: 'a wrong password' }),
        signal: hangUp.signal,
      }).catch(() => 'hung up'),
    )
    await sleep(150)
    hangUp.abort()
    await Promise.all(calls)
    expect((await store.browser().post('/admin/login', OWNER)).status).toBe(200)
    await sleep(1_000)

    const looked = await store.db.count(sql`select count(*) from audit_entries where action = 'admin.login-refused'`)
    expect(looked).toBeLessThan(30)
  }))

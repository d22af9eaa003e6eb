import { expect, test } from 'vitest'
import { openShop } from '../../test/worlds/shop.ts'
import { withStore } from '../../test/store.ts'
import { sql } from '../platform/database/database.ts'
import { createLog } from '../platform/watching/log.ts'

const TOKEN = 'a-token-of-the-operator'

test('what happened is counted, by route and status, and no path that a stranger makes up is kept', () =>
  withStore(async (store) => {
    const shop = await openShop(store)
    const product = await shop.product({ stock: 2 })
    const buyer = await shop.buyer({ balance: 500 })
    await buyer.api.orders.place({ productId: product._id, duration: '10 Days', quantity: 1 })
    await buyer.get('/made/up/by/a/stranger')
    await buyer.get(`/products/${'x'.repeat(40)}`)

    const text = (await shop.visitor().get('/metrics')).body as string

    expect(text).toContain('chaabi_purchases_total 1\n')
    expect(text).toContain('chaabi_http_requests_total{method="POST",route="/api/keys/buy",status="200"} 1\n')
    expect(text).toMatch(
      /chaabi_http_request_duration_seconds_bucket\{method="POST",route="\/api\/keys\/buy",le="\+Inf"\} 1\n/,
    )
    expect(text).toMatch(/chaabi_database_connections\{state="waiting"\} \d+\n/)
    for (const name of [
      'chaabi_event_loop_delay_seconds{stat="p99"}',
      'chaabi_memory_bytes{kind="resident"}',
      'chaabi_order_desk_waiting',
      'chaabi_event_streams',
      'chaabi_store_healthy',
      'chaabi_invariants_broken',
    ])
      expect(text).toContain(`${name} `)
    expect(text, 'a label that is for summaries only').not.toContain('quantile=')
    expect(text).not.toContain('stranger')
    expect(text).not.toContain(buyer.id)
  }))

test('a slow statement is counted, and its text is logged without its values', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const ended = new AbortController()
  await withStore(
    async (store) => {
      // On a busy machine others may be slow, too
      const told: string[] = []
      store.db.onSlow(({ text }) => void told.push(text), ended.signal)
      const count = async () => {
        const { body } = await store.browser().get('/metrics')
        return Number(/^chaabi_slow_statements_total (\d+)$/m.exec(body as string)?.[1])
      }
      const before = await count()
      await store.db.transaction(async (tx) => {
        const slept = tx.send(sql`select pg_sleep(0.6),
          ${'a buyer’s words'}::text`)
        await Promise.all([slept, tx.send(sql`select length(${'behind it'})`)])
      })
      await expect(store.db.run(sql`select length(pg_sleep(0.6)::text) / ${0}::int`)).rejects.toThrow('zero')
      expect(await count()).toBe(before + told.length)
      expect(told.filter((text) => text.includes('pg_sleep'))).toHaveLength(2)
      expect(told, 'what waited behind it').not.toContain('select length($1)')
      expect(lines.filter((line) => line.includes('pg_sleep')).map((line) => JSON.parse(line) as unknown)).toEqual([
        expect.objectContaining({ level: 30, msg: 'slow statement: select pg_sleep(0.6), $1::text' }),
        expect.objectContaining({ msg: 'slow statement: select length(pg_sleep(0.6)::text) / $1::int' }),
      ])
      expect(lines.join('')).not.toContain('buyer’s words')
    },
    { log },
  )
  ended.abort()
})

test('the token opens it from anywhere; a wrong one, or a proxy in between, does not', () =>
  withStore(
    async (store) => {
      const ask = (headers: Record<string, string>) => store.browser().call('GET', '/metrics', undefined, headers)
      const forwarded = { 'x-forwarded-for': '203.0.113.7' }
      expect((await ask({ ...forwarded, authorization: `Bearer ${TOKEN}` })).status).toBe(200)
      expect((await ask({ authorization: `Bearer ${TOKEN}s` })).status).toBe(403)
      expect((await ask(forwarded)).status).toBe(403)
      expect((await ask({ forwarded: 'for=203.0.113.7' })).status).toBe(403)
      expect((await ask({})).status).toBe(200)
    },
    { metricsToken: TOKEN },
  ))

// HTTPS means a proxy, even without the setting. An nginx with its defaults hides the caller.
test.each([{ trustProxy: true }, { secure: true }])('a store behind a proxy opens it to the token alone: %j', (front) =>
  withStore(async (store) => expect((await store.browser().get('/metrics')).status).toBe(403), front),
)
